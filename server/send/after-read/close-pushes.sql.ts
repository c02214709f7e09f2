// Finds the pushes of read items that phones may still show, and enqueues what closes them, once for each device and send.

import { lowestIdAt, timeInId, type UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { insertOutboxRows, type NewOutboxRow } from '../../queue/outbox.sql.ts'

export interface Followers {
  /** A digest, a delay or a held delivery of the user waits, or an email that fetches its files. */
  readonly waits: boolean
  /** The user has a device with mobile push. */
  readonly hasPhone: boolean
}

/** The one statement that every change pays: two look-ups by user, whatever the number of changed items. */
export async function hasFollowers(query: Query, { bucket, envId, userId }: UserKey): Promise<Followers> {
  const [row] = await query<Followers[]>`
    select exists (
        select from outbox
        where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue in ('DIGEST', 'ESCALATE', 'FETCH', 'HELD')
      ) as waits,
      exists (
        select from devices
        where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and kind in ('apn', 'fcm')
      ) as "hasPhone"`
  return row!
}

export interface DeliveredPush {
  /** Tracking id. */
  readonly id: string
  readonly notificationId: string
  /** APNs options of the send. */
  readonly collapseId: string | null
  readonly threadId: string | null
}

/** Pushes that a provider accepted and that were not closed yet. @param ids - tracking ids */
export async function findDeliveredPushes(
  query: Query,
  group: DatabaseGroup,
  { bucket }: UserKey,
  ids: readonly string[]
): Promise<DeliveredPush[]> {
  if (ids.length === 0) return []
  // Without this bound, Postgres reads the partitions of all days.
  const low = lowestIdAt(Math.min(...ids.map(timeInId)))
  return query<DeliveredPush[]>`
    select s.id, s.notification_id as "notificationId", s.body #>> '{options,apn,collapseId}' as "collapseId",
      s.body #>> '{options,apn,threadId}' as "threadId"
    from sends s
    where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))
      and s.bucket = ${bucket} and s.id = any(${ids}::uuid[]) and s.id >= ${low}::uuid
      and exists (
        select from attempts a
        where a.bucket = ${bucket} and a.send_id = s.id and a.id >= ${low}::uuid
          and a.channel = 'PUSH' and a.outcome = 'sent')
      and not exists (
        select from attempts a
        where a.bucket = ${bucket} and a.send_id = s.id and a.id >= ${low}::uuid
          and a.outcome in ('closed', 'not-closed'))`
}

/** A row whose key waits already is left out. */
export async function enqueueOnce(tx: Tx, rows: readonly NewOutboxRow[]): Promise<void> {
  await tx`${insertOutboxRows(tx, rows)} on conflict (bucket, key) where key is not null do nothing`
}
