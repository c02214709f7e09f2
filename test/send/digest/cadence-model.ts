// A model of digest times, computed another way: tries instants with Intl until the local time matches.

import type { Cadence } from '../../../server/types/cadence.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time as if it were UTC, in milliseconds. */
export function wallOf(instant: number, zone: string): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      day: 'numeric',
      hour: 'numeric',
      hourCycle: 'h23',
      minute: 'numeric',
      month: 'numeric',
      second: 'numeric',
      timeZone: zone,
      year: 'numeric'
    })
    formats.set(zone, format)
  }
  const [month, day, year, hour, minute, second] = format.format(instant).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000)
}

const offsetAt = (instant: number, zone: string): number => wallOf(instant, zone) - instant

/** The first instant with this local time; if the clock skips it, later by the length of the jump. */
export function instantOf(wall: number, zone: string): number {
  const offsets = new Set<number>()
  let before = offsetAt(wall - 28 * HOUR, zone)
  for (let at = wall - 28 * HOUR; at <= wall + 28 * HOUR; at += 4 * HOUR) {
    const offset = offsetAt(at, zone)
    offsets.add(offset)
    if (at + offset < wall) before = offset
  }
  const fits = [...offsets].map(offset => wall - offset).filter(at => wallOf(at, zone) === wall)
  return fits.length > 0 ? Math.min(...fits) : wall - before
}

/** Current offsets are multiples of a quarter of an hour, so full hours begin at quarters as well. */
function nextFullHour(now: number, zone: string): number {
  let at = (Math.floor(now / (15 * MINUTE)) + 1) * 15 * MINUTE
  while (wallOf(at, zone) % HOUR !== 0) at += 15 * MINUTE
  return at
}

export function nextByWall(now: number, zone: string, { hour, isLastDay, period, weekday }: Cadence): number {
  if (period === 'hourly') return nextFullHour(now, zone)
  const today = Math.floor(wallOf(now, zone) / DAY) * DAY
  const fits = (day: number): boolean => {
    if (period === 'daily') return true
    if (period === 'weekly') return (new Date(day).getUTCDay() || 7) === weekday
    return new Date(isLastDay ? day + DAY : day).getUTCDate() === 1
  }
  for (let day = today; ; day += DAY) {
    if (!fits(day)) continue
    const at = instantOf(day + hour * HOUR, zone)
    if (at > now) return at
  }
}

/** Instants at which the clock of the zone changes, to the minute. */
export function transitionsOf(zone: string, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = from; at < to; at += 10 * DAY) {
    let [low, high] = [at, at + 10 * DAY]
    if (offsetAt(low, zone) === offsetAt(high, zone)) continue
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
      if (offsetAt(middle, zone) === offsetAt(low, zone)) low = middle
      else high = middle
    }
    found.push(high)
  }
  return found
}
