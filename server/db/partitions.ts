// Creates the daily partitions of the logs ahead of time, and drops old ones.
//
// A day is a UTC day by the clock of the database. ATTACH and DETACH CONCURRENTLY are used because PARTITION OF and a plain
// DROP would lock out readers and writers.

import { lowestIdAt } from '../core/id.ts'
import { hasCitus } from './citus/distribute.ts'
import type { Query, Sql } from './db.ts'

export const PARTITIONED_TABLES = ['sends', 'attempts'] as const

const DAY_MS = 86_400_000
const DAYS_AHEAD = 14

/** Returns a name such as `sends_20261121`, from which {@link parseDay} reads the day. */
const partitionName = (table: string, day: number): string =>
  `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`

function parseDay(name: string): number {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name)!
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS
}

async function readToday(sql: Query): Promise<number> {
  const [row] = await sql<{ day: number }[]>`
    select floor(extract(epoch from clock_timestamp()) / 86400)::integer as day`
  return row!.day
}

interface Partition {
  readonly name: string
  readonly day: number
  readonly isAttached: boolean
  /** A DETACH CONCURRENTLY was interrupted. */
  readonly isDetachPending: boolean
}

async function readPartitions(sql: Query, table: string): Promise<Partition[]> {
  const rows = await sql<Omit<Partition, 'day'>[]>`
    select c.relname as name, i.inhrelid is not null as "isAttached",
      coalesce(i.inhdetachpending, false) as "isDetachPending"
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname ~ ${`^${table}_[0-9]{8}$`}
    order by c.relname`
  return rows.map(row => Object.assign(row, { day: parseDay(row.name) }))
}

/**
 * Creates missing partitions from yesterday, for nodes whose clock is behind, to two weeks ahead. Only one node at a time
 * may do this: callers hold the lock of a migration or the tick of housekeeping.
 */
export async function ensurePartitions(sql: Query): Promise<void> {
  const now = await readToday(sql)
  for (const table of PARTITIONED_TABLES) {
    const existing = new Set(
      (await readPartitions(sql, table)).filter(partition => partition.isAttached).map(({ name }) => name)
    )
    for (let day = now - 1; day <= now + DAYS_AHEAD; day++) {
      const name = partitionName(table, day)
      if (existing.has(name)) continue
      await sql.unsafe(`create table if not exists ${name} (like ${table} including defaults)`)
      await sql.unsafe(`
        alter table ${table} attach partition ${name} for values from ('${lowestIdAt(day * DAY_MS)}') to ('${lowestIdAt((day + 1) * DAY_MS)}')`)
    }
  }
}

/** Returns for how many days after today every log has a partition. Fewer than 7 mean that housekeeping fails. */
export async function countDaysAhead(sql: Query): Promise<number> {
  const now = await readToday(sql)
  let minDays = DAYS_AHEAD
  for (const table of PARTITIONED_TABLES) {
    const days = new Set(
      (await readPartitions(sql, table)).filter(partition => partition.isAttached).map(({ day }) => day)
    )
    let ahead = 0
    while (ahead < DAYS_AHEAD && days.has(now + ahead + 1)) ahead += 1
    minDays = Math.min(minDays, days.has(now) ? ahead : -1)
  }
  return minDays
}

/**
 * Drops the partitions whose rows are all older than `days`.
 *
 * @param sql - a pool: DETACH CONCURRENTLY cannot run in a transaction
 * @returns the names of the dropped partitions
 */
export async function dropOldPartitions(sql: Sql, days: number): Promise<string[]> {
  const last = (await readToday(sql)) - days
  const dropped: string[] = []
  for (const table of PARTITIONED_TABLES) {
    for (const { name, day, isAttached, isDetachPending } of await readPartitions(sql, table)) {
      if (day >= last) continue
      if (isDetachPending) await sql.unsafe(`alter table ${table} detach partition ${name} finalize`)
      else if (isAttached) await detach(sql, table, name)
      await sql.unsafe(`drop table if exists ${name}`)
      dropped.push(name)
    }
  }
  return dropped
}

async function detach(sql: Sql, table: string, name: string): Promise<void> {
  if (!(await hasCitus(sql))) {
    await sql.unsafe(`alter table ${table} detach partition ${name} concurrently`)
    return
  }
  // Citus supports only the plain form. It waits at most 2 s for each lock, also for those on the workers; the next tick repeats it.
  await sql.begin(async tx => {
    await tx`set local citus.propagate_set_commands = 'local'`
    await tx`set local lock_timeout = '2s'`
    await tx.unsafe(`alter table ${table} detach partition ${name}`)
  })
}
