// Adds and takes the outbox rows of digests. Each row is the lock of its items (items.sql.ts).
//
// A transaction that adds, moves or takes items holds the digest row until the commit, so an item is in one digest and no
// digest is built twice. Lock order: digest rows by key, items, log. Adding to a row that another transaction takes waits
// for that transaction, and then inserts a new row.

import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import { digestRowKey, type DigestKey, type DigestTime } from './digest.ts'

export interface NewDigest extends DigestKey {
  /** Id of the outbox row, if a new one is inserted. */
  readonly rowId: string
  readonly time: DigestTime
}

/**
 * Inserts missing rows, and locks existing ones without a change. A new row is due now at the earliest, because workers skip
 * rows that are due below their scan floor.
 */
export async function addDigests(tx: Tx, digests: readonly NewDigest[]): Promise<void> {
  if (digests.length === 0) return
  await tx`
    insert into outbox (bucket, id, queue, run_at, attempts_left, env_id, user_id, key, body)
    select distinct on (bucket, key) bucket, id, 'DIGEST',
      greatest(now(), timestamptz 'epoch' + due * interval '1 millisecond'),
      ${MAX_ATTEMPTS}, env_id, user_id, key, body::jsonb || jsonb_build_object('dueAt', due)
    from (
      select r.*, case when at > extract(epoch from clock_timestamp()) * 1000 then at else next end as due
      from unnest(
        ${digests.map(digest => digest.bucket)}::smallint[],
        ${digests.map(digest => digest.rowId)}::uuid[],
        ${digests.map(digest => digest.envId)}::text[],
        ${digests.map(digest => digest.userId)}::text[],
        ${digests.map(digestRowKey)}::text[],
        ${digests.map(digest => digest.time.at)}::bigint[],
        ${digests.map(digest => digest.time.next)}::bigint[],
        ${digests.map(({ notificationId, channel, period, time: { zone } }) =>
          JSON.stringify({ channel, notificationId, period, zone })
        )}::text[]
      ) as r(bucket, id, env_id, user_id, key, at, next, body)) d
    order by bucket, key
    on conflict (bucket, key) where key is not null do update set env_id = outbox.env_id`
}

/** Deletes rows that are still claimed by this worker. Their items stay locked until the commit. @returns the deleted ids */
export async function takeDigests(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly ClaimedRow[]
): Promise<Set<string>> {
  // Locks all digest rows of these users, because items may move between them. Changes of preferences lock the same rows.
  await tx`
    select from outbox o
    join (select distinct bucket, env_id, user_id from unnest(${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.envId)}::text[], ${rows.map(row => row.userId)}::text[]) as r(bucket, env_id, user_id)) u
      on o.bucket = u.bucket and o.env_id = u.env_id and o.user_id = u.user_id
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[])) and o.queue = 'DIGEST'
    order by o.bucket, o.key for update of o`
  const deleted = await tx<{ id: string }[]>`
    with mine as materialized (
      select o.bucket, o.id
      from outbox o join unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
        ${rows.map(row => row.claimCount)}::smallint[]) as f(bucket, id, claim_count)
        on o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      order by o.bucket, o.key for update of o)
    delete from outbox o using mine
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = mine.bucket and o.id = mine.id
    returning o.id`
  return new Set(deleted.map(row => row.id))
}
