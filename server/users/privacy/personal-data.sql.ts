// Everything that is held about one user: which tables, their rows, and their end. What tables there are is asked of the
// database, so that none that comes later can be forgotten.
//
// Lock order of an erasure: that of all others (idempotency keys, gates, user, inbox heads, items, queue, log), then by name.

import { uuidv7, type UserKey } from '../../core/id.ts'
import type { Group, Json, Query, Tx } from '../../db/db.ts'
import type { QueueName } from '../../queue/queues.ts'
import { moveFence } from './erasure-epoch.sql.ts'

export interface Holding {
  readonly table: string
  /** Column that holds the user's id. */
  readonly owner: string
}

const FIRST = [
  'idempotency_keys',
  'gates',
  'users',
  'devices',
  'preferences',
  'inbox_heads',
  'inbox_items',
  'outbox',
  'digest_items',
  'sends'
]

/** Tables whose rows belong to users, in the order in which they may be locked. */
export async function readHoldings(query: Query): Promise<Holding[]> {
  const found = await query<Holding[]>`
    select c.relname as table, case when c.relname = 'users' then 'id' else 'user_id' end as owner
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname
    having bool_or(a.attname = 'bucket') and bool_or(a.attname = 'env_id')
      and (bool_or(a.attname = 'user_id') or c.relname = 'users')
    order by c.relname`
  const rank = ({ table }: Holding): number => (FIRST.includes(table) ? FIRST.indexOf(table) : FIRST.length)
  return [...found].sort((a, b) => rank(a) - rank(b))
}

/** Rows of one trip. */
const PAGE = 200

/**
 * Milliseconds for one table, and for the reader of its last page: a page that waits for its reader is part of the
 * statement. Not for ever, because meanwhile no dead row of the whole database can be cleared away.
 */
const READING = 600_000

/**
 * Every row as it was at one moment, a few at a time. `take` is awaited, so a slow reader holds no rows in memory.
 *
 * Asks every day of the log. A bound of time would spare seconds where it goes back for years, but nobody knows a sound one: a user
 * may be sent to before there is a row of them, and a try may outlive its send. To know the days would cost each send a write.
 */
export async function readAll(
  group: Group,
  { bucket, envId, userId }: UserKey,
  take: (table: string, row: Json) => Promise<void>
): Promise<void> {
  await group.copies.begin('isolation level repeatable read read only', async tx => {
    // The last page of a table is no longer part of its statement.
    await tx`
      select set_config(name, ${String(READING)}, true)
      from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`
    for (const { owner, table } of await readHoldings(tx)) {
      const rows = tx<{ row: Json }[]>`
        select to_jsonb(t) as row from ${tx(table)} t
        where t.bucket = ${bucket} and t.env_id = ${envId} and t.${tx(owner)} = ${userId}`
      for await (const page of rows.cursor(PAGE)) for (const { row } of page) await take(table, row)
    }
  })
}

export interface Erasure {
  /** Receipt: says nothing about whom. */
  readonly id: string
  readonly erasedAt: Date
  /** How many rows went, by table. */
  readonly removed: Readonly<Record<string, number>>
}

/** Deliveries in the hands of a provider's caller while their rows went: what they send cannot be called back. */
export interface UnderWay {
  readonly deliveries: number
  /** When the last of them has ended: with its lease. */
  readonly until: Date
}

export interface Erased {
  /** By this look. */
  readonly removed: Erasure['removed']
  /** Absent: there was nothing. */
  readonly proof?: Erasure
  /** Of the inbox that is no more. */
  readonly version?: number
  readonly underWay?: UnderWay
}

/** Milliseconds: somebody may have millions of rows. */
const LONGEST = 120_000

/**
 * Deletes every row of the user that is there, and leaves a proof that has no word about who it was.
 *
 * @param before - proof of an earlier look of the same erasure, to be added to
 */
export async function eraseUser(tx: Tx, user: UserKey, before?: Erasure): Promise<Erased> {
  const { bucket, envId, userId } = user
  await tx`select set_config('statement_timeout', ${String(LONGEST)}, true)`
  const removed: Record<string, number> = {}
  const [head] = await tx<{ version: number }[]>`
    select version from inbox_heads
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  let underWay: UnderWay | undefined
  for (const { owner, table } of await readHoldings(tx)) {
    if (table === 'outbox') underWay = await readUnderWay(tx, user)
    const { count } = await tx`
      delete from ${tx(table)} t
      where t.bucket = ${bucket} and t.env_id = ${envId} and t.${tx(owner)} = ${userId}`
    if (count > 0) removed[table] = count
  }
  if (Object.keys(removed).length === 0) return { removed }
  const sum = { ...before?.removed }
  for (const [table, count] of Object.entries(removed)) sum[table] = (sum[table] ?? 0) + count
  // Its place is the bucket's, not the user's: sixteen bits of a digest of the id would be a word too many.
  const id = before?.id ?? uuidv7(bucket << 6)
  const [proof] = await tx<{ erasedAt: Date }[]>`
    insert into erasures (bucket, id, env_id, removed) values (${bucket}, ${id}, ${envId}, ${tx.json(sum)})
    on conflict (bucket, id) do update set removed = excluded.removed
    returning erased_at as "erasedAt"`
  await moveFence(tx, user)
  return {
    proof: { erasedAt: proof!.erasedAt, id, removed: sum },
    removed,
    ...head,
    ...(underWay && { underWay })
  }
}

/** Their rows reach nobody outside. */
const INSIDE: readonly QueueName[] = ['SCHEDULE', 'DIGEST', 'FETCH', 'EXPIRE']

/** Locks the rows, so that none is claimed between this look and their end. */
async function readUnderWay(tx: Tx, { bucket, envId, userId }: UserKey): Promise<UnderWay | undefined> {
  const [found] = await tx<{ deliveries: number; until: Date | null }[]>`
    with held as materialized (
      select o.run_at, o.leased and o.run_at > now() and o.queue <> all(${INSIDE}::text[]) as busy from outbox o
      where o.bucket = ${bucket} and o.env_id = ${envId} and o.user_id = ${userId} for update)
    select count(*)::integer as deliveries, max(run_at) as until from held where busy`
  const { deliveries, until } = found!
  return until ? { deliveries, until } : undefined
}

export async function readErasure(
  query: Query,
  { bucket, envId, id }: { readonly bucket: number; readonly envId: string; readonly id: string }
): Promise<Erasure | undefined> {
  const [row] = await query<Erasure[]>`
    select id, erased_at as "erasedAt", removed from erasures
    where bucket = ${bucket} and id = ${id} and env_id = ${envId}`
  return row
}
