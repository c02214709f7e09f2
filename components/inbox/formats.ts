// Numbers and times as a language writes them. Formatters are expensive to make, so each is made once.

import { toLanguageTag } from '../core/locale.ts'

export interface Formats {
  number(n: number): string
  /** Short time since: "4 min", "3 hr", "Yesterday", "Tue", "18 Nov". Undefined within the first minute. */
  age(date: Date, now: number): string | undefined
  /** The whole date and time. */
  full(date: Date): string
  /** Time of day. */
  time(date: Date): string
  yesterday(): string
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Midnight of the reader's day. */
export function startOfDay(now: number, daysBack = 0): Date {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysBack)
  return day
}

/** A formatter that is made when it is first needed: the seven of a language cost more than a list of rows. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function create(lang: string): Formats {
  const unit = (name: 'minute' | 'hour'): (() => Intl.NumberFormat) =>
    once(() => new Intl.NumberFormat(lang, { style: 'unit', unit: name, unitDisplay: 'short' }))
  const date = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    once(() => new Intl.DateTimeFormat(lang, options))
  const number = once(() => new Intl.NumberFormat(lang))
  // For the first of all the browser reads its tables: better while a list waits for its rows than with them in hand. An idle
  // moment would come too late: a page that starts has none.
  setTimeout(number)
  const minutes = unit('minute')
  const hours = unit('hour')
  const weekday = date({ weekday: 'short' })
  const day = date({ day: 'numeric', month: 'short' })
  const year = date({ day: 'numeric', month: 'short', year: 'numeric' })
  const full = date({ dateStyle: 'long', timeStyle: 'short' })
  const time = date({ timeStyle: 'short' })
  const yesterday = once(() => {
    const lower = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(-1, 'day')
    return lower.charAt(0).toLocaleUpperCase(lang) + lower.slice(1)
  })

  return {
    age(then, now) {
      const age = now - then.getTime()
      if (age < MINUTE) return undefined
      if (age < HOUR) return minutes().format(Math.floor(age / MINUTE))
      const today = startOfDay(now)
      if (then >= today || age < 4 * HOUR) return hours().format(Math.floor(age / HOUR))
      if (then >= startOfDay(now, 1)) return yesterday()
      if (age < 6 * DAY) return weekday().format(then)
      return (then.getFullYear() === today.getFullYear() ? day() : year()).format(then)
    },
    full: when => full().format(when),
    number: n => number().format(n),
    time: when => time().format(when),
    yesterday
  }
}

const made = new Map<string, Formats>()

export function formatsOf(lang: string): Formats {
  let formats = made.get(lang)
  if (!formats) {
    made.set(lang, (formats = create(toLanguageTag(lang))))
  }
  return formats
}
