// Cancels channels that wait for items which one change of an inbox has made read: delays without a condition of their own,
// items of digests and held deliveries. A type with `cancelOnRead: false` keeps them.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Db, Fragment, Tx } from '../../db/db.ts'
import { toChannel, type QueueName } from '../../queue/queues.ts'
import { writeDigestLog } from '../digest/digest-log.sql.ts'

interface Cancelled {
  /** Tracking id. */
  readonly id: string
  readonly channel: string
  readonly readAt: Date
}

/** Whether the change with this version has made the item `i` read. */
const isReadSince = (tx: Tx, version: number): Fragment => tx`
  i.changed = ${version} and (i.opened_at is not null or i.archived_at is not null)`

const readAt = (tx: Tx): Fragment => tx`least(i.opened_at, i.archived_at)`

/** What one change has made read. */
export interface ReadChange {
  readonly user: UserKey
  readonly version: number
  /** Types that keep their channels, if the statement cannot read them: see {@link readKeepingTypes}. */
  readonly keepingTypes: readonly string[] | undefined
}

/**
 * Returns the types of an environment with `cancelOnRead: false`, because a node of a cluster has the users, but not the types. Not
 * through `db.control`, whose connections requests hold while they wait for this one.
 */
export async function readKeepingTypes(
  { controlWork }: Pick<Db, 'controlWork'>,
  envId: string
): Promise<readonly string[]> {
  const types = await controlWork<{ id: string }[]>`
    select id from notifications where env_id = ${envId} and not (settings ->> 'cancelOnRead')::boolean`
  return types.map(({ id }) => id)
}

/** Whether the type of the item `i` allows it. */
const isCancelledOnRead = (tx: Tx, { keepingTypes, user: { envId } }: ReadChange): Fragment =>
  keepingTypes
    ? tx`i.notification_id <> all(${keepingTypes as string[]}::text[])`
    : tx`coalesce((select (n.settings ->> 'cancelOnRead')::boolean from notifications n
        where n.env_id = ${envId} and n.id = i.notification_id), true)`

const logCancelled = (tx: Tx, group: DatabaseGroup, { bucket }: UserKey, rows: readonly Cancelled[]) =>
  writeDigestLog(
    tx,
    group,
    rows.map(({ channel, id, readAt }) => ({
      bucket,
      channel,
      decision: 'cancelled',
      detail: `read at ${readAt.toISOString()}`,
      id
    }))
  )

/** A delay with a condition is decided at its end, when the item may be unread again. */
export async function cancelDelays(tx: Tx, group: DatabaseGroup, change: ReadChange): Promise<void> {
  const { user, version } = change
  const { bucket, envId, userId } = user
  const cancelled = await tx<Cancelled[]>`
    delete from outbox o using inbox_items i
    where o.bucket = ${bucket} and o.env_id = ${envId} and o.user_id = ${userId} and o.queue = 'ESCALATE'
      and o.body ->> 'unless' is null and i.bucket = ${bucket} and i.env_id = ${envId}
      and i.user_id = ${userId} and i.id = o.send_id and ${isReadSince(tx, version)}
      and ${isCancelledOnRead(tx, change)}
    returning o.send_id as id, o.body ->> 'channel' as channel, ${readAt(tx)} as "readAt"`
  await logCancelled(tx, group, user, cancelled)
}

/**
 * Cancels held deliveries, also those that still fetch their files, after the digests, whose rows are locked first. A held digest
 * has other items too and stays, as does a row that its job has moved to the queue of its channel.
 */
export async function cancelHeld(tx: Tx, group: DatabaseGroup, change: ReadChange): Promise<void> {
  const { user, version } = change
  const { bucket, envId, userId } = user
  const cancelled = await tx<(Omit<Cancelled, 'channel'> & { queue: QueueName })[]>`
    with read as materialized (
      select o.bucket, o.id, i.id as send_id, ${readAt(tx)} as read_at
      from outbox o join inbox_items i on i.bucket = o.bucket and i.env_id = o.env_id and i.user_id = o.user_id
        and i.id = o.send_id
      where o.bucket = ${bucket} and o.env_id = ${envId} and o.user_id = ${userId} and o.queue in ('FETCH', 'HELD')
        and o.body ? 'held' and not o.body ? 'sends' and ${isReadSince(tx, version)} and ${isCancelledOnRead(tx, change)}
      order by o.bucket, o.id for update of o)
    delete from outbox o using read
    where o.bucket = ${bucket} and o.bucket = read.bucket and o.id = read.id
    returning read.send_id as id, o.body #>> '{held,queue}' as queue, read.read_at as "readAt"`
  await logCancelled(
    tx,
    group,
    user,
    cancelled.map(({ id, queue, readAt }) => ({ channel: toChannel(queue), id, readAt }))
  )
}

/** Locks the digests before their items, as all writers do. A digest without items deletes itself when it is due. */
export async function cancelDigestItems(tx: Tx, group: DatabaseGroup, change: ReadChange): Promise<void> {
  const { user, version } = change
  const { bucket, envId, userId } = user
  const isCancelled = tx`${isReadSince(tx, version)} and ${isCancelledOnRead(tx, change)}`
  const [found] = await tx`
    select 1 from digest_items d, inbox_items i
    where d.bucket = ${bucket} and d.env_id = ${envId} and d.user_id = ${userId}
      and i.bucket = ${bucket} and i.env_id = ${envId} and i.user_id = ${userId} and i.id = d.id and ${isCancelled}
    limit 1`
  if (!found) return
  await tx`
    select from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
    order by bucket, key for update`
  const cancelled = await tx<Cancelled[]>`
    delete from digest_items d using inbox_items i
    where d.bucket = ${bucket} and d.env_id = ${envId} and d.user_id = ${userId}
      and i.bucket = ${bucket} and i.env_id = ${envId} and i.user_id = ${userId} and i.id = d.id and ${isCancelled}
    returning d.id, d.channel, ${readAt(tx)} as "readAt"`
  await logCancelled(tx, group, user, cancelled)
}
