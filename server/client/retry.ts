// When a request is made again, and how long to wait before: pure.

/** Too many requests, or a server (or the proxy before it) that cannot answer now. */
export const isTemporary = (status: number): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

const FIRST = 250
const LONGEST = 8_000

/**
 * @param header - Retry-After: seconds, or a date (RFC 9110, section 10.2.3)
 * @param now - milliseconds since 1970
 * @returns milliseconds; undefined where there is none or it makes no sense
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/**
 * Grows by two from try to try, with a share of chance, so that many clients do not come back together.
 *
 * @param tries - how often it was tried
 * @param chance - 0 to 1
 * @returns milliseconds
 */
export const backoff = (tries: number, chance: number): number =>
  Math.min(LONGEST, FIRST * 2 ** (tries - 1)) * (0.5 + chance / 2)
