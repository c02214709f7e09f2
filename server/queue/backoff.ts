// When a failed try is repeated: a list of pauses, some scatter, and what the provider asked for.

/** Milliseconds after the first, second, ... try: 8.8 hours in all. */
export const PAUSES: readonly number[] = [5, 30, 120, 600, 1800, 7200, 21_600].map(seconds => seconds * 1000)

/** Tries of a new or redriven row: the first and one after each pause. */
export const TRIES = PAUSES.length + 1

/** 0.8 to 1.2, so that what failed together does not come back together. */
const scatter = (random: () => number): number => 0.8 + random() * 0.4

/** What the provider asked for, held between the schedule and twice the schedule; undefined where it is no time. */
export const clampAfter = (after: number | undefined, base: number): number | undefined =>
  after === undefined || !Number.isFinite(after) || after < 0
    ? undefined
    : Math.min(Math.max(after, base), 2 * base)

/**
 * @param attemptsLeft - after the failed try; 0: there is no other
 * @param after - milliseconds that the provider asked for, believed within limits
 * @returns milliseconds until the next try, or undefined when all tries are spent
 */
export function backoff(attemptsLeft: number, random: () => number, after?: number): number | undefined {
  if (attemptsLeft <= 0) return undefined
  const base = PAUSES[Math.max(0, PAUSES.length - attemptsLeft)]!
  return Math.round(clampAfter(after, base) ?? base * scatter(random))
}
