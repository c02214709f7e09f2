// The outbox: every statement on the only queue. `run_at` is schedule, back-off and lease at once; `token` is the fence.
//
// Every statement takes the bucket group it may touch and says so at each table (guides: past one machine).

import type { Fragment, Group, Json, Query, Tx } from '../db/sql.ts'
import { channelOf, type LaneName } from './lanes.ts'

/** Tries of a new or redriven row: the first and one after each step of the back-off. */
export const TRIES = 8

export interface NewRow {
  readonly bucket: number
  /** uuidv7 of the owner's place. */
  readonly id: string
  readonly lane: LaneName
  /** Default: the transaction's time, which is now. */
  readonly runAt?: Date
  /** Default: {@link TRIES}. */
  readonly triesLeft?: number
  readonly envId: string
  readonly userId: string
  readonly sendId?: string
  /** At most one row with this key may wait in a bucket. */
  readonly key?: string
  readonly body: Json
}

/** Writes rows in the caller's transaction. Wake the lanes after the commit. */
export async function enqueue(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  if (rows.length > 0) await enqueuing(tx, rows)
}

/** The statement, or a part of one. */
export const enqueuing = (query: Query, rows: readonly NewRow[]): Fragment =>
  query`
    insert into outbox (bucket, id, lane, run_at, tries_left, env_id, user_id, send_id, key, body)
    select bucket, id, lane, coalesce(run_at, now()), tries_left, env_id, user_id, send_id, key, body::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.lane)}::text[],
      ${rows.map(row => row.runAt?.toISOString() ?? null)}::timestamptz[],
      ${rows.map(row => row.triesLeft ?? TRIES)}::smallint[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(row => row.sendId ?? null)}::uuid[],
      ${rows.map(row => row.key ?? null)}::text[],
      ${rows.map(row => JSON.stringify(row.body))}::text[]
    ) as r(bucket, id, lane, run_at, tries_left, env_id, user_id, send_id, key, body)`

/** A row in the hands of this process until its lease ends. */
export interface Claimed {
  readonly bucket: number
  readonly id: string
  readonly token: number
  /** After this claim; below zero: the last try was lost. */
  readonly triesLeft: number
  readonly envId: string
  readonly userId: string
  readonly sendId: string | null
  readonly key: string | null
  readonly body: Json
  /** The try before this one never reported. */
  readonly lost: boolean
  /** When the row was due. */
  readonly dueAt: Date
}

export interface Claim {
  readonly lane: LaneName
  readonly limit: number
  /** Milliseconds. */
  readonly lease: number
  /** Rows due before this are not looked for: keeps a claim off dead index entries while a snapshot is held elsewhere. */
  readonly low: Date
}

/** MATERIALIZED, or the planner may claim more than the limit. Oldest first. */
export const claim = (group: Group, { lane, limit, lease, low }: Claim): Promise<Claimed[]> => group.work<
  Claimed[]
>`
  with due as materialized (
    select bucket, id, leased, run_at from outbox
    where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
      and lane = ${lane} and run_at >= ${low} and run_at <= now()
    order by run_at limit ${limit} for update skip locked)
  update outbox o
  set token = case token when 32767 then 1 else token + 1 end, tries_left = tries_left - 1, leased = true,
    run_at = now() + make_interval(secs => ${lease}::float8 / 1000)
  from due
  where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
    and o.bucket = due.bucket and o.id = due.id
  returning o.bucket, o.id, o.token, o.tries_left as "triesLeft", o.env_id as "envId", o.user_id as "userId",
    o.send_id as "sendId", o.key, o.body, due.leased as lost, due.run_at as "dueAt"`

