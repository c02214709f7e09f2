// Statistics of the log: how many deliveries of each state, by day, type or channel. Pure.

import type { LogStats } from '../client/logs.ts'
import { invalidFields } from '../http/parse-input.ts'
import type { CountedField, LogCount } from './counts.sql.ts'
import { isFailure } from './explain-delivery.ts'
import { statusLabels } from './status-labels.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
/** Days of one answer. */
const MAX_DAYS = 366

export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * @param days - as 2026-11-23, in UTC
 * @param now - milliseconds since 1970
 * @throws Problem if the days are in the wrong order or too many
 */
export function resolveDays(
  days: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number
): { readonly from: string; readonly to: string } {
  const to = days.to ?? toDay(now)
  const from = days.from ?? toDay(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count >= 1 && count <= MAX_DAYS) return { from, to }
  const detail = `Expected a day from ${toDay(Math.max(0, Date.parse(to) - (MAX_DAYS - 1) * DAY_MS))} to ${to}.`
  throw invalidFields([{ detail, pointer: '#/from' }])
}

export type CountedState = 'sent' | 'failed' | 'discarded'

/** @param result - a decision about the channel, or the outcome of a last attempt */
export function stateOf(result: string): CountedState | undefined {
  if (isFailure(result)) return 'failed'
  const { kind } = statusLabels(result)
  if (kind === 'later') return undefined
  return kind === 'out' ? 'sent' : kind === 'failed' ? 'failed' : 'discarded'
}

/** @returns one entry for each value, in its order; of days the latest first */
export function toStats(by: CountedField, counts: readonly LogCount[]): LogStats['counts'] {
  const entries = new Map<string, { count: number; states: Partial<Record<CountedState, number>> }>()
  for (const { count, result, value } of counts) {
    const state = stateOf(result)
    if (state === undefined) continue
    const name = by === 'state' ? state : value
    const entry = entries.get(name) ?? entries.set(name, { count: 0, states: {} }).get(name)!
    entry.count += count
    entry.states[state] = (entry.states[state] ?? 0) + count
  }
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const ordered = by === 'day' ? sorted.toReversed() : sorted
  return ordered.map(([value, { count, states }]) =>
    by === 'state' ? { count, value } : { count, states, value }
  )
}
