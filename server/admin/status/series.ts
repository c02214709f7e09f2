// Turns rows of minutes into series of 60 numbers. Pure.

import type { ChannelCounts, DeliveryCounts, MinuteCounts } from '../../client/status.ts'
import type { MinuteRow } from '../../logs/minutes.sql.ts'

export const MINUTE_MS = 60_000
export const SERIES_MINUTES = 60

/** @returns the beginning of the first minute of the series that ends with the minute of `now` */
export const seriesStart = (now: number): number =>
  Math.floor(now / MINUTE_MS) * MINUTE_MS - (SERIES_MINUTES - 1) * MINUTE_MS

interface Sums {
  sent: number
  failed: number
  discarded: number
}

const noSums = (): Sums => ({ discarded: 0, failed: 0, sent: 0 })
const emptySeries = (): Sums[] => Array.from({ length: SERIES_MINUTES }, noSums)

const add = (sums: Sums, { discarded, failed, sent }: DeliveryCounts): void => {
  sums.sent += sent
  sums.failed += failed
  sums.discarded += discarded
}

function total(series: readonly DeliveryCounts[]): Sums {
  const sums = noSums()
  for (const minute of series) add(sums, minute)
  return sums
}

export interface Series {
  readonly minutes: readonly MinuteCounts[]
  readonly channels: readonly ChannelCounts[]
  readonly lastHour: DeliveryCounts
}

/**
 * @param rows - a minute may be in several
 * @param now - milliseconds since 1970
 */
export function toSeries(rows: readonly MinuteRow[], now: number): Series {
  const start = seriesStart(now)
  const all = emptySeries()
  const byChannel = new Map<string, Sums[]>()
  for (const row of rows) {
    const index = Math.floor((row.minute.getTime() - start) / MINUTE_MS)
    // A minute of another clock may lie outside.
    const place = Math.min(index, SERIES_MINUTES - 1)
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
        lastHour: total(series),
        sent: series.map(({ sent }) => sent)
      })),
    lastHour: total(all),
    minutes: all.map(({ discarded, failed, sent }, i) => ({
      at: new Date(start + i * MINUTE_MS).toISOString(),
      discarded,
      failed,
      sent
    }))
  }
}
