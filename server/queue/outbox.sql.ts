// The outbox: how rows come into the only queue, into somebody's hands and out of them; tries end in finish.sql.ts.
// `run_at` is schedule, back-off and lease at once; `claim_count` is the fence.
//
// Every statement takes the bucket group it may touch and says so at each table (guides: past one machine).

import type { UserKey } from '../core/id.ts'
import type { Fragment, Group, Json, Query, Tx } from '../db/db.ts'
import { TRIES } from './backoff.ts'
import type { QueueName } from './queues.ts'

export interface NewRow extends UserKey {
  /** uuidv7 of the owner's place. */
  readonly id: string
  readonly queue: QueueName
  /** Default: the transaction's time, which is now. */
  readonly runAt?: Date
  /** Default: {@link TRIES}. */
  readonly attemptsLeft?: number
  readonly sendId?: string
  /** At most one row with this key may wait in a bucket. */
  readonly key?: string
  readonly body: Json
}

/** Writes rows in the caller's transaction. Wake the queues after the commit. */
export async function enqueue(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  if (rows.length > 0) await enqueuing(tx, rows)
}

/** The statement, or a part of one. */
export const enqueuing = (query: Query, rows: readonly NewRow[]): Fragment =>
  query`
    insert into outbox (bucket, id, queue, run_at, attempts_left, env_id, user_id, send_id, key, body)
    select bucket, id, queue, coalesce(run_at, now()), attempts_left, env_id, user_id, send_id, key, body::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.queue)}::text[],
      ${rows.map(row => row.runAt?.toISOString() ?? null)}::timestamptz[],
      ${rows.map(row => row.attemptsLeft ?? TRIES)}::smallint[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(row => row.sendId ?? null)}::uuid[],
      ${rows.map(row => row.key ?? null)}::text[],
      ${rows.map(row => JSON.stringify(row.body))}::text[]
    ) as r(bucket, id, queue, run_at, attempts_left, env_id, user_id, send_id, key, body)`

/** A row in the hands of this process until its lease ends. */
export interface Claimed extends UserKey {
  readonly id: string
  readonly claimCount: number
  /** After this claim; below zero: the last try was lost. */
  readonly attemptsLeft: number
  readonly sendId: string | null
  readonly key: string | null
  readonly body: Json
  /** The try before this one never reported. */
  readonly lost: boolean
  /** When the row was due. */
  readonly dueAt: Date
  /** Of the body, as it is stored. */
  readonly bytes: number
  /** Rows that its claim found: what did not fit is there for the next one. */
  readonly found: number
}

export const byDue = (a: Claimed, b: Claimed): number => a.dueAt.getTime() - b.dueAt.getTime()

export interface Claim {
  readonly queue: QueueName
  readonly limit: number
  /** Of all bodies together, as they are stored; one row always comes. Default: any. */
  readonly bytes?: number | undefined
  /** Milliseconds. */
  readonly lease: number
  /** Rows due before this are not looked for: keeps a claim off dead index entries while a snapshot is held elsewhere. */
  readonly low: Date
  /** Nor are rows due after this. Default: all that are due. */
  readonly high?: Date
  /** Only of this environment. Default: of all. */
  readonly envId?: string
}

/**
 * MATERIALIZED, or the planner may claim more than the limit. Oldest first; the window has no order of its own, so those
 * of the same instant stay as they were found.
 */
export const claim = (
  group: Group,
  { queue, limit, lease, low, high, bytes, envId }: Claim
): Promise<Claimed[]> => group.work<Claimed[]>`
  with due as materialized (
    select bucket, id, leased, run_at, pg_column_size(body) as size from outbox
    where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
      and queue = ${queue} and run_at >= ${low} and run_at <= now()
      ${high === undefined ? group.work`` : group.work`and run_at <= ${high}`}
      ${envId === undefined ? group.work`` : group.work`and env_id = ${envId}`}
    order by run_at limit ${limit} for update skip locked),
  fitting as (
    select * from (
      select *, sum(size) over oldest as bytes, row_number() over oldest as n
      from due window oldest as (rows unbounded preceding)) as sized
    where n = 1 or bytes <= ${bytes ?? Number.MAX_SAFE_INTEGER})
  update outbox o
  set claim_count = case claim_count when 32767 then 1 else claim_count + 1 end, attempts_left = attempts_left - 1, leased = true,
    run_at = now() + make_interval(secs => ${lease}::float8 / 1000)
  from fitting as due
  where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
    and o.bucket = due.bucket and o.id = due.id
  returning o.bucket, o.id, o.claim_count as "claimCount", o.attempts_left as "attemptsLeft", o.env_id as "envId", o.user_id as "userId",
    o.send_id as "sendId", o.key, o.body, due.leased as lost, due.run_at as "dueAt", due.size as bytes,
    (select count(*) from due)::int as found`

/** Milliseconds until the queue's next row is due (0 or less: now), by the database's clock; undefined: no row. */
export async function nextDue(group: Group, queue: QueueName, low: Date): Promise<number | undefined> {
  const [row] = await group.work<{ wait: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float8 * 1000 as wait from outbox
    where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
      and queue = ${queue} and run_at >= ${low}
    order by run_at limit 1`
  return row?.wait
}

/** An environment with due rows, and from when to when they reach. */
export type Waiting = Required<Pick<Claim, 'envId' | 'low' | 'high'>>

/**
 * Who waits in a queue, the longest first. Reads all that is due, from `since` on. A date here has no microseconds: `high` is past
 * the last row.
 */
export const readWaiting = (group: Group, queue: QueueName, since: Date): Promise<Waiting[]> => group.work<
  Waiting[]
>`
  select env_id as "envId", min(run_at) as low, max(run_at) + interval '1 ms' as high from outbox
  where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
    and queue = ${queue} and run_at >= ${since} and run_at <= now()
  group by env_id order by low`

type Owned = Pick<Claimed, 'bucket' | 'id' | 'claimCount'>

/**
 * For steps that finish in their own transaction: removes the rows that are still ours and returns their ids.
 * A row that is missing in the answer belongs to somebody else now: do nothing for it.
 */
export async function take(tx: Tx, group: Group, rows: readonly Owned[]): Promise<Set<string>> {
  const gone = await tx<{ id: string }[]>`
    delete from outbox o
    using unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.claimCount)}::smallint[]) as f(bucket, id, claim_count)
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
    returning o.id`
  return new Set(gone.map(row => row.id))
}

/**
 * As it was before the claim: the try does not count, and what came later goes later, also where thousands wait.
 *
 * @returns the ids that were still ours
 */
export async function giveBack(
  group: Group,
  rows: readonly (Owned & Pick<Claimed, 'dueAt'>)[]
): Promise<Set<string>> {
  const back = await group.work<{ id: string }[]>`
    update outbox o set run_at = f.due, attempts_left = attempts_left + 1, leased = false
    from unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.claimCount)}::smallint[], ${rows.map(row => row.dueAt.toISOString())}::timestamptz[])
      as f(bucket, id, claim_count, due)
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
    returning o.id`
  return new Set(back.map(row => row.id))
}
