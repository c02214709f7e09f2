// Numbers and functions of pages that are none, or out of their range.

import { mistaken } from './check.ts'

/** A number in a range, otherwise the default. */
export function within<T>(
  host: Element,
  name: string,
  value: unknown,
  [least, most]: readonly [number, number],
  fallback: T
): number | T {
  if (typeof value === 'number' && value >= least && value <= most) return value
  if (value !== undefined && value !== null) mistaken(host, name, value, `${least} to ${most}`)
  return fallback
}

/** A function, otherwise nothing. */
export function callable<T>(host: Element, name: string, value: T | undefined): T | undefined {
  if (typeof value === 'function') return value
  if (value !== undefined && value !== null) mistaken(host, name, value, 'a function')
  return undefined
}
