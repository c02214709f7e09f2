// Time for ids and schedules: this machine's clock, kept within five minutes of the database's.
//
// Ids are the partition keys of the log. A node whose clock is days off would name days that have no partition.

import type { Clock } from '../clock.ts'
import type { Query } from './sql.ts'

/** Milliseconds. */
const LEEWAY = 5 * 60_000
const EVERY = 60_000

export interface DatabaseClock {
  /** Milliseconds since 1970. Asks the database first where it was never asked. */
  now(): Promise<number>
}

/** The database's clock in milliseconds since 1970. */
export async function databaseTime(query: Query): Promise<number> {
  const [row] = await query<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return row!.ms
}

/** @param query - where to ask */
export function openDatabaseClock(clock: Clock, query: Query): DatabaseClock {
  let correction: number | undefined
  let askedAt = -Infinity

  const ask = async (): Promise<void> => {
    askedAt = performance.now()
    try {
      const before = clock()
      const database = await databaseTime(query)
      const ahead = (before + clock()) / 2 - database
      correction = Math.abs(ahead) <= LEEWAY ? 0 : Math.sign(ahead) * LEEWAY - ahead
    } catch (error) {
      askedAt = -Infinity
      if (correction === undefined) throw error
    }
  }

  return {
    async now() {
      if (correction === undefined) await ask()
      else if (performance.now() - askedAt > EVERY) void ask()
      return Math.round(clock() + (correction ?? 0))
    }
  }
}
