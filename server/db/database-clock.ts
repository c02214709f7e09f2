// The one clock of a process: this machine's, kept within five minutes of the database's.
//
// What it says is stored: in ids, which are the partition keys of the log. A node whose clock is days off would name days that
// have no partition, and write what others do not find for days.

import type { Clock } from '../core/clock.ts'
import type { Query } from './db.ts'

/** Milliseconds. */
const LEEWAY = 5 * 60_000
const EVERY = 60_000

/** The database's clock in milliseconds since 1970. */
export async function databaseTime(query: Query): Promise<number> {
  const [row] = await query<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return row!.ms
}

/**
 * Asks the database at once, and later beside whoever reads it, once a minute at most.
 *
 * @param query - where to ask
 */
export async function openDatabaseClock(clock: Clock, query: Query): Promise<Clock> {
  let correction = 0
  let askedAt = 0

  const ask = async (): Promise<void> => {
    askedAt = performance.now()
    const before = clock()
    const database = await databaseTime(query)
    const ahead = (before + clock()) / 2 - database
    correction = Math.abs(ahead) <= LEEWAY ? 0 : Math.sign(ahead) * LEEWAY - ahead
  }

  await ask()
  return () => {
    // A database that is away is asked a minute later.
    if (performance.now() - askedAt > EVERY) ask().catch(() => {})
    return Math.round(clock() + correction)
  }
}
