// The one retry policy of the kit: which failures are temporary, and how long to wait before the next attempt.

import type { BaseEnvironment } from './environment.ts'
import { TransportError } from './transport.ts'

/** First and longest wait, in milliseconds. */
const [FIRST_DELAY_MS, MAX_DELAY_MS] = [1000, 30_000]

/**
 * Whether the same request can succeed later: the server was not reached (0), was too busy or too slow (408, 429), or a
 * proxy did not reach it (502, 503, 504).
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof TransportError && [0, 408, 429, 502, 503, 504].includes(error.status)

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

interface Retry {
  /** Calls `attempt` once after the next wait. Replaces an attempt that is still waiting. */
  schedule(attempt: () => void): void
  cancel(): void
  /** The next failure is the first one again. */
  reset(): void
}

export function createRetry({ after }: Pick<BaseEnvironment, 'after'>): Retry {
  const backoff = createBackoff()
  let cancel = (): void => {}
  return {
    cancel: () => cancel(),
    reset: backoff.reset,
    schedule(attempt) {
      cancel()
      cancel = after(backoff.nextDelay(), attempt)
    }
  }
}
