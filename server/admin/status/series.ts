// Turns rows of counts into series with one number for each step of a time. Pure.

import type { ChannelCounts, DeliveryCounts, HistorySpan, StepCounts } from '../../client/status.ts'
import type { StepRow, Steps } from '../../logs/minutes.sql.ts'

const MINUTE_MS = 60_000

interface Span extends Omit<Steps, 'from'> {
  /** How many steps, with the one of now. */
  readonly count: number
}

export const LAST_HOUR: Span = { count: 60, minutes: 1 }

export const SPANS: Readonly<Record<HistorySpan, Span>> = {
  '24h': { count: 48, minutes: 30 },
  '7d': { count: 84, minutes: 120 }
}

/** @returns the beginning of the first step of the series that ends with the step of `now`, in milliseconds since 1970 */
export function seriesStart({ count, minutes }: Span, now: number): number {
  const stepMs = minutes * MINUTE_MS
  return Math.floor(now / stepMs) * stepMs - (count - 1) * stepMs
}

export const seriesEnd = (span: Span, now: number): number =>
  seriesStart(span, now) + span.count * span.minutes * MINUTE_MS

interface Sums {
  sent: number
  failed: number
  discarded: number
}

const noSums = (): Sums => ({ discarded: 0, failed: 0, sent: 0 })

const add = (sums: Sums, { discarded, failed, sent }: DeliveryCounts): void => {
  sums.sent += sent
  sums.failed += failed
  sums.discarded += discarded
}

function toTotal(series: readonly DeliveryCounts[]): Sums {
  const sums = noSums()
  for (const step of series) add(sums, step)
  return sums
}

export interface Series {
  readonly steps: readonly StepCounts[]
  readonly channels: readonly ChannelCounts[]
  readonly total: DeliveryCounts
}

/**
 * @param rows - a step may be in several
 * @param now - milliseconds since 1970
 */
export function toSeries(rows: readonly StepRow[], span: Span, now: number): Series {
  const start = seriesStart(span, now)
  const stepMs = span.minutes * MINUTE_MS
  const emptySeries = (): Sums[] => Array.from({ length: span.count }, noSums)
  const all = emptySeries()
  const byChannel = new Map<string, Sums[]>()
  for (const row of rows) {
    const index = Math.floor((row.at.getTime() - start) / stepMs)
    // A step of another clock may lie outside.
    const place = Math.min(index, span.count - 1)
    if (place < 0) continue
    add(all[place]!, row)
    const own = byChannel.get(row.channel) ?? byChannel.set(row.channel, emptySeries()).get(row.channel)!
    add(own[place]!, row)
  }
  return {
    channels: [...byChannel]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([channel, series]) => ({
        channel,
        failed: series.map(({ failed }) => failed),
        sent: series.map(({ sent }) => sent),
        total: toTotal(series)
      })),
    steps: all.map(({ discarded, failed, sent }, i) => ({
      at: new Date(start + i * stepMs).toISOString(),
      discarded,
      failed,
      sent
    })),
    total: toTotal(all)
  }
}
