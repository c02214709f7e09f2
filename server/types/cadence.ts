// Computes when a digest is due: the next boundary of an hour, day, week or month in the user's time zone. Pure.
//
// At a change of clocks, a time that a day skips moves forward by the change, and of a time that a day has twice, the first is used.

import { Temporal } from 'temporal-polyfill'

import type { Delivery } from '#protocol'

export type Period = Exclude<Delivery, 'off' | 'instant'>

export const isPeriod = (delivery: Delivery): delivery is Period =>
  delivery !== 'off' && delivery !== 'instant'

export interface Cadence {
  readonly period: Period
  /** 0 to 23, local. */
  readonly hour: number
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** On the last day of the month instead of the first. */
  readonly isLastDay: boolean
}

const DEFAULT_HOUR = 9
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** @param value - 0 to 23, as a number or text. @returns undefined for other values */
export const parseHour = (value: unknown): number | undefined => parseNumber(value, 23)

/**
 * @param value - 1 (Monday) to 7, 0 for Sunday, or an English name of at least three letters
 * @returns undefined for other values
 */
export function parseWeekday(value: unknown): number | undefined {
  const number = parseNumber(value, 7)
  if (number !== undefined) return number || 7
  if (typeof value !== 'string' || value.length < 3) return undefined
  const at = DAYS.findIndex(name => name.startsWith(value.toLowerCase()))
  return at === -1 ? undefined : at + 1
}

const parseNumber = (value: unknown, max: number): number | undefined =>
  /^\d{1,2}$/.test(String(value)) && Number(value) <= max ? Number(value) : undefined

/** @param option - of the type: `{ hour?, day?, date? }`; the default is 09:00, Monday, the first */
export const parseCadence = (period: Period, option: Readonly<Record<string, unknown>> = {}): Cadence => ({
  hour: parseHour(option['hour']) ?? DEFAULT_HOUR,
  isLastDay: option['date'] === 'last',
  period,
  weekday: parseWeekday(option['day']) ?? 1
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * @param now - milliseconds since 1970
 * @param zone - IANA name
 * @returns milliseconds since 1970, later than `now`
 */
export function nextBoundary(
  now: number,
  zone: string,
  { period, hour, weekday, isLastDay }: Cadence
): number {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  if (period === 'hourly') return nextHour(local)
  const time = Temporal.PlainTime.from({ hour })
  const at = (day: Temporal.PlainDate): number =>
    day.toZonedDateTime({ plainTime: time, timeZone: zone }).epochMilliseconds
  const today = local.toPlainDate()
  if (period === 'monthly') {
    const dayIn = (month: Temporal.PlainYearMonth) =>
      month.toPlainDate({ day: isLastDay ? month.daysInMonth : 1 })
    return firstAfter(now, today.toPlainYearMonth(), { months: 1 }, month => at(dayIn(month)))
  }
  if (period === 'daily') return firstAfter(now, today, { days: 1 }, at)
  return firstAfter(now, today.add({ days: (weekday - today.dayOfWeek + 7) % 7 }), { weeks: 1 }, at)
}

interface Steppable<T> {
  add(step: Temporal.DurationLike): T
}

function firstAfter<T extends Steppable<T>>(
  now: number,
  first: T,
  step: Temporal.DurationLike,
  at: (one: T) => number
): number {
  for (let one = first; ; one = one.add(step)) {
    const boundary = at(one)
    if (boundary > now) return boundary
  }
}

/** If the clock changes before the hour is full, the hour counts from the change, because some clocks change by half an hour. */
function nextHour(local: Temporal.ZonedDateTime): number {
  const now = local.epochMilliseconds
  const offsetMs = local.offsetNanoseconds / 1e6
  const next = (Math.floor((now + offsetMs) / HOUR_MS) + 1) * HOUR_MS - offsetMs
  const then = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(local.timeZoneId)
  const change =
    then.offsetNanoseconds === local.offsetNanoseconds ? null : local.getTimeZoneTransition('next')
  if (!change) return next
  return change.epochMilliseconds + ((60 - change.minute) % 60) * MINUTE_MS
}
