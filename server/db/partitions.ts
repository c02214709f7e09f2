// The daily partitions of the logs: made ahead of time, dropped whole when they are old.
//
// A day is a UTC day of the database's clock. ATTACH instead of PARTITION OF, and DETACH CONCURRENTLY instead of a
// plain DROP, because both leave the log open to readers and writers meanwhile.

import { lowestIdAt } from '../core/id.ts'
import type { Query, Sql } from './db.ts'

export const LOGS = ['sends', 'attempts'] as const

const DAY = 86_400_000
const AHEAD = 14

/** `sends_20261121`: also how the day of a partition is read back. */
const nameOf = (table: string, day: number): string =>
  `${table}_${new Date(day * DAY).toISOString().slice(0, 10).replaceAll('-', '')}`

function dayOf(name: string): number {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name)!
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY
}

async function today(sql: Query): Promise<number> {
  const [row] = await sql<{ day: number }[]>`
    select floor(extract(epoch from clock_timestamp()) / 86400)::integer as day`
  return row!.day
}

interface Partition {
  readonly name: string
  readonly day: number
  readonly attached: boolean
  /** A DETACH CONCURRENTLY that was cut short. */
  readonly pending: boolean
}

async function partitionsOf(sql: Query, table: string): Promise<Partition[]> {
  const rows = await sql<{ name: string; attached: boolean; pending: boolean }[]>`
    select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname ~ ${`^${table}_[0-9]{8}$`}
    order by c.relname`
  return rows.map(({ name, attached, pending }) => ({ attached, day: dayOf(name), name, pending }))
}

/**
 * Makes the partitions of yesterday (a node whose clock is behind) to two weeks ahead, where they are missing.
 * Callers keep it to one node at a time: a migration by its lock, house-keeping by its tick.
 */
export async function ensurePartitions(sql: Query): Promise<void> {
  const now = await today(sql)
  for (const table of LOGS) {
    const known = new Set((await partitionsOf(sql, table)).filter(p => p.attached).map(p => p.name))
    for (let day = now - 1; day <= now + AHEAD; day++) {
      const name = nameOf(table, day)
      if (known.has(name)) continue
      await sql.unsafe(`
        create table if not exists ${name} (like ${table} including defaults);
        alter table ${table} attach partition ${name} for values from ('${lowestIdAt(day * DAY)}') to ('${lowestIdAt((day + 1) * DAY)}');`)
    }
  }
}

/** Whole days after today for which every log has its partition; below 7 something is wrong with house-keeping. */
export async function partitionsAhead(sql: Query): Promise<number> {
  const now = await today(sql)
  let least = AHEAD
  for (const table of LOGS) {
    const days = new Set((await partitionsOf(sql, table)).filter(p => p.attached).map(p => p.day))
    let ahead = 0
    while (ahead < AHEAD && days.has(now + ahead + 1)) ahead += 1
    least = Math.min(least, days.has(now) ? ahead : -1)
  }
  return least
}

/**
 * Drops every partition all of whose rows are older than `days`.
 *
 * @param sql - a pool, not a transaction: DETACH CONCURRENTLY refuses to run in one
 * @returns names of what was dropped
 */
export async function dropOldPartitions(sql: Sql, days: number): Promise<string[]> {
  const last = (await today(sql)) - days
  const dropped: string[] = []
  for (const table of LOGS) {
    for (const { name, day, attached, pending } of await partitionsOf(sql, table)) {
      if (day >= last) continue
      if (pending) await sql.unsafe(`alter table ${table} detach partition ${name} finalize`)
      else if (attached) await detach(sql, table, name)
      await sql.unsafe(`drop table if exists ${name}`)
      dropped.push(name)
    }
  }
  return dropped
}

async function detach(sql: Sql, table: string, name: string): Promise<void> {
  try {
    await sql.unsafe(`alter table ${table} detach partition ${name} concurrently`)
  } catch (error) {
    // Citus knows only the plain form: wait for it 2 s at most, the next tick tries again.
    if ((error as { code?: string }).code !== '0A000') throw error
    await sql.begin(async tx => {
      await tx`set local lock_timeout = '2s'`
      await tx.unsafe(`alter table ${table} detach partition ${name}`)
    })
  }
}
