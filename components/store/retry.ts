// Which failures are temporary, and the next attempt after one.

import { createBackoff } from './backoff.ts'
import type { BaseEnvironment } from './environment.ts'
import { TransportError } from './transport.ts'

/**
 * Whether the same request can succeed later: the server was not reached (0), was too busy or too slow (408, 429), or a
 * proxy did not reach it (502, 503, 504).
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof TransportError && [0, 408, 429, 502, 503, 504].includes(error.status)

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
