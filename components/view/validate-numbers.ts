// Numbers and functions as pages give them: what is none, or out of its range, is named, and the default used.

import { warnInvalid } from '../core/validate.ts'

/** A number in a range, also as a text, otherwise the default. */
export function within<T>(
  host: Element,
  name: string,
  value: unknown,
  [least, most]: readonly [number, number],
  fallback: T
): number | T {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && number >= least && number <= most) return number
  if (value !== undefined && value !== null) warnInvalid(host, name, value, `${least} to ${most}`)
  return fallback
}

/** A function, otherwise nothing. */
export function callable<T>(host: Element, name: string, value: T | undefined): T | undefined {
  if (typeof value === 'function') return value
  if (value !== undefined && value !== null) warnInvalid(host, name, value, 'a function')
  return undefined
}
