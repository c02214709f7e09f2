// Numbers as the dashboard writes them.

import { html, type TemplateResult } from 'lit'

/** `99.1 %`, or a dash without a whole. */
export const formatPercent = (part: number, whole: number): string => {
  if (whole === 0) return '–'
  const percent = (part / whole) * 100
  // 99.96 is not all.
  const shown = percent < 100 ? Math.min(99.9, Math.round(percent * 10) / 10) : 100
  return `${shown} %`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `6.4 GB`, with a small unit. */
export function formatBytes(bytes: number | undefined): TemplateResult | string {
  if (bytes === undefined) return '–'
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return html`${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} <small>${UNITS[power]}</small>`
}

/** `378`, or `1,000+` if counting has stopped. */
export const formatCount = ({ count, isAtLeast }: { count: number; isAtLeast?: boolean }): string =>
  `${count.toLocaleString('en')}${isAtLeast ? '+' : ''}`
