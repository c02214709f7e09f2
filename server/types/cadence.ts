// When a digest is due: the next boundary of an hour, day, week or month in a user's time zone. Pure.
//
// A time that a day skips comes as much later as the clock jumped, a time that a day has twice comes the first time.

import { Temporal } from 'temporal-polyfill'

import type { Delivery } from '#protocol'

/** How often a digest comes. */
export type Period = Exclude<Delivery, 'off' | 'instant'>

export const isPeriod = (delivery: Delivery): delivery is Period =>
  delivery !== 'off' && delivery !== 'instant'

export interface Cadence {
  readonly period: Period
  /** 0 to 23, local. */
  readonly hour: number
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** On the last day of a month instead of the first. */
  readonly last: boolean
}

const HOUR = 9
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** 0 to 23, as a number or its text; undefined for anything else. */
export const hourOf = (said: unknown): number | undefined => numberOf(said, 23)

/** 1 to 7 from Monday on, 0 for Sunday, or an English name of at least three letters; undefined for anything else. */
export function weekdayOf(said: unknown): number | undefined {
  const number = numberOf(said, 7)
  if (number !== undefined) return number || 7
  if (typeof said !== 'string' || said.length < 3) return undefined
  const at = DAYS.findIndex(name => name.startsWith(said.toLowerCase()))
  return at === -1 ? undefined : at + 1
}

const numberOf = (said: unknown, most: number): number | undefined =>
  /^\d{1,2}$/.test(String(said)) && Number(said) <= most ? Number(said) : undefined

/** @param said - what the type says about this delivery: `{ hour?, day?, date? }`; the default is 09:00, Monday, the first */
export const cadenceOf = (period: Period, said: Readonly<Record<string, unknown>> = {}): Cadence => ({
  hour: hourOf(said['hour']) ?? HOUR,
  last: said['date'] === 'last',
  period,
  weekday: weekdayOf(said['day']) ?? 1
})

const MINUTE = 60_000
const FULL_HOUR = 60 * MINUTE

/**
 * @param now - milliseconds since 1970
 * @param zone - IANA name
 * @returns milliseconds since 1970, later than `now`
 */
export function nextBoundary(now: number, zone: string, { period, hour, weekday, last }: Cadence): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  if (period === 'hourly') return nextHour(here)
  const time = Temporal.PlainTime.from({ hour })
  const at = (day: Temporal.PlainDate): number =>
    day.toZonedDateTime({ plainTime: time, timeZone: zone }).epochMilliseconds
  const today = here.toPlainDate()
  if (period === 'monthly') {
    const dayOf = (month: Temporal.PlainYearMonth) => month.toPlainDate({ day: last ? month.daysInMonth : 1 })
    return firstAfter(now, today.toPlainYearMonth(), { months: 1 }, month => at(dayOf(month)))
  }
  if (period === 'daily') return firstAfter(now, today, { days: 1 }, at)
  return firstAfter(now, today.add({ days: (weekday - today.dayOfWeek + 7) % 7 }), { weeks: 1 }, at)
}

interface Steps<T> {
  add(step: Temporal.DurationLike): T
}

function firstAfter<T extends Steps<T>>(
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

/** Where the clock is moved before the hour is full, the hour is counted from there: clocks are moved by half hours, too. */
function nextHour(here: Temporal.ZonedDateTime): number {
  const now = here.epochMilliseconds
  const offset = here.offsetNanoseconds / 1e6
  const next = (Math.floor((now + offset) / FULL_HOUR) + 1) * FULL_HOUR - offset
  const then = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(here.timeZoneId)
  const moved = then.offsetNanoseconds === here.offsetNanoseconds ? null : here.getTimeZoneTransition('next')
  if (!moved) return next
  return moved.epochMilliseconds + ((60 - moved.minute) % 60) * MINUTE
}
