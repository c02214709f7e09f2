// Parses the Retry-After header (RFC 9110, 10.2.3): seconds or a date.

/**
 * @param now - milliseconds since 1970
 * @returns milliseconds to wait, or undefined for any other text. The caller bounds the result.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
