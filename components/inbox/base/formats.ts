// Formats numbers and times in a language. Formatters are expensive, so each is created once.

import { toLanguageTag } from '../../core/locale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Midnight in the time zone of the browser. */
export function startOfDay(now: number, daysBack = 0): Date {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysBack)
  return day
}

/** Creates a formatter when it is first needed: the seven of a language cost more than a list of rows. */
function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

function createFormats(lang: string) {
  const unit = (name: 'minute' | 'hour'): (() => Intl.NumberFormat) =>
    once(() => new Intl.NumberFormat(lang, { style: 'unit', unit: name, unitDisplay: 'short' }))
  const date = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    once(() => new Intl.DateTimeFormat(lang, options))
  const number = once(() => new Intl.NumberFormat(lang))
  // The first formatter makes the browser load its tables, so it is created while the list waits for its rows. An idle
  // callback would come too late: a page that starts has no idle time.
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
    /** Short age: "4 min", "3 hr", "Yesterday", "Tue", "18 Nov". Undefined within the first minute. */
    age(then: Date, now: number): string | undefined {
      const age = now - then.getTime()
      if (age < MINUTE) return undefined
      if (age < HOUR) return minutes().format(Math.floor(age / MINUTE))
      const today = startOfDay(now)
      if (then >= today || age < 4 * HOUR) return hours().format(Math.floor(age / HOUR))
      if (then >= startOfDay(now, 1)) return yesterday()
      if (age < 6 * DAY) return weekday().format(then)
      return (then.getFullYear() === today.getFullYear() ? day() : year()).format(then)
    },
    full: (date: Date) => full().format(date),
    number: (n: number) => number().format(n),
    time: (date: Date) => time().format(date),
    yesterday
  }
}

export type Formats = ReturnType<typeof createFormats>

const cache = new Map<string, Formats>()

export function getFormats(lang: string): Formats {
  let formats = cache.get(lang)
  if (!formats) cache.set(lang, (formats = createFormats(toLanguageTag(lang))))
  return formats
}
