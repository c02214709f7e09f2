// What a queue writes while the database is away: again and again, until it is back.

import { setTimeout as sleep } from 'node:timers/promises'

import { isTooSlow } from '../db/failure.ts'
import { problemOf } from '../http/problem-from-error.ts'

/**
 * Milliseconds between two tries. No setting: a database that comes back meets two questions a second of each queue, and the rows
 * wait no longer for it than those of a queue that sleeps.
 */
const PAUSE = 500

/** Whether the same statement may work a little later; not after our own end of the pool. */
const isPassing = (error: unknown): boolean =>
  ['unavailable', 'storage-full'].includes(problemOf(error).slug) &&
  (error as { code?: unknown }).code !== 'CONNECTION_ENDED'

/** The same for a step: one that is too slow would be so for ever, and hold up its neighbours as long. */
export const comesAgain = (error: unknown): boolean => isPassing(error) && !isTooSlow(error)

export interface Patience {
  readonly waits: (error: unknown) => void
  /** Asked before each further try. Default: it does. */
  readonly goesOn?: () => boolean
}

/** The fence makes what comes late harmless. @throws what is not over by itself */
export async function patiently<T>(
  work: () => Promise<T>,
  { waits, goesOn = () => true }: Patience
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || !goesOn()) throw error
      waits(error)
      await sleep(PAUSE)
    }
  }
}
