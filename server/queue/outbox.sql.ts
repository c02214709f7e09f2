// The outbox: inserts rows of pending work, claims them for a worker, and returns or removes them.
//
// `run_at` is the time of a schedule, of a back-off and of the end of a lease at once. `claim_count` grows with each claim,
// so a result with an old count is rejected (finish.sql.ts).

import type { UserKey } from '../core/id.ts'
import type { Fragment, DatabaseGroup, Json, Query, Tx } from '../db/db.ts'
import { inGroup, rowSource, unnest } from '../db/sql-helpers.ts'
import { MAX_ATTEMPTS } from './backoff.ts'
import type { QueueName } from './queues.ts'

export interface NewOutboxRow extends UserKey {
  /** uuidv7 with the user's placement hash. */
  readonly id: string
  readonly queue: QueueName
  /** Default: the time of the transaction. */
  readonly runAt?: Date
  /** Default: {@link MAX_ATTEMPTS}. */
  readonly attemptsLeft?: number
  readonly sendId?: string
  /** At most one row of a bucket may have this key. */
  readonly key?: string
  readonly body: Json
}

/** Inserts rows in the caller's transaction. Wake the queues after the commit. */
export async function enqueue(tx: Tx, rows: readonly NewOutboxRow[]): Promise<void> {
  if (rows.length > 0) await insertOutboxRows(tx, rows)
}

const newRows = rowSource<NewOutboxRow>(
  'r',
  {
    bucket: 'smallint',
    id: 'uuid',
    queue: 'text',
    run_at: 'timestamptz',
    env_id: 'text',
    user_id: 'text',
    send_id: 'uuid',
    key: 'text',
    body: 'json'
  },
  { attempts_left: ['smallint', row => row.attemptsLeft ?? MAX_ATTEMPTS] }
)

/**
 * Returns the insert as a statement of its own or as a part of one.
 *
 * @param asValues - as in `RowSource`
 */
export const insertOutboxRows = (query: Query, rows: readonly NewOutboxRow[], asValues = false): Fragment =>
  query`
    insert into outbox (bucket, id, queue, run_at, attempts_left, env_id, user_id, send_id, key, body)
    select bucket, id, queue, coalesce(run_at, now()), attempts_left, env_id, user_id, send_id, key, body::jsonb
    from ${newRows(query, rows, asValues)}`

/** A row that this process may work on until its lease ends. */
export interface ClaimedRow extends UserKey {
  readonly id: string
  readonly claimCount: number
  /** After this claim. Below zero: the last attempt has no result. */
  readonly attemptsLeft: number
  readonly sendId: string | null
  readonly key: string | null
  readonly body: Json
  /** The attempt before this one has no result. */
  readonly isPreviousLost: boolean
  readonly dueAt: Date
  readonly bodyBytes: number
  /** Rows that the claim found. Those that did not fit into its bytes are left for the next claim. */
  readonly foundCount: number
}

export const compareDueTime = (a: ClaimedRow, b: ClaimedRow): number => a.dueAt.getTime() - b.dueAt.getTime()

export interface ClaimOptions {
  readonly queue: QueueName
  readonly limit: number
  /** Of all bodies together, as they are stored. One row is claimed in any case. Default: any. */
  readonly maxBytes?: number | undefined
  readonly leaseMs: number
  /** The scan floor: rows that were due before are skipped, because dead index entries stand before it. */
  readonly minRunAt: Date
  /** Rows that are due after this time are skipped. Default: none. */
  readonly maxRunAt?: Date
  /** Default: all environments. */
  readonly envId?: string
}

/**
 * Claims due rows, the oldest first.
 *
 * MATERIALIZED, or the planner may claim more than the limit. The window has no order of its own, so rows with the same
 * due time keep theirs.
 */
export const claim = (
  group: DatabaseGroup,
  { queue, limit, leaseMs, minRunAt, maxRunAt, maxBytes, envId }: ClaimOptions
): Promise<ClaimedRow[]> => group.work<ClaimedRow[]>`
  with due as materialized (
    select bucket, id, leased, run_at, pg_column_size(body) as size from outbox
    where ${inGroup(group)}
      and queue = ${queue} and run_at >= ${minRunAt} and run_at <= now()
      ${maxRunAt === undefined ? group.work`` : group.work`and run_at <= ${maxRunAt}`}
      ${envId === undefined ? group.work`` : group.work`and env_id = ${envId}`}
    order by run_at limit ${limit} for update skip locked),
  fitting as (
    select * from (
      select *, sum(size) over oldest as bytes, row_number() over oldest as n
      from due window oldest as (rows unbounded preceding)) as sized
    where n = 1 or bytes <= ${maxBytes ?? Number.MAX_SAFE_INTEGER})
  update outbox o
  set claim_count = case when claim_count = 32767 then 1 else claim_count + 1 end, attempts_left = attempts_left - 1,
    leased = true, run_at = now() + make_interval(secs => ${leaseMs}::float8 / 1000)
  from fitting as due
  where ${inGroup(group, 'o')} and o.bucket = due.bucket and o.id = due.id
  returning o.bucket, o.id, o.claim_count as "claimCount", o.attempts_left as "attemptsLeft", o.env_id as "envId",
    o.user_id as "userId", o.send_id as "sendId", o.key, o.body, due.leased as "isPreviousLost",
    due.run_at as "dueAt", due.size as "bodyBytes", (select count(*) from due)::int as "foundCount"`

