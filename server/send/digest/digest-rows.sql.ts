// Adds and takes the outbox rows of digests, and retracts items of them. Each row is the lock of its items (items.sql.ts).
//
// A transaction that adds, moves or takes items holds the digest row until the commit, so an item is in one digest and no
// digest is built twice. Lock order: digest rows by key, items, log. Adding to a row that another transaction takes waits
// for that transaction, and then inserts a new row.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { inGroup, unnest, USER_KEY_COLUMNS } from '../../db/sql-helpers.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import { writeDigestLog } from './digest-log.sql.ts'
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
      from ${unnest(tx, 'r', digests, USER_KEY_COLUMNS, {
        at: ['bigint', ({ time }) => time.at],
        body: [
          'json',
          ({ channel, notificationId, period, time: { zone } }) => ({ channel, notificationId, period, zone })
        ],
        id: ['uuid', digest => digest.rowId],
        key: ['text', digestRowKey],
        next: ['bigint', ({ time }) => time.next]
      })}) d
    order by bucket, key
    on conflict (bucket, key) where key is not null do update set env_id = outbox.env_id`
}

/** Locks all digest rows of these users, because items may move between them. Changes of preferences lock the same rows. */
const lockDigestRows = (tx: Tx, group: DatabaseGroup, users: readonly UserKey[]): Promise<unknown> => tx`
  select from outbox o
  join (select distinct bucket, env_id, user_id from ${unnest(tx, 'r', users, USER_KEY_COLUMNS)}) u
    on o.bucket = u.bucket and o.env_id = u.env_id and o.user_id = u.user_id
  where ${inGroup(group, 'o')} and o.queue = 'DIGEST'
  order by o.bucket, o.key for update of o`

/** Deletes rows that are still claimed by this worker. Their items stay locked until the commit. @returns the deleted ids */
export async function takeDigests(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly ClaimedRow[]
): Promise<Set<string>> {
  await lockDigestRows(tx, group, rows)
  const deleted = await tx<{ id: string }[]>`
    with mine as materialized (
      select o.bucket, o.id
      from outbox o join ${unnest(tx, 'f', rows, { bucket: 'smallint', id: 'uuid', claim_count: 'smallint' })}
        on o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
      where ${inGroup(group, 'o')}
      order by o.bucket, o.key for update of o)
    delete from outbox o using mine
    where ${inGroup(group, 'o')} and o.bucket = mine.bucket and o.id = mine.id
    returning o.id`
  return new Set(deleted.map(row => row.id))
}

interface Retraction extends UserKey {
  readonly notificationId: string
  /** Default: all items of the type. */
  readonly subId?: string | null
}

/** @returns tracking ids of the removed items. A digest row without items deletes itself when it is due */
export async function retractDigestItems(
  tx: Tx,
  group: DatabaseGroup,
  { bucket, envId, userId, notificationId, subId = null }: Retraction
): Promise<string[]> {
  await tx`
    select from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
      and body ->> 'notificationId' = ${notificationId}
    order by bucket, key for update`
  const deleted = await tx<{ id: string; channel: string }[]>`
    delete from digest_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}
      and (${subId}::text is null or sub_id = ${subId})
    returning id, channel`
  await writeDigestLog(
    tx,
    group,
    deleted.map(({ channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
  return [...new Set(deleted.map(({ id }) => id))]
}

/** Likewise, the items of single sends of any number of users. @param sends - ids are tracking ids */
export async function retractDigestItemsOf(
  tx: Tx,
  group: DatabaseGroup,
  sends: readonly (UserKey & { readonly id: string })[]
): Promise<void> {
  await lockDigestRows(tx, group, sends)
  const deleted = await tx<{ bucket: number; id: string; channel: string }[]>`
    delete from digest_items i using ${unnest(tx, 'r', sends, { bucket: 'smallint', id: 'uuid' })}
    where ${inGroup(group, 'i')} and i.bucket = r.bucket and i.id = r.id
    returning i.bucket, i.id, i.channel`
  await writeDigestLog(
    tx,
    group,
    deleted.map(({ bucket, channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
}
