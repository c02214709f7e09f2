// The clock of this process: the clock of the machine, kept within five minutes of the database's clock.
//
// Its times are stored, also in ids, which are the partition keys of the log. A node whose clock is days off would use days
// that have no partition, and write rows that other nodes do not find.

import type { Clock } from '../core/clock.ts'
import type { Query } from './db.ts'

const MAX_DIFFERENCE_MS = 5 * 60_000
const COMPARE_INTERVAL_MS = 60_000

export async function readDatabaseTime(query: Query): Promise<number> {
  const [row] = await query<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return row!.ms
}

/** Compares the clocks at once, and later when the clock is read, at most once a minute. */
export async function openDatabaseClock(clock: Clock, query: Query): Promise<Clock> {
  let correctionMs = 0
  let comparedAt = 0

  const compare = async (): Promise<void> => {
    comparedAt = performance.now()
    const before = clock()
    const databaseTime = await readDatabaseTime(query)
    const aheadMs = (before + clock()) / 2 - databaseTime
    correctionMs =
      Math.abs(aheadMs) <= MAX_DIFFERENCE_MS ? 0 : Math.sign(aheadMs) * MAX_DIFFERENCE_MS - aheadMs
  }

  await compare()
  return () => {
    // If the database is down, the clocks are compared a minute later.
    if (performance.now() - comparedAt > COMPARE_INTERVAL_MS) compare().catch(() => {})
    return Math.round(clock() + correctionMs)
  }
}
