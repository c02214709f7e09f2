// Reads and writes the counters of rate control: one row for each user, type and content hash.
//
// Lock order: counters by key. The lock of a row lasts until the commit, so the sends that share a counter pass one after
// the other, on all nodes.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { inGroup, unnest } from '../../db/sql-helpers.ts'

export interface RateCounterKey extends UserKey {
  readonly notificationId: string
  readonly contentHash: string
}

export interface LockedRateCounter extends RateCounterKey {
  /** Times of the sends that count: milliseconds since 1970, by the database's clock, which all nodes share. */
  readonly sentAt: readonly number[]
  /** Time at which the row was locked. */
  readonly now: number
}

export interface ChangedRateCounter extends RateCounterKey {
  readonly sentAt: readonly number[]
  /** Milliseconds since 1970; undefined: never. */
  readonly expiresAt: number | undefined
}

const KEY_COLUMNS = {
  bucket: 'smallint',
  env_id: 'text',
  user_id: 'text',
  notification_id: 'text',
  content_hash: 'text'
} as const

/** Creates missing rows, and locks all rows in key order, so that two transactions cannot deadlock. @param keys - distinct */
export const lockRateCounters = (tx: Tx, keys: readonly RateCounterKey[]): Promise<LockedRateCounter[]> => tx<
  LockedRateCounter[]
>`
  with locked as (
    insert into rate_counters as c (bucket, env_id, user_id, notification_id, content_hash)
    select bucket, env_id, user_id, notification_id, content_hash
    from ${unnest(tx, 'k', keys, KEY_COLUMNS)}
    order by bucket, env_id, user_id, notification_id, content_hash
    on conflict (bucket, env_id, user_id, notification_id, content_hash) do update set sent_at = c.sent_at
    returning bucket, env_id as "envId", user_id as "userId", notification_id as "notificationId",
      content_hash as "contentHash", sent_at as "sentAt")
  select *, (extract(epoch from clock_timestamp()) * 1000)::bigint as now from locked`

export async function saveRateCounters(
  tx: Tx,
  group: DatabaseGroup,
  counters: readonly ChangedRateCounter[]
): Promise<void> {
  await tx`
    update rate_counters c set sent_at = k.sent_at, expires_at = k.expires_at
    from (
      select bucket, env_id, user_id, notification_id, content_hash, sent_at::jsonb as sent_at,
        coalesce(to_timestamp(expires_at / 1000.0), timestamptz 'infinity') as expires_at
      from ${unnest(tx, 'r', counters, { ...KEY_COLUMNS, sent_at: 'json', expires_at: 'bigint' })}) k
    where ${inGroup(group, 'c')} and c.bucket = k.bucket and c.env_id = k.env_id and c.user_id = k.user_id
      and c.notification_id = k.notification_id and c.content_hash = k.content_hash`
}

/** Reads the counters of a user and type without locking them. @returns times of sends by content hash */
export async function readRateCounters(
  query: Query,
  { bucket, envId, userId, notificationId }: Omit<RateCounterKey, 'contentHash'>
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await query<{ contentHash: string; sentAt: readonly number[] }[]>`
    select content_hash as "contentHash", sent_at as "sentAt" from rate_counters
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}`
  return new Map(rows.map(({ contentHash, sentAt }) => [contentHash, sentAt]))
}

const DELETE_BATCH_SIZE = 1000

/** @returns the number of deleted rows; call again until it is 0 */
export async function deleteExpiredRateCounters(group: DatabaseGroup): Promise<number> {
  const deleted = await group.work`
    with old as materialized (
      select bucket, env_id, user_id, notification_id, content_hash from rate_counters
      where ${inGroup(group)} and expires_at < now()
      limit ${DELETE_BATCH_SIZE} for update skip locked)
    delete from rate_counters c using old
    where ${inGroup(group, 'c')} and c.bucket = old.bucket and c.env_id = old.env_id and c.user_id = old.user_id
      and c.notification_id = old.notification_id and c.content_hash = old.content_hash`
  return deleted.count
}
