// Reads, lists, replaces and deletes schedules: outbox rows of the queue SCHEDULE, and their rows of the log.
//
// A change or deletion wins against a worker that has claimed the row: the worker's `take` skips a row whose claim count has
// changed, or that was deleted. Lock order: outbox, log.

import type { DatabaseGroup, Json, Query, Tx } from '../../db/db.ts'
import { inGroup, inGroupOf, unnest } from '../../db/sql-helpers.ts'
import type { Moment } from '../../http/cursor.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import type { NewOutboxRow } from '../../queue/outbox.sql.ts'
import { insertStoredDecisionCounts } from '../accept/decision-counts.sql.ts'
import { sendColumns, type SendRow } from '../accept/sends.sql.ts'

export interface ScheduleKey {
  readonly bucket: number
  readonly envId: string
  /** Tracking id. */
  readonly id: string
}

export interface StoredSchedule {
  readonly id: string
  readonly userId: string
  readonly body: Json
  /** Differs after each change. */
  readonly version: string
  /** Microseconds since 1970. */
  readonly due: number
}

export async function readSchedule(
  query: Query,
  { bucket, envId, id }: ScheduleKey
): Promise<StoredSchedule | undefined> {
  const [row] = await query<StoredSchedule[]>`
    select id, user_id as "userId", body, md5(body::text) as version,
      (extract(epoch from run_at) * 1000000)::bigint as due
    from outbox where bucket = ${bucket} and id = ${id} and queue = 'SCHEDULE' and env_id = ${envId}`
  return row
}

export interface SchedulePage {
  readonly envId: string
  readonly user?: { readonly bucket: number; readonly id: string }
  readonly notificationId?: string
  /** The last schedule of the previous page. */
  readonly after?: Moment
  readonly limit: number
  /** Limit for all bodies together; the first body is returned whatever its size. */
  readonly bytes: number
}

export interface ListedSchedule extends Pick<StoredSchedule, 'due' | 'id' | 'userId'> {
  /** Null beyond the bytes of the page. */
  readonly body: Json
  readonly bytes: number
}

/** Returns the earliest schedules, unordered. The inner query chooses the rows, so that only their sizes are computed. */
export const listSchedules = (
  group: DatabaseGroup,
  { envId, user, notificationId, after, limit, bytes }: SchedulePage
): Promise<ListedSchedule[]> => group.sql<ListedSchedule[]>`
  select id, user_id as "userId", bytes, (extract(epoch from run_at) * 1000000)::bigint as due,
    case when row_number() over oldest = 1 or sum(bytes) over oldest <= ${bytes} then body end as body
  from (
    select id, user_id, body, run_at,
      case when pg_column_compression(body) is null then pg_column_size(body) else octet_length(body::text) end as bytes
    from (
      select id, user_id, body, run_at from outbox
      where ${inGroup(group)} and queue = 'SCHEDULE' and env_id = ${envId}
        ${user ? group.sql`and bucket = ${user.bucket} and user_id = ${user.id}` : group.sql``}
        ${notificationId === undefined ? group.sql`` : group.sql`and body ->> 'notificationId' = ${notificationId}`}
        ${
          after
            ? group.sql`and (run_at, id) >
                (timestamptz 'epoch' + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)`
            : group.sql``
        }
      order by run_at, id limit ${limit}) as page) as sized
  window oldest as (order by run_at, id rows unbounded preceding)`

/**
 * A time in the past becomes now, because workers skip rows that are due below their scan floor.
 *
 * @returns false if the schedule does not exist or has another version; nothing was written then
 */
export async function replaceSchedule(
  tx: Tx,
  version: string,
  { bucket, envId, id, body, runAt }: NewOutboxRow,
  row: SendRow
): Promise<boolean> {
  const changed = await tx`
    update outbox set body = ${JSON.stringify(body)}::text::jsonb, run_at = greatest(now(), ${runAt!.toISOString()}::timestamptz),
      claim_count = case when claim_count = 32767 then 1 else claim_count + 1 end, attempts_left = ${MAX_ATTEMPTS}, leased = false
    where bucket = ${bucket} and id = ${id} and queue = 'SCHEDULE' and env_id = ${envId}
      and md5(body::text) = ${version}`
  if (changed.count === 0) return false
  const send = sendColumns(row)
  await tx`
    update sends set notification_id = ${row.notificationId}, sub_id = ${row.subId},
      body = ${send.body}::text::jsonb, decisions = ${send.decisions}::text::jsonb,
      details = ${send.details}::text::jsonb, warnings = ${send.warnings}::text::jsonb
    where bucket = ${bucket} and id = ${id}`
  return true
}

/**
 * Deletes the schedules of these sends, and skips sends without one.
 *
 * @param message - for the log of the sends
 * @returns how many there were
 */
export async function deleteSchedules(
  tx: Tx,
  keys: readonly ScheduleKey[],
  message: string
): Promise<number> {
  const deleted = await tx<Pick<ScheduleKey, 'bucket' | 'id'>[]>`
    delete from outbox o
    using ${unnest(tx, 'r', keys, { bucket: 'smallint', env_id: 'text', id: 'uuid' })}
    where ${inGroupOf(tx, 'o')} and o.bucket = r.bucket and o.id = r.id and o.queue = 'SCHEDULE' and o.env_id = r.env_id
    returning o.bucket, o.id`
  if (deleted.length === 0) return 0
  await tx`
    with decided as (
      update sends s set decisions = coalesce(
        (select jsonb_object_agg(channel, 'deleted') from jsonb_object_keys(s.decisions) as channel), '{}'),
        warnings = s.warnings || jsonb_build_array(${message}::text)
      from ${unnest(tx, 'r', deleted, { bucket: 'smallint', id: 'uuid' })}
      where ${inGroupOf(tx, 's')} and s.bucket = r.bucket and s.id = r.id
      returning s.bucket, s.env_id, s.notification_id, s.decisions)
    ${insertStoredDecisionCounts(tx, 'decided')}`
  return deleted.length
}

/** Reads decisions by channel from the log, for a schedule that is not in the outbox. @returns undefined without a row */
export async function readDecisions(
  query: Query,
  { bucket, envId, id }: ScheduleKey
): Promise<Readonly<Record<string, string>> | undefined> {
  const [row] = await query<{ decisions: Readonly<Record<string, string>> }[]>`
    select decisions from sends where bucket = ${bucket} and id = ${id} and env_id = ${envId}`
  return row?.decisions
}
