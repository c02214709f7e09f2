// SQL of housekeeping: deletes old rows in batches, so that no statement locks many rows for long.
//
// Lock order: inbox counters by (bucket, environment, user), then their items.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Db, Query } from '../db/db.ts'
import { bucketsIn, inGroup, unnest, USER_KEY_COLUMNS } from '../db/sql-helpers.ts'
import { lockInboxes } from '../inbox/change-items.sql.ts'

const BATCH_SIZE = 1000

/**
 * Deletes tombstones older than `days`, of one batch of inboxes. The floor of these inboxes rises in the same transaction, so a client
 * that missed a tombstone gets a reset.
 *
 * @returns how many were deleted; call again until it is 0
 */
export async function deleteOldTombstones(group: DatabaseGroup, days: number): Promise<number> {
  const users = await group.work<UserKey[]>`
    select distinct bucket, env_id as "envId", user_id as "userId" from (
      select bucket, env_id, user_id from inbox_items
      where ${inGroup(group)} and removed
        and changed < (extract(epoch from now() - ${days} * interval '1 day') * 1000)::bigint
      order by changed limit ${BATCH_SIZE}) old`
  if (users.length === 0) return 0
  return group.work.begin(async tx => {
    await lockInboxes(tx, group.buckets, users)
    const [row] = await tx<{ count: number }[]>`
      with gone as (
        delete from inbox_items i
        using ${unnest(tx, 'u', users, USER_KEY_COLUMNS)}
        where ${inGroup(group, 'i')} and i.removed
          and i.bucket = u.bucket and i.env_id = u.env_id and i.user_id = u.user_id
          and i.changed < (extract(epoch from now() - ${days} * interval '1 day') * 1000)::bigint
        returning i.bucket, i.env_id, i.user_id, i.changed),
      tops as (
        select bucket, env_id, user_id, max(changed) as top, count(*)::integer as size from gone
        group by bucket, env_id, user_id),
      raised as (
        update inbox_counters h set floor = t.top from tops t
        where ${inGroup(group, 'h')}
          and h.bucket = t.bucket and h.env_id = t.env_id and h.user_id = t.user_id)
      select coalesce(sum(size), 0)::integer as count from tops`
    return row!.count
  })
}

/** Tables whose ids contain the age of a row; dead letters also have `died_at`. */
type Dated = 'call_texts' | 'dead_letters' | 'receipts' | 'sandbox_messages'

/**
 * Selects one batch of rows older than `days`, bucket by bucket. Without a bucket, Postgres before 18 reads an index that begins with the
 * bucket from its first row to its last.
 */
export const olderThan = (group: DatabaseGroup, table: Dated, days: number) => group.work`
  select b.bucket, o.id
  from unnest(${bucketsIn(group) as number[]}::smallint[]) as b(bucket)
  cross join lateral (
    select t.id from ${group.work(table)} t
    where ${inGroup(group, 't')} and t.bucket = b.bucket
      and t.id < uuid_at(now() - ${days} * interval '1 day')
      ${table === 'dead_letters' ? group.work`and t.died_at < now() - ${days} * interval '1 day'` : group.work``}
    order by t.id limit ${BATCH_SIZE}) o
  limit ${BATCH_SIZE}`

/** @returns how many were deleted; call again until it is 0 */
export async function deleteOld(group: DatabaseGroup, table: Dated, days: number): Promise<number> {
  const gone = await group.work`
    with old as materialized (${olderThan(group, table, days)})
    delete from ${group.work(table)} t using old
    where ${inGroup(group, 't')} and t.bucket = old.bucket and t.id = old.id`
  return gone.count
}

/**
 * Deletes digest items whose digest is neither in the outbox nor a dead letter, so they would never be sent. A digest moves between
 * the two tables in one statement, and is inserted with its items, so none is deleted by mistake.
 *
 * @returns how many were deleted; call again until it is 0
 */
export async function deleteOrphanedDigestItems({
  buckets,
  work
}: Pick<DatabaseGroup, 'buckets'> & { readonly work: Query }): Promise<number> {
  const group = { buckets, sql: work }
  const gone = await work`
    with lone as materialized (
      select d.bucket, d.key, d.id from digest_items d
      where ${inGroup(group, 'd')}
        and not exists (
          select from outbox o
          where ${inGroup(group, 'o')} and o.bucket = d.bucket and o.key = d.key)
        and not exists (
          select from dead_letters l
          where ${inGroup(group, 'l')} and l.bucket = d.bucket and l.key = d.key)
        and not exists (
          select from dropped_letters l
          where ${inGroup(group, 'l')} and l.bucket = d.bucket and l.key = d.key)
      limit ${BATCH_SIZE})
    delete from digest_items d using lone
    where ${inGroup(group, 'd')} and d.bucket = lone.bucket and d.key = lone.key and d.id = lone.id`
  return gone.count
}

/**
 * Chooses the node that does a piece of housekeeping: the one that moves its due time forward. A conditional UPDATE, because an
 * advisory lock is known to one server of a database cluster only.
 *
 * @returns true for one node, once in `intervalSeconds`
 */
export async function claimTick(db: Db, name: string, intervalSeconds: number): Promise<boolean> {
  await db.control`insert into ticks (name) values (${name}) on conflict (name) do nothing`
  const claimed = await db.control`
    update ticks set due_at = now() + ${intervalSeconds} * interval '1 second' where name = ${name} and due_at <= now()`
  return claimed.count === 1
}

/** Makes a tick due again whose work failed, so that another node does it before the next interval. */
export async function returnTick(db: Db, name: string, delaySeconds: number): Promise<void> {
  await db.control`update ticks set due_at = now() + ${delaySeconds} * interval '1 second' where name = ${name}`
}
