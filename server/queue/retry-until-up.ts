// Repeats a write of a worker while the database is unavailable or full.

import { setTimeout as sleep } from 'node:timers/promises'

import { isPassing, isTooSlow } from '../db/failure.ts'

/** A database that recovers meets two queries per second of each worker, and the rows wait hardly longer for it. */
const RETRY_INTERVAL_MS = 500

/**
 * Whether rows return to the queue after this error of a database job. Rows of a batch that was too slow do not: they run
 * one by one, because a batch with a row that is always too slow would never succeed.
 */
export const isWorthReturning = (error: unknown): boolean => isPassing(error) && !isTooSlow(error)

export interface RetryOptions {
  readonly onWait: (error: unknown) => void
  /** Called before each further attempt. Default: true. */
  readonly goesOn?: () => boolean
}

/**
 * Repeats `work` every 500 ms while the database is unavailable or full; fencing rejects results that arrive too late.
 *
 * @throws any other error, or the last one when `goesOn` returns false
 */
export async function retryUntilUp<T>(
  work: () => Promise<T>,
  { onWait, goesOn = () => true }: RetryOptions
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || !goesOn()) throw error
      onWait(error)
      await sleep(RETRY_INTERVAL_MS)
    }
  }
}
