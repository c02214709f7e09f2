// The waits between attempts: the only ones of the kit.

/** First and longest wait, in milliseconds. */
const [FIRST_DELAY_MS, MAX_DELAY_MS] = [1000, 30_000]

interface Backoff {
  /** Returns the next wait in milliseconds: twice the one before, up to the longest, with jitter. */
  nextDelay(): number
  /** The next wait is the first one again. */
  reset(): void
}

/** The jitter keeps pages from asking at the same moment after a restart of the server. */
export function createBackoff(): Backoff {
  let failureCount = 0
  return {
    nextDelay: () => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failureCount++) * (0.5 + Math.random() / 2),
    reset() {
      failureCount = 0
    }
  }
}
