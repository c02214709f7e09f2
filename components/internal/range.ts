// Numbers of pages that are out of their range.

import { warn } from './check.ts'

/** A number in a range, otherwise the default and one warning. */
export function within(
  host: Element,
  name: string,
  value: unknown,
  [least, most]: readonly [number, number],
  fallback: number
): number {
  if (typeof value === 'number' && value >= least && value <= most) return value
  if (value === undefined || value === null) return fallback
  warn(`<${host.localName}> ${name}: expected ${least} to ${most}, got ${String(value)}; using ${fallback}.`)
  return fallback
}
