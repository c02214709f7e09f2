// The heads of digests: rows of the outbox, each the lock of its items (items.sql.ts). Whoever adds, moves or takes items
// holds the head until the commit, so an item is in one digest and no digest is composed twice.
//
// Lock order: heads by key, then items, then the log. Adding a head that another transaction takes waits for that one, and
// then makes a new head.

import type { Group, Tx } from '../../db/db.ts'
import { TRIES } from '../../queue/backoff.ts'
import type { Claimed } from '../../queue/outbox.sql.ts'
import { headKey, type DigestKey, type Due } from './digest.ts'

export interface NewHead extends DigestKey {
  /** uuidv7 of the user's place: of the row, where it is a new one. */
  readonly headId: string
  readonly due: Due
}

/**
 * Those that are there stay as they are, and are locked. A new one is due now at the earliest: queues hardly look for what
 * should have come long ago.
 */
export async function addHeads(tx: Tx, heads: readonly NewHead[]): Promise<void> {
  if (heads.length === 0) return
  await tx`
    insert into outbox (bucket, id, queue, run_at, attempts_left, env_id, user_id, key, body)
    select distinct on (bucket, key) bucket, id, 'DIGEST',
      greatest(now(), timestamptz 'epoch' + due * interval '1 millisecond'),
      ${TRIES}, env_id, user_id, key, body::jsonb || jsonb_build_object('until', due)
    from (
      select r.*, case when at > extract(epoch from clock_timestamp()) * 1000 then at else later end as due
      from unnest(
        ${heads.map(head => head.bucket)}::smallint[],
        ${heads.map(head => head.headId)}::uuid[],
        ${heads.map(head => head.envId)}::text[],
        ${heads.map(head => head.userId)}::text[],
        ${heads.map(headKey)}::text[],
        ${heads.map(head => head.due.at)}::bigint[],
        ${heads.map(head => head.due.later)}::bigint[],
        ${heads.map(({ notificationId, channel, period, due: { zone } }) =>
          JSON.stringify({ channel, notificationId, period, zone })
        )}::text[]
      ) as r(bucket, id, env_id, user_id, key, at, later, body)) h
    order by bucket, key
    on conflict (bucket, key) where key is not null do update set env_id = outbox.env_id`
}

/** Removes the heads that are still ours, in key order; their items stay locked until the commit. @returns their ids */
export async function takeHeads(tx: Tx, group: Group, rows: readonly Claimed[]): Promise<Set<string>> {
  // All heads of these users, because items may move between them: those who change preferences lock them likewise.
  await tx`
    select from outbox o
    join (select distinct bucket, env_id, user_id from unnest(${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.envId)}::text[], ${rows.map(row => row.userId)}::text[]) as r(bucket, env_id, user_id)) u
      on o.bucket = u.bucket and o.env_id = u.env_id and o.user_id = u.user_id
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[])) and o.queue = 'DIGEST'
    order by o.bucket, o.key for update of o`
  const gone = await tx<{ id: string }[]>`
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
  return new Set(gone.map(row => row.id))
}