/**
 * Returns the time until the next row of the queue is due, by the clock of the database. 0 or less: a row is due.
 *
 * @returns undefined if the queue is empty from `minRunAt` on
 */
export async function readNextDueMs(
  group: DatabaseGroup,
  queue: QueueName,
  minRunAt: Date
): Promise<number | undefined> {
  const [row] = await group.work<{ waitMs: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float8 * 1000 as "waitMs" from outbox
    where ${inGroup(group)} and queue = ${queue} and run_at >= ${minRunAt}
    order by run_at limit 1`
  return row?.waitMs
}

/** An environment with due rows, and the due times of its first and last row. */
export type DueEnvironment = Required<Pick<ClaimOptions, 'envId' | 'minRunAt' | 'maxRunAt'>>

/**
 * Returns the environments that have due rows in a queue, the one that waits longest first. Reads all rows that are due
 * since `minRunAt`. A Date has no microseconds, so `maxRunAt` is a millisecond later than the last row.
 */
export const readDueEnvironments = (
  group: DatabaseGroup,
  queue: QueueName,
  minRunAt: Date
): Promise<DueEnvironment[]> => group.work<DueEnvironment[]>`
  select env_id as "envId", min(run_at) as "minRunAt", max(run_at) + interval '1 ms' as "maxRunAt" from outbox
  where ${inGroup(group)} and queue = ${queue} and run_at >= ${minRunAt} and run_at <= now()
  group by env_id order by "minRunAt"`

type ClaimKey = Pick<ClaimedRow, 'bucket' | 'id' | 'claimCount'>

const CLAIM_KEY = { bucket: 'smallint', id: 'uuid', claim_count: 'smallint' } as const

/**
 * Removes claimed rows in the transaction of a database job.
 *
 * @returns the ids of the rows that were still claimed. The others were claimed again: the job must do nothing for them.
 */
export async function removeClaimed(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly ClaimKey[]
): Promise<Set<string>> {
  const removed = await tx<{ id: string }[]>`
    delete from outbox o using ${unnest(tx, 'f', rows, CLAIM_KEY)}
    where ${inGroup(group, 'o')} and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
    returning o.id`
  return new Set(removed.map(row => row.id))
}

/** Begins the leases of claimed rows again. Rows that were claimed again keep theirs. */
export async function renewLeases(
  group: DatabaseGroup,
  rows: readonly ClaimKey[],
  leaseMs: number
): Promise<void> {
  await group.work`
    update outbox o set run_at = f.due_at
    from (select *, now() + make_interval(secs => ${leaseMs}::float8 / 1000) as due_at
      from ${unnest(group.work, 'r', rows, CLAIM_KEY)}) as f
    where ${inGroup(group, 'o')} and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count and o.leased`
}

/**
 * Ends claims without using an attempt. The rows have their old due time again, and so their place in the queue.
 *
 * @returns the ids of the rows that were still claimed
 */
export async function returnToQueue(
  group: DatabaseGroup,
  rows: readonly (ClaimKey & Pick<ClaimedRow, 'dueAt'>)[]
): Promise<Set<string>> {
  const returned = await group.work<{ id: string }[]>`
    update outbox o set run_at = f.due_at, attempts_left = attempts_left + 1, leased = false
    from ${unnest(group.work, 'f', rows, { ...CLAIM_KEY, due_at: 'timestamptz' })}
    where ${inGroup(group, 'o')} and o.bucket = f.bucket and o.id = f.id and o.claim_count = f.claim_count
    returning o.id`
  return new Set(returned.map(row => row.id))
}

export interface QueueDepth {
  readonly queue: QueueName
  /** Rows, due or not. */
  readonly rowCount: number
  /** How late the oldest due row is; 0 if no row is due. */
  readonly oldestSeconds: number
}

/** Counts all rows of the outbox, for metrics. Do not call it more often than every 15 s. */
export const readQueueDepths = (query: Query, group: DatabaseGroup): Promise<QueueDepth[]> => query<
  QueueDepth[]
>`
  select queue, count(*)::int as "rowCount",
    greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8 as "oldestSeconds"
  from outbox where ${inGroup(group)} group by queue`
