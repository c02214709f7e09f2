// Computes when quiet hours end: a span of local time that begins on some weekdays. Pure.
//
// At a change of clocks, a time that a day skips moves forward by the change, and of a time that a day has twice, the first
// is used, as for digests (server/types/cadence.ts).

import { Temporal } from 'temporal-polyfill'

import type { QuietHours } from '#protocol'

/** A span may have begun on the day before; on the second one before, if the zone skipped a day. */
const DAYS_BACK = 2
/** Spans that follow each other without a gap are one; a week without a gap is looked at again. */
const MAX_SPANS = 8

type Span = Pick<QuietHours, 'days' | 'from' | 'to' | 'zone'>

/**
 * @param now - milliseconds since 1970
 * @returns when it is no longer quiet, in milliseconds since 1970; undefined if it is not quiet now
 */
export function quietEnd(now: number, span: Span): number | undefined {
  let end: number | undefined
  for (let i = 0; i < MAX_SPANS; i++) {
    const next = spanEnd(end ?? now, span)
    if (next === undefined) break
    end = next
  }
  return end
}

/** @returns the end of a span that contains the time */
function spanEnd(now: number, { days, from, to, zone }: Span): number | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const at = (day: Temporal.PlainDate, time: string): number =>
    day.toZonedDateTime({ plainTime: Temporal.PlainTime.from(time), timeZone: zone }).epochMilliseconds
  for (let back = 0; back <= DAYS_BACK; back++) {
    const day = today.subtract({ days: back })
    if (!days.includes(day.dayOfWeek) || at(day, from) > now) continue
    const end = at(to > from ? day : day.add({ days: 1 }), to)
    if (end > now) return end
  }
  return undefined
}
