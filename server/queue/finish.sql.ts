// The end of tries: one statement for a batch of them, which fences, reschedules, logs and buries.

import type { Group, Json } from '../db/db.ts'
import { TRIES } from './backoff.ts'
import type { Claimed } from './outbox.sql.ts'
import { channelOf, type QueueName } from './queues.ts'

/** One claim of one row. */
export const fenceOf = ({ id, claimCount }: Pick<Claimed, 'id' | 'claimCount'>): string =>
  `${id}:${claimCount}`

/**
 * What one try came to. Everything that the log needs comes from the claimer; the table only fences. A letter has the body
 * of the table: the try may have left word there for the next one (channels/deliveries.sql.ts).
 */
export interface Finish {
  readonly row: Claimed
  readonly queue: QueueName
  /** uuidv7 of the owner's place: the log's key, so also its time. */
  readonly attemptId: string
  /** sent, onward, retry, pause, dead, gone, uncertain or lost. */
  readonly outcome: string
  readonly code?: string | undefined
  readonly detail?: string | undefined
  readonly ref?: string | undefined
  readonly tookMs: number
  /** Milliseconds until the next try; absent: the row is done. */
  readonly againIn?: number | undefined
  /** The try does not count. */
  readonly refund?: boolean
  /** The row moves to the dead letters. */
  readonly bury?: boolean
  /** The row goes on in this queue, with all its tries. */
  readonly onward?: QueueName | undefined
}

// Postgres refuses NUL and lone surrogates in text, and one refused row would fail the batch.
const clean = (text: string | undefined): string | undefined =>
  text?.slice(0, 2000).toWellFormed().replaceAll('\0', '')

export const notificationOf = (body: Json): string => {
  const id = typeof body === 'object' && body !== null && 'notificationId' in body && body['notificationId']
  return typeof id === 'string' ? id : ''
}

/** A mail whose files were fetched: they go with its row. */
const hasFiles = (body: Json): boolean => typeof body === 'object' && body !== null && 'files' in body

const toRecord = ({ row, ...f }: Finish, logged: boolean): Json => ({
  again: f.againIn,
  attempt_id: f.attemptId,
  bucket: row.bucket,
  channel: channelOf(f.queue),
  code: clean(f.code),
  detail: clean(f.detail),
  env_id: row.envId,
  files: hasFiles(row.body) && !f.bury,
  id: row.id,
  queue: f.queue,
  logged: logged && row.sendId !== null,
  notification_id: notificationOf(row.body),
  onward: f.onward,
  outcome: f.outcome,
  ref: clean(f.ref),
  refund: f.refund ?? false,
  send_id: row.sendId,
  claim_count: row.claimCount,
  took: Math.round(f.tookMs),
  user_id: row.userId,
  ...(f.bury && { bury: true })
})

/**
 * Ends a batch of tries in one statement and one commit: removes or reschedules, writes the log, buries the dead.
 * @param logged - false leaves out the log, for a batch whose log cannot be written
 * @returns {@link fenceOf} of those that were still ours; a missing one was fenced and nothing of it was written
 */
export async function finish(
  group: Group,
  tries: readonly Finish[],
  logged: boolean = true
): Promise<Set<string>> {
  const records = JSON.stringify(tries.map(one => toRecord(one, logged)))
  const ours = await group.work<Pick<Claimed, 'id' | 'claimCount'>[]>`
    with fin as materialized (
      select f.*, now() + make_interval(secs => f.again / 1000) as due
      from json_to_recordset(${records}::text::json) as f(bucket smallint, id uuid, claim_count smallint, queue text,
        attempt_id uuid, env_id text, user_id text, send_id uuid, notification_id text, channel text, outcome text, code text,
        detail text, ref text, took integer, again float8, onward text, files boolean, refund boolean, logged boolean, bury boolean)),
    gone as (
      delete from outbox o using fin f
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
        and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count and f.again is null
      returning o.bucket, o.id, o.claim_count, o.key, case when f.bury then o.body end as body),
    later as (
      update outbox o set run_at = f.due, leased = false, queue = coalesce(f.onward, o.queue),
        attempts_left = case when f.onward is null then attempts_left + f.refund::int else ${TRIES}::int end
      from fin f
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
        and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count and f.again is not null
      returning o.bucket, o.id, o.claim_count),
    mine as (select bucket, id, claim_count from gone union all select * from later),
    files as (
      delete from attachments a using gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.claim_count = gone.claim_count
      where (${group.buckets}::smallint[] is null or a.bucket = any(${group.buckets}::smallint[]))
        and f.files and a.bucket = f.bucket and a.send_id = f.send_id),
    parts as (
      delete from attachment_parts p using gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.claim_count = gone.claim_count
      where (${group.buckets}::smallint[] is null or p.bucket = any(${group.buckets}::smallint[]))
        and f.files and p.bucket = f.bucket and p.send_id = f.send_id),
    buried as (
      insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail)
      select f.bucket, f.id, f.queue, f.claim_count, f.env_id, f.user_id, f.send_id, gone.key, gone.body, f.code, f.detail
      from gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.claim_count = gone.claim_count where f.bury),
    logged as (
      insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome,
        code, detail, provider_ref, took_ms)
      select f.bucket, f.attempt_id, f.send_id, f.id, f.env_id, f.user_id, f.notification_id, f.channel, f.claim_count, f.outcome,
        f.code, f.detail, f.ref, f.took
      from mine join fin f on f.bucket = mine.bucket and f.id = mine.id and f.claim_count = mine.claim_count
      where f.logged)
    select id, claim_count as "claimCount" from mine`
  return new Set(ours.map(fenceOf))
}
