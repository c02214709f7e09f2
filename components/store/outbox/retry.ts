// When to ask again what has failed: soon at first, then after longer and longer, and not all pages at one moment.

import type { Surroundings } from '../environment.ts'

interface Retry {
  /** Another failure: calls back once, later than after the one before, which calls back no more. */
  later(again: () => void): void
  cancel(): void
  /** The next failure is a first one. */
  succeeded(): void
}

/** Of requests that ask for something. */
const WAITS = [1000, 30_000] as const

/**
 * @param first - milliseconds that the first wait takes at most
 * @param longest - milliseconds that any takes at most
 */
export function createRetry(
  { after }: Pick<Surroundings, 'after'>,
  [first, longest]: readonly [number, number] = WAITS
): Retry {
  let failures = 0
  let cancel = (): void => {}
  return {
    cancel: () => cancel(),
    later(again) {
      cancel()
      const wait = Math.min(longest, first * 2 ** failures++)
      cancel = after(wait * (0.5 + Math.random() / 2), again)
    },
    succeeded() {
      failures = 0
    }
  }
}
