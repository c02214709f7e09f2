// When a call is repeated, and how long the client waits before. Pure.

/** Too many requests, or a server or proxy that cannot answer at the moment. */
export const isTemporary = (status: number): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 8_000

/**
 * @param header - Retry-After: seconds, or a date (RFC 9110, section 10.2.3)
 * @param now - milliseconds since 1970
 * @returns milliseconds, or undefined if the header is missing or cannot be read
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/**
 * Doubles from attempt to attempt. The random share keeps many clients from returning at the same moment.
 *
 * @param attempts - attempts so far
 * @param random - 0 to 1
 * @returns milliseconds
 */
export const backoffMs = (attempts: number, random: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.5 + random / 2)
