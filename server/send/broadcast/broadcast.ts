// What a broadcast is: the send that each of its users gets, whom it goes to, and when.

import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import { invalidFields, parseInput } from '../../http/parse-input.ts'
import type { FieldProblem } from '../../http/problem.ts'
import type { Renderer } from '../../types/templates/render.ts'
import { findFaults, parseBody, parseUnaddressed, type Unaddressed } from '../parse-send.ts'
import { audience, broadcastFields, type Audience } from './schema.ts'

/** As `tasks.input` stores it. */
export interface Broadcast {
  readonly send: Unaddressed
  readonly to: Audience
  /** Date and time in the zone of each user. Absent: when the broadcast begins. */
  readonly localTime?: string | undefined
  readonly warnings: readonly string[]
}

/** Reads what {@link parseBroadcast} has written. */
export const storedBroadcast: z.ZodType<Broadcast> = z.object({
  localTime: z.string().optional(),
  send: z.custom<Unaddressed>(),
  to: audience,
  warnings: z.array(z.string())
})

export interface ParsedBroadcast {
  readonly broadcast: Broadcast
  readonly perSecond: number | undefined
  /** Absent: now. */
  readonly startAt?: Date
}

/** The earliest zone is fourteen hours ahead of UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000

/**
 * Returns the instant of a local time in a zone. A time that a change of clocks skips moves forward by the change, and of one that a day
 * has twice, the first is used.
 *
 * @param localTime - ISO 8601 without a zone
 * @returns milliseconds since 1970
 */
export const instantIn = (localTime: string, zone: string): number =>
  Temporal.PlainDateTime.from(localTime).toZonedDateTime(zone).epochMilliseconds

const findTimeFaults = (localTime: string | undefined, schedule: unknown): FieldProblem[] => {
  if (localTime === undefined) return []
  if (schedule !== undefined)
    return [{ detail: 'Expected either schedule or localTime.', pointer: '#/localTime' }]
  try {
    Temporal.PlainDateTime.from(localTime)
    return []
  } catch {
    return [{ detail: 'This date or time does not exist.', pointer: '#/localTime' }]
  }
}

/**
 * @param body - of the request
 * @param now - milliseconds since 1970; a schedule that is not after it means now
 * @throws Problem that names every wrong field
 */
export function parseBroadcast(body: unknown, now: number, check: Renderer['check']): ParsedBroadcast {
  const { localTime, perSecond, to } = parseInput(broadcastFields, body)
  const { localTime: _, perSecond: __, to: ___, ...rest } = body as Record<string, unknown>
  const parsed = parseBody(rest)
  const time = localTime?.replace(' ', 'T')
  const timeFaults = findTimeFaults(time, rest['schedule'])
  const earliest =
    time !== undefined && timeFaults.length === 0 ? instantIn(time, 'UTC') - EARLIEST_ZONE_MS : undefined
  const atEarliest = earliest === undefined ? {} : { schedule: new Date(earliest).toISOString() }
  const withTime = { ...parsed, body: { ...parsed.body, ...atEarliest } }
  const faults = [...timeFaults, ...findFaults(withTime, now)]
  if (faults.length > 0) throw invalidFields(faults)
  const { send, warnings } = parseUnaddressed(withTime, now, check)
  const { schedule, ...content } = send
  return {
    broadcast: {
      send: withTopic(content, to),
      to,
      warnings,
      ...(time !== undefined && { localTime: time })
    },
    perSecond,
    ...(schedule !== undefined && { startAt: new Date(schedule) })
  }
}

/** A topic is a part of the type, so that users can switch it off for themselves. */
const withTopic = (send: Unaddressed, to: Audience): Unaddressed =>
  'topic' in to ? { subNotificationId: to.topic, ...send } : send
