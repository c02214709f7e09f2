// Throttling and de-duplication are one thing: a gate that lets a number of sends through in a stretch of time.
//
// A throttle is the gate of a user and a type; a duplicate stands before the gate of its content, which lets one through.
// The stretch slides: at no moment have more than `max` passed within it.

import { hash } from 'node:crypto'

import { Temporal } from 'temporal-polyfill'

import type { Channel } from '#protocol'

import type { TypeSettings, UNITS } from '../../types/type.ts'
import { inlineChannels, inlineContent, type Send } from '../send-request.ts'

/** What a closed gate does to a send. */
export type Held = 'throttled' | 'deduplicated'

export type Span = 'forever' | { readonly period: number; readonly unit: (typeof UNITS)[number] }

export interface Gate {
  /** Of the content; `''`: of all that is of the type. */
  readonly print: string
  /** At least 1. */
  readonly max: number
  readonly span: Span
  readonly held: Held
}

const utc = (ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')

/**
 * @param passed - when earlier ones were let through, in milliseconds since 1970
 * @param now - the same
 * @returns those that still count
 */
export function counting(passed: readonly number[], span: Span, now: number): number[] {
  if (span === 'forever') return [...passed]
  const start = utc(now).subtract({ [span.unit]: span.period }).epochMilliseconds
  return passed.filter(ms => ms > start)
}

/** Milliseconds since 1970 after which what passes now counts for nothing; undefined: it counts for ever. */
export function forgottenAt(span: Span, now: number): number | undefined {
  if (span === 'forever') return undefined
  // A month before the 31st is shorter than one after it.
  const slack = span.unit === 'months' || span.unit === 'years' ? 4 : 0
  return utc(now)
    .add({ [span.unit]: span.period })
    .add({ days: slack }).epochMilliseconds
}

/** In the order in which they are asked: a duplicate uses up no throttle. @param channels - where it would go out */
export function gatesOf(
  { deduplication, throttling }: TypeSettings,
  send: Send,
  channels: readonly Channel[]
): Gate[] {
  const gates: Gate[] = []
  if (channels.length === 0) return gates
  if (deduplication) {
    const span: Span = { period: deduplication.duration, unit: 'seconds' }
    gates.push({ held: 'deduplicated', max: 1, print: printOf(send, channels), span })
  }
  if (throttling) {
    const { forever, max, period = 1, unit = 'days' } = throttling
    gates.push({ held: 'throttled', max, print: '', span: forever ? 'forever' : { period, unit } })
  }
  return gates
}

/** The same for sends that say the same on the same channels, whatever the order of their keys. */
export function printOf(send: Send, channels: readonly Channel[]): string {
  const { options, parameters = {}, replace = {}, subNotificationId = '', templateId = '' } = send
  const inline = inlineChannels(send).map(channel => [channel, inlineContent(send, channel)])
  const files = options?.email?.attachments ?? []
  const content = [channels.toSorted(), inline, parameters, replace, subNotificationId, templateId, files]
  return hash('sha256', JSON.stringify(ordered(content)), 'base64url')
}

/** Depth is bounded by the body reader, so recursion is safe. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, ordered(member)])
}
