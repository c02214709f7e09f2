// A transaction that loses against another one has changed nothing, and is done again.

import type { Group, Tx } from './db.ts'
import { isConflict } from './failure.ts'

const TRIES = 5

/**
 * @param work - one transaction, or one statement that is its own
 * @throws whatever `work` throws, and the conflict that was one too many
 */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error
    }
  }
}

/** @throws as {@link retried} */
export const transact = <T>({ sql }: Pick<Group, 'sql'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retried(() => sql.begin(work) as Promise<T>)