/** Milliseconds until the lane's next row is due (0 or less: now), by the database's clock; undefined: no row. */
export async function nextDue(group: Group, lane: LaneName, low: Date): Promise<number | undefined> {
  const [row] = await group.work<{ wait: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float8 * 1000 as wait from outbox
    where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
      and lane = ${lane} and run_at >= ${low}
    order by run_at limit 1`
  return row?.wait
}

type Owned = Pick<Claimed, 'bucket' | 'id' | 'token'>

/**
 * For steps that finish in their own transaction: removes the rows that are still ours and returns their ids.
 * A row that is missing in the answer belongs to somebody else now: do nothing for it.
 */
export async function take(tx: Tx, group: Group, rows: readonly Owned[]): Promise<Set<string>> {
  const gone = await tx<{ id: string }[]>`
    delete from outbox o
    using unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.token)}::smallint[]) as f(bucket, id, token)
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = f.bucket and o.id = f.id and o.token = f.token
    returning o.id`
  return new Set(gone.map(row => row.id))
}

/** Due again at once, and the try does not count. Returns the ids that were still ours. */
export async function giveBack(group: Group, rows: readonly Owned[]): Promise<Set<string>> {
  const back = await group.work<{ id: string }[]>`
    update outbox o set run_at = now(), tries_left = tries_left + 1, leased = false
    from unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.token)}::smallint[]) as f(bucket, id, token)
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = f.bucket and o.id = f.id and o.token = f.token
    returning o.id`
  return new Set(back.map(row => row.id))
}

/** One claim of one row. */
export const fenceOf = ({ id, token }: Pick<Claimed, 'id' | 'token'>): string => `${id}:${token}`

/** What one try came to. Everything that the log needs comes from the claimer; the table only fences. */
export interface Finish {
  readonly row: Claimed
  readonly lane: LaneName
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
  /** The row goes on in this lane, with all its tries. */
  readonly onward?: LaneName | undefined
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
  channel: channelOf(f.lane),
  code: clean(f.code),
  detail: clean(f.detail),
  env_id: row.envId,
  files: hasFiles(row.body) && !f.bury,
  id: row.id,
  lane: f.lane,
  logged: logged && row.sendId !== null,
  notification_id: notificationOf(row.body),
  onward: f.onward,
  outcome: f.outcome,
  ref: clean(f.ref),
  refund: f.refund ?? false,
  send_id: row.sendId,
  token: row.token,
  took: Math.round(f.tookMs),
  user_id: row.userId,
  ...(f.bury && { body: row.body, bury: true, key: row.key })
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
  const ours = await group.work<Pick<Claimed, 'id' | 'token'>[]>`
    with fin as materialized (
      select f.*, now() + make_interval(secs => f.again / 1000) as due
      from json_to_recordset(${records}::text::json) as f(bucket smallint, id uuid, token smallint, lane text,
        attempt_id uuid, env_id text, user_id text, send_id uuid, notification_id text, channel text, outcome text, code text,
        detail text, ref text, took integer, again float8, onward text, files boolean, refund boolean, logged boolean, bury boolean, key text,
        body jsonb)),
    gone as (
      delete from outbox o using fin f
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
        and o.bucket = f.bucket and o.id = f.id and o.token = f.token and f.again is null
      returning o.bucket, o.id, o.token),
    later as (
      update outbox o set run_at = f.due, leased = false, lane = coalesce(f.onward, o.lane),
        tries_left = case when f.onward is null then tries_left + f.refund::int else ${TRIES}::int end
      from fin f
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
        and o.bucket = f.bucket and o.id = f.id and o.token = f.token and f.again is not null
      returning o.bucket, o.id, o.token),
    mine as (select * from gone union all select * from later),
    files as (
      delete from attachments a using gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.token = gone.token
      where (${group.buckets}::smallint[] is null or a.bucket = any(${group.buckets}::smallint[]))
        and f.files and a.bucket = f.bucket and a.send_id = f.send_id),
    parts as (
      delete from attachment_parts p using gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.token = gone.token
      where (${group.buckets}::smallint[] is null or p.bucket = any(${group.buckets}::smallint[]))
        and f.files and p.bucket = f.bucket and p.send_id = f.send_id),
    buried as (
      insert into dead_letters (bucket, id, lane, token, env_id, user_id, send_id, key, body, code, detail)
      select f.bucket, f.id, f.lane, f.token, f.env_id, f.user_id, f.send_id, f.key, f.body, f.code, f.detail
      from gone join fin f on f.bucket = gone.bucket and f.id = gone.id and f.token = gone.token where f.bury),
    logged as (
      insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, token, outcome,
        code, detail, provider_ref, took_ms)
      select f.bucket, f.attempt_id, f.send_id, f.id, f.env_id, f.user_id, f.notification_id, f.channel, f.token, f.outcome,
        f.code, f.detail, f.ref, f.took
      from mine join fin f on f.bucket = mine.bucket and f.id = mine.id and f.token = mine.token
      where f.logged)
    select id, token from mine`
  return new Set(ours.map(fenceOf))
}
