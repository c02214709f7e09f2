// What reading an inbox costs when there is ten or a hundred times as much around it: pages at the top and 1,000 pages
// down, and the head with its counters. Every read goes down an index, so more rows add at most one level to it.

import postgres from 'postgres'

import { bucketOf, type UserKey } from '../../server/core/id.ts'
import { openDb, type Db, type Sql } from '../../server/db/db.ts'
import { readPage, readVersions } from '../../server/inbox/read-inbox.sql.ts'
import { testDb } from '../support/db.ts'
import { median, percentile, type Measurement, type Say } from './measure.ts'

const ENV = 'bench'
const USER = 'deep'
const PAGE = 20
const DEEP = 1_000
const READS = 400
/** Items of all inboxes together, to begin with. */
const SMALL = 100_000
/** A version of 2026, so that dates are sound. */
const BORN = 1_795_000_000_000

/** Two pages more than the deepest that is read. */
const OWN = PAGE * (DEEP + 2)
/** Items of each of the others. */
const THEIRS = 100
/** Users that one statement fills. */
const AT_ONCE = 1_000
const CONTENT = JSON.stringify({
  body: 'Could the ferry line move a little north?',
  title: 'Jonas Lindqvist commented on Harbour map'
})
const reader: UserKey = { bucket: bucketOf(ENV, USER), envId: ENV, userId: USER }

/** Users of a number each, with their items and their head. */
async function fill(sql: Sql, first: number, users: number): Promise<void> {
  await sql`
    insert into inbox_counters (bucket, env_id, user_id, version, unopened, unarchived)
    select n & 1023, ${ENV}, 'user' || n, ${BORN + THEIRS}::bigint, ${THEIRS}, ${THEIRS}
    from generate_series(${first}::int, ${first + users - 1}::int) n`
  await sql`
    insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content)
    select n & 1023, ${ENV}, 'user' || n, ${BORN}::bigint + item, gen_random_uuid(), 'comment', ${CONTENT}::text::jsonb
    from generate_series(${first}::int, ${first + users - 1}::int) n cross join generate_series(1, ${THEIRS}::int) item`
}

async function fillOwn(sql: Sql): Promise<void> {
  const { bucket } = reader
  await sql`
    insert into inbox_counters (bucket, env_id, user_id, version, unopened, unarchived)
    values (${bucket}, ${ENV}, ${USER}, ${BORN + OWN}, ${OWN / 2}, ${OWN})`
  await sql`
    insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, opened_at)
    select ${bucket}, ${ENV}, ${USER}, ${BORN}::bigint + item, gen_random_uuid(), 'comment', ${CONTENT}::text::jsonb,
      case when item % 2 = 0 then now() end
    from generate_series(1, ${OWN}::int) item`
}

/** More of the others, up to so many rows in all. Indexes are made afterwards, which is many times quicker. */
async function grow(sql: Sql, from: number, to: number): Promise<void> {
  const indexes = await sql<{ name: string; text: string }[]>`
    select indexname as name, indexdef as text from pg_indexes
    where schemaname = current_schema() and tablename = 'inbox_items' and indexname <> 'inbox_items_pkey'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  for (let rows = from; rows < to; rows += AT_ONCE * THEIRS) {
    await fill(sql, Math.floor(rows / THEIRS), Math.min(AT_ONCE, Math.floor((to - rows) / THEIRS)))
  }
  for (const { text } of indexes) await sql.unsafe(text)
  // VACUUM takes no parameters and no transaction.
  await sql.unsafe('vacuum analyze inbox_items, inbox_counters')
}

const READING = {
  counters: (db: Db) => readVersions(db.control, null, [reader]),
  'first page': (db: Db) => readPage(db.control, reader, PAGE),
  [`page ${DEEP}`]: (db: Db) => readPage(db.control, reader, PAGE, { before: BORN + OWN - PAGE * DEEP + 1 })
}

interface Cost {
  /** Of tables and indexes, for one read. */
  readonly buffers: number
  readonly p50: number
}

/** Pages of memory that everybody has looked at. */
async function buffersOf(db: Db): Promise<number> {
  await db.control`select pg_stat_force_next_flush()`
  const [row] = await db.control<{ buffers: number }[]>`
    select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 as buffers
    from pg_statio_user_tables where relname in ('inbox_items', 'inbox_counters')`
  return row!.buffers
}

async function cost(db: Db, read: (db: Db) => Promise<unknown>): Promise<Cost> {
  for (let i = 0; i < 50; i += 1) await read(db)
  const before = await buffersOf(db)
  const times: number[] = []
  for (let i = 0; i < READS; i += 1) {
    const began = performance.now()
    await read(db)
    times.push(performance.now() - began)
  }
  return { buffers: ((await buffersOf(db)) - before) / READS, p50: percentile(times, 0.5) }
}

export async function growth({ rounds, rows: most, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const sql = postgres(database.url, {
    connection: { maintenance_work_mem: '512MB', synchronous_commit: 'off' },
    max: 1,
    onnotice: () => {}
  })
  // One connection, whose counts are whole after each of its transactions.
  const db = openDb({ connections: 1, listenUrl: '', url: database.url })
  const seen = Object.fromEntries(Object.keys(READING).map(name => [name, [] as Cost[][]]))
  try {
    // Reading is measured, and the log of 10 million rows would take as much room again.
    await sql`alter table inbox_items set unlogged`
    await fillOwn(sql)
    const page = await READING[`page ${DEEP}`]!(db)
    if (!('items' in page) || page.items.length !== PAGE) throw new Error('The deep page is not full.')
    let rows: number = OWN
    for (const size of [SMALL, most]) {
      await grow(sql, rows, size)
      rows = size
      say(`${size} rows`)
      for (const [name, read] of Object.entries(READING)) {
        const costs: Cost[] = []
        for (let round = 0; round < rounds; round += 1) costs.push(await cost(db, read))
        seen[name]!.push(costs)
      }
    }
  } finally {
    await Promise.all([db.close(), sql.end()])
  }
  return Object.entries(seen).map(([name, [small, large]]) => {
    const p50 = (costs: readonly Cost[]): number => median(costs.map(one => one.p50))
    const buffers = (costs: readonly Cost[]): number => median(costs.map(one => one.buffers))
    return {
      better: 'below',
      ceiling: { name: 'at 100,000', value: p50(small!) },
      facts: { buffersAt100k: buffers(small!), buffers: buffers(large!) },
      floor: 1.5,
      goal: 1.2,
      name: `inbox at ${most.toLocaleString('en')} rows, ${name}`,
      ours: p50(large!),
      ratio: p50(large!) / p50(small!),
      unit: 'ms'
    }
  })
}
