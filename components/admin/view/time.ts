// Times as the dashboard writes them: "4 min ago", "Yesterday 16:30", "9 Nov"; the exact one with its zone is in the title.

import { html, type TemplateResult } from 'lit'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockSeconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

type Instant = string | number | Date

const toDate = (at: Instant): Date => (at instanceof Date ? at : new Date(at))
const midnight = (date: Date): number => new Date(date).setHours(0, 0, 0, 0)
const daysBetween = (from: Date, to: Date): number => Math.round((midnight(to) - midnight(from)) / DAY)

/** `09:42` */
export const formatClock = (at: Instant): string => clock.format(toDate(at))
/** `09:42:12` */
export const formatSeconds = (at: Instant): string => clockSeconds.format(toDate(at))
/** With zone, for titles. */
export const formatExact = (at: Instant): string => exact.format(toDate(at))

/** `9 Nov`, or with the year if it is another one. */
export const formatDay = (at: Instant, now = new Date()): string => {
  const date = toDate(at)
  return (date.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear).format(date)
}

/** `4 min ago`, `Yesterday 16:30`, `Friday 11:14`, `9 Nov`. */
export function formatAgo(at: Instant, now = new Date()): string {
  const date = toDate(at)
  const passed = now.getTime() - date.getTime()
  const days = daysBetween(date, now)
  if (passed >= -SECOND && passed < 2 * SECOND) return 'just now'
  if (passed >= 0 && passed < MINUTE) return `${Math.floor(passed / SECOND)} s ago`
  if (passed >= 0 && passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  if (days === 0) return formatClock(date)
  if (days === 1) return `Yesterday ${formatClock(date)}`
  if (days === -1) return `Tomorrow ${formatClock(date)}`
  if (days > 1 && days < 7) return `${weekday.format(date)} ${formatClock(date)}`
  return formatDay(date, now)
}

/** `408 ms`, `3.1 s`, `41 s`, `2 min 36 s`, `5 h`, `3 d`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * SECOND) return `${Math.round(ms / 100) / 10} s`
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`
  if (ms < 10 * MINUTE) {
    const seconds = Math.round((ms % MINUTE) / SECOND)
    return `${Math.floor(ms / MINUTE)} min${seconds > 0 && seconds < 60 ? ` ${seconds} s` : ''}`
  }
  if (ms < 2 * HOUR) return `${Math.round(ms / MINUTE)} min`
  return ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`
}

/** A `<time>` with the exact instant as its title. */
export const renderTime = (at: Instant, text = formatAgo(at)): TemplateResult =>
  html`<time datetime=${toDate(at).toISOString()} title=${formatExact(at)}>${text}</time>`
