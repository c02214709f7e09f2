// Runs a transaction, and repeats it if it lost against another one and changed nothing.

import type { DatabaseGroup, Tx } from './db.ts'
import { isConflict } from './failure.ts'

const MAX_ATTEMPTS = 5

/**
 * Repeats work that lost against another transaction.
 *
 * @param work - one transaction, or one statement that is its own
 * @throws any other error of `work`, and the conflict of the last attempt
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error
    }
  }
}

/** @throws as {@link retryOnConflict} */
export const transact = <T>({ sql }: Pick<DatabaseGroup, 'sql'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retryOnConflict(() => sql.begin(work) as Promise<T>)
