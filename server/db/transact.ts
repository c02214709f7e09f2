// A transaction that loses against another one has changed nothing, and is done again.

import { isConflict } from '../http/failure.ts'
import type { Group, Tx } from './sql.ts'

const TRIES = 5

/** @throws whatever `work` throws, and the conflict that was one too many */
export async function transact<T>({ sql }: Pick<Group, 'sql'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return (await sql.begin(work)) as T
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error
    }
  }
}
