// How long a failed delivery waits for its next attempt: a growing delay with jitter, or what the provider asked for.

/** Delays after the first, second, … failed attempt: 8.8 hours in all. */
export const BACKOFF_DELAYS_MS: readonly number[] = [5, 30, 120, 600, 1800, 7200, 21_600].map(
  seconds => seconds * 1000
)

/** Attempts of a new or redriven row: the first, and one after each delay. */
export const MAX_ATTEMPTS = BACKOFF_DELAYS_MS.length + 1

/** A factor from 0.8 to 1.2, so that messages that failed together are not attempted together again. */
const jitter = (random: () => number): number => 0.8 + random() * 0.4

/**
 * Returns what the provider asked for, limited to the range from the own delay to twice that.
 *
 * @returns undefined if the provider asked for nothing, or for no valid time
 */
export const clampRetryAfter = (retryAfterMs: number | undefined, delayMs: number): number | undefined =>
  retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs < 0
    ? undefined
    : Math.min(Math.max(retryAfterMs, delayMs), 2 * delayMs)

/**
 * @param attemptsLeft - after the failed attempt
 * @param retryAfterMs - what the provider asked for
 * @returns milliseconds until the next attempt, or undefined if no attempt is left
 */
export function computeBackoffMs(
  attemptsLeft: number,
  random: () => number,
  retryAfterMs?: number
): number | undefined {
  if (attemptsLeft <= 0) return undefined
  const delayMs = BACKOFF_DELAYS_MS[Math.max(0, BACKOFF_DELAYS_MS.length - attemptsLeft)]!
  return Math.round(clampRetryAfter(retryAfterMs, delayMs) ?? delayMs * jitter(random))
}
