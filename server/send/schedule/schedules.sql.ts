// Sends that wait for their time, as their callers see and change them: rows of the SCHEDULE queue, and what the log says.
//
// Whoever changes or deletes a row that a worker holds wins, because the worker's `take` misses a row whose claim count has
// moved on or that is gone. Lock order: the row of the outbox, then the row of the log.

import type { Group, Json, Query, Tx } from '../../db/db.ts'
import type { Moment } from '../../http/cursor.ts'
import { TRIES } from '../../queue/backoff.ts'
import type { NewRow } from '../../queue/outbox.sql.ts'
import type { SendRow } from '../accept/sends.sql.ts'

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
  /** Another text after each change. */
  readonly version: string
  /** Microseconds since 1970: when the queue looks at it next. */
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
  /** The last one of the page before. */
  readonly after?: Moment
  readonly limit: number
  /** Of all bodies together; one always comes. */
  readonly bytes: number
}

/** One of a page, and what it weighs. */
export interface ListedSchedule extends Pick<StoredSchedule, 'due' | 'id' | 'userId'> {
  /** Null where it is no longer within the bytes of the page. */
  readonly body: Json
  /** Of its body. */
  readonly bytes: number
}

/** Those that are due first, in no order. Sizes are looked at where it is known which they are. */
export const listSchedules = (
  { buckets, sql }: Group,
  { envId, user, notificationId, after, limit, bytes }: SchedulePage
): Promise<ListedSchedule[]> => sql<ListedSchedule[]>`
  select id, user_id as "userId", bytes, (extract(epoch from run_at) * 1000000)::bigint as due,
    case when row_number() over oldest = 1 or sum(bytes) over oldest <= ${bytes} then body end as body
  from (
    select id, user_id, body, run_at,
      case when pg_column_compression(body) is null then pg_column_size(body) else octet_length(body::text) end as bytes
    from (
      select id, user_id, body, run_at from outbox
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and queue = 'SCHEDULE' and env_id = ${envId}
        ${user ? sql`and bucket = ${user.bucket} and user_id = ${user.id}` : sql``}
        ${notificationId === undefined ? sql`` : sql`and body ->> 'notificationId' = ${notificationId}`}
        ${
          after
            ? sql`and (run_at, id) >
                (timestamptz 'epoch' + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)`
            : sql``
        }
      order by run_at, id limit ${limit}) as page) as sized
  window oldest as (order by run_at, id rows unbounded preceding)`

/**
 * Due at once where its time is past: queues hardly look for what should have come long ago.
 *
 * @returns false where it is gone or no longer of that version: nothing was written then
 */
export async function replaceSchedule(
  tx: Tx,
  version: string,
  { bucket, envId, id, body, runAt }: NewRow,
  row: SendRow
): Promise<boolean> {
  const changed = await tx`
    update outbox set body = ${JSON.stringify(body)}::text::jsonb, run_at = greatest(now(), ${runAt!.toISOString()}::timestamptz),
      claim_count = case claim_count when 32767 then 1 else claim_count + 1 end, attempts_left = ${TRIES}, leased = false
    where bucket = ${bucket} and id = ${id} and queue = 'SCHEDULE' and env_id = ${envId}
      and md5(body::text) = ${version}`
  if (changed.count === 0) return false
  await tx`
    update sends set notification_id = ${row.notificationId}, sub_id = ${row.subId},
      body = ${row.body}::text::jsonb, decisions = ${row.decisions}::text::jsonb,
      warnings = ${row.warnings}::text::jsonb
    where bucket = ${bucket} and id = ${id}`
  return true
}

/** @returns whether there was one */
export async function deleteSchedule(tx: Tx, { bucket, envId, id }: ScheduleKey): Promise<boolean> {
  const gone = await tx`
    delete from outbox where bucket = ${bucket} and id = ${id} and queue = 'SCHEDULE' and env_id = ${envId}`
  if (gone.count === 0) return false
  await tx`
    update sends set decisions = coalesce(
      (select jsonb_object_agg(channel, 'cancelled') from jsonb_object_keys(decisions) as channel), '{}')
    where bucket = ${bucket} and id = ${id}`
  return true
}

/** What the log knows of a send that waits no longer: its decisions by channel. */
export async function readDecisions(
  query: Query,
  { bucket, envId, id }: ScheduleKey
): Promise<Readonly<Record<string, string>> | undefined> {
  const [row] = await query<{ decisions: Readonly<Record<string, string>> }[]>`
    select decisions from sends where bucket = ${bucket} and id = ${id} and env_id = ${envId}`
  return row?.decisions
}
