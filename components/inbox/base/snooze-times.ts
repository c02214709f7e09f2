// The times until which a notification can be snoozed, in the time zone of the browser. Pure: the clock is an argument.

/** When people end and begin their day. */
const LATER_HOUR = 17
const MORNING_HOUR = 8
/** From this hour on, the end of the day is too near. */
const LAST_LATER_HOUR = 15
const MONDAY = 1
const WEEK_DAYS = 7

export interface SnoozeTimes {
  /** Undefined from 15:00 on. */
  readonly later: Date | undefined
  readonly tomorrow: Date
  /** The next Monday; undefined on a Sunday, when that is tomorrow. */
  readonly nextWeek: Date | undefined
}

/** A time of the clock some days ahead, whatever the days are long: days with a change of the clock have 23 or 25 hours. */
const addDays = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)

/** @param nowMs - milliseconds since 1970 */
export function selectSnoozeTimes(nowMs: number): SnoozeTimes {
  const now = new Date(nowMs)
  const daysToMonday = (MONDAY - now.getDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS
  return {
    later: now.getHours() < LAST_LATER_HOUR ? addDays(now, 0, LATER_HOUR) : undefined,
    nextWeek: daysToMonday > 1 ? addDays(now, daysToMonday, MORNING_HOUR) : undefined,
    tomorrow: addDays(now, 1, MORNING_HOUR)
  }
}

const pad = (n: number): string => `${n}`.padStart(2, '0')

/** The value of a field `<input type="date">`. */
export const toDayValue = (date: Date): string =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`

/** The value of a field `<input type="time">`. */
export const toTimeValue = (date: Date): string => `${pad(date.getHours())}:${pad(date.getMinutes())}`

/**
 * @param day - `YYYY-MM-DD`
 * @param time - `HH:MM`; a time that a change of the clock leaves out is the one an hour later
 * @returns undefined if a field is empty, or the time is not between now and `maxDays` days ahead
 */
export function parsePicked(day: string, time: string, nowMs: number, maxDays: number): Date | undefined {
  const picked = new Date(`${day}T${time}`)
  const ms = picked.getTime()
  return ms > nowMs && ms <= nowMs + maxDays * 86_400_000 ? picked : undefined
}

/** Number of days from today to the day of a date. */
function countDays(date: Date, nowMs: number): number {
  const startOf = (day: Date): number => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate())
  return (startOf(date) - startOf(new Date(nowMs))) / 86_400_000
}

const formatTime = (date: Date, lang: string): string =>
  new Intl.DateTimeFormat(lang, { timeStyle: 'short' }).format(date)

/** "17:00" of today, "Tue 08:00" within a week, else with the date. */
export function formatUntil(until: Date, nowMs: number, lang: string): string {
  const days = countDays(until, nowMs)
  if (days === 0) return formatTime(until, lang)
  const day =
    days < WEEK_DAYS ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat(lang, { ...day, hour: 'numeric', minute: '2-digit' }).format(until)
}

/**
 * As {@link formatUntil}, but "tomorrow, 08:00" for the day after today.
 *
 * @param join - puts the day before the time
 */
export function describeUntil(
  until: Date,
  nowMs: number,
  lang: string,
  join: (day: string, time: string) => string
): string {
  if (countDays(until, nowMs) !== 1) return formatUntil(until, nowMs, lang)
  const time = formatTime(until, lang)
  return join(new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(1, 'day'), time)
}
