// Reads, redrives and drops dead letters: deliveries that ran out of attempts or can never succeed.
//
// A redrive or drop locks its dead letters first, the oldest first, so that two requests for the same ones wait for each
// other and each dead letter is moved once. It keeps its id and claim count, so attempts go on counting and results from
// before are still rejected.

import { bucketOf, bucketOfId } from '../../core/id.ts'
import type { Db, Fragment, DatabaseGroup, Json, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { Moment } from '../../http/cursor.ts'
import { MAX_ATTEMPTS } from '../backoff.ts'
import type { QueueName } from '../queues.ts'
import type { DeadLetterFilter } from './schema.ts'

export interface DeadLetter {
  readonly id: string
  readonly queue: QueueName
  readonly claimCount: number
  readonly userId: string
  readonly sendId: string | null
  readonly body: { readonly [key: string]: Json | undefined }
  readonly code: string
  readonly detail: string | null
  readonly diedAt: Date
  /** `diedAt` in microseconds since 1970. */
  readonly at: number
}

export interface DeadLetterQuery extends DeadLetterFilter {
  readonly envId: string
  readonly ids?: readonly string[] | undefined
  /** The task that moves them: it is stored with what it drops, and with what it redrives. */
  readonly taskId?: string | undefined
}

const toInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()

/** Returns the buckets of the group that a query names by ids or user; null: any. */
const bucketsOf = ({ buckets }: DatabaseGroup, { envId, ids, userId }: DeadLetterQuery): number[] | null => {
  const named = ids?.map(bucketOfId) ?? (userId === undefined ? null : [bucketOf(envId, userId)])
  return buckets === null || named === null ? named : named.filter(bucket => buckets.includes(bucket))
}

/** Whether the group can have what the query matches. Citus refuses to lock rows of no shard. */
const mayMatch = (group: DatabaseGroup, query: DeadLetterQuery): boolean =>
  bucketsOf(group, query)?.length !== 0

/** Returns the condition that the dead letter `d` matches the query. */
function matches(sql: Query, group: DatabaseGroup, query: DeadLetterQuery): Fragment {
  const { channel: queues = null, code = null, envId, ids = null, type = null, userId = null } = query
  const [from, to] = [toInstant(query.startTime), toInstant(query.endTime)]
  const buckets = bucketsOf(group, query)
  return sql`d.env_id = ${envId}
    and (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
    and (${ids}::uuid[] is null or d.id = any(${ids}::uuid[]))
    and (${userId}::text is null or d.user_id = ${userId})
    and (${queues}::text[] is null or d.queue = any(${queues}::text[]))
    and (${code}::text is null or d.code = ${code})
    and (${type}::text is null or d.body ->> 'notificationId' = ${type})
    and (${from}::timestamptz is null or d.died_at >= ${from}::timestamptz)
    and (${to}::timestamptz is null or d.died_at < ${to}::timestamptz + interval '1 millisecond')`
}

/** Returns one page, the latest first. @param after - the last dead letter of the page before */
export const readDeadLetters = (
  group: DatabaseGroup,
  query: DeadLetterQuery,
  limit: number,
  after: Moment | undefined
): Promise<DeadLetter[]> => group.sql<DeadLetter[]>`
  select d.id, d.queue, d.claim_count as "claimCount", d.user_id as "userId", d.send_id as "sendId", d.body, d.code,
    d.detail, d.died_at as "diedAt", (extract(epoch from d.died_at) * 1000000)::bigint as at
  from dead_letters d
  where ${inGroup(group, 'd')} and ${matches(group.sql, group, query)}
    and (${after?.id ?? null}::uuid is null or (d.died_at, d.id)
      < (timestamptz 'epoch' + ${after?.at ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
  order by d.died_at desc, d.id desc limit ${limit}`

export interface DeadLetterGroup {
  readonly queue: QueueName
  readonly code: string
  /** At most the `maxCount` of the read. */
  readonly count: number
  readonly firstDiedAt: Date
  readonly lastDiedAt: Date
  /** The latest dead letter. */
  readonly exampleId: string
}

/** Dead letters of a group that are counted. */
export const MAX_COUNTED_LETTERS = 10_000

/** Returns the causes in the order of queue and code. Steps from cause to cause in the index, and reads no other dead letter. */
export const readDeadLetterGroups = (
  group: DatabaseGroup,
  envId: string,
  limit: number,
  maxCount = MAX_COUNTED_LETTERS
): Promise<DeadLetterGroup[]> => {
  const { sql } = group
  const ofCause = sql`d.env_id = ${envId} and d.queue = c.queue and d.code = c.code`
  return sql<DeadLetterGroup[]>`
    with recursive causes as (
      (select d.queue, d.code from dead_letters d
       where ${inGroup(group, 'd')} and d.env_id = ${envId} order by d.queue, d.code limit 1)
      union all
      select next.queue, next.code from causes c cross join lateral (
        select d.queue, d.code from dead_letters d
        where ${inGroup(group, 'd')} and d.env_id = ${envId} and (d.queue, d.code) > (c.queue, c.code)
        order by d.queue, d.code limit 1) next)
    select c.queue, c.code, counted.count, first.died_at as "firstDiedAt", last.died_at as "lastDiedAt",
      last.id as "exampleId"
    from (select queue, code from causes limit ${limit}) c
    cross join lateral (
      select count(*)::integer as count from (
        select from dead_letters d where ${inGroup(group, 'd')} and ${ofCause} limit ${maxCount}) bounded) counted
    cross join lateral (
      select d.died_at from dead_letters d where ${inGroup(group, 'd')} and ${ofCause} order by d.died_at, d.id limit 1) first
    cross join lateral (
      select d.id, d.died_at from dead_letters d where ${inGroup(group, 'd')} and ${ofCause} order by d.died_at desc, d.id desc limit 1) last`
}

export interface MovedDeadLetter {
  readonly id: string
  readonly queue: QueueName
}

/**
 * Returns the parts of a statement that delete matching dead letters, the oldest first: `old`, and `gone` with the deleted rows.
 *
 * @param where - a further condition
 */
const deleteMatching = (
  tx: Tx,
  group: DatabaseGroup,
  query: DeadLetterQuery,
  limit: number,
  where: Fragment
): Fragment => tx`
  old as materialized (
    select d.bucket, d.id from dead_letters d
    where ${inGroup(group, 'd')} and ${matches(tx, group, query)} and ${where}
    order by d.died_at, d.id limit ${limit} for update of d),
  gone as (
    delete from dead_letters d using old
    where ${inGroup(group, 'd')} and d.bucket = old.bucket and d.id = old.id
    returning d.*)`

/**
 * Queues dead letters again, with all their attempts.
 *
 * A dead letter stays if its key is in the queue already, or if an older dead letter has the same key: the row of a digest may
 * fail again and again. If another row with its key is queued at the same moment, that row replaces it.
 *
 * @returns the dead letters that are gone: as many as the limit mean that there may be more
 */
export const redrive = async (
  tx: Tx,
  group: DatabaseGroup,
  query: DeadLetterQuery,
  limit: number
): Promise<MovedDeadLetter[]> =>
  !mayMatch(group, query)
    ? []
    : tx<MovedDeadLetter[]>`
  with ${deleteMatching(
    tx,
    group,
    query,
    limit,
    tx`(d.key is null or (not exists (
        select from outbox o
        where ${inGroup(group, 'o')} and o.bucket = d.bucket and o.key = d.key) and not exists (
        select from dead_letters e
        where ${inGroup(group, 'e')} and e.bucket = d.bucket and e.key = d.key and e.id < d.id)))`
  )}, back as (
    insert into outbox (bucket, id, queue, claim_count, attempts_left, env_id, user_id, send_id, key, body)
    select bucket, id, queue, claim_count, ${MAX_ATTEMPTS}, env_id, user_id, send_id, key,
      -- The worker reads the address again (server/channels/refresh-address.ts).
      case when jsonb_exists(body, 'to')
        then body || jsonb_strip_nulls(jsonb_build_object('isRedriven', true, 'taskId', ${query.taskId ?? null}::text))
        else body end from gone
    on conflict (bucket, key) where key is not null do nothing)
  select id, queue from gone`

/** Drops dead letters, which are kept for a day (dropped.sql.ts). The log of their attempts stays. */
export const drop = async (
  tx: Tx,
  group: DatabaseGroup,
  query: DeadLetterQuery,
  limit: number
): Promise<MovedDeadLetter[]> =>
  !mayMatch(group, query)
    ? []
    : tx<MovedDeadLetter[]>`
  with ${deleteMatching(tx, group, query, limit, tx`true`)},
  kept as (
    insert into dropped_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail,
      died_at, task_id)
    select bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail, died_at,
      ${query.taskId ?? null}::uuid from gone)
  select id, queue from gone`

export async function countDeadLetters(
  group: DatabaseGroup,
  query: DeadLetterQuery,
  limit: number
): Promise<number> {
  const [row] = await group.work<{ count: number }[]>`
    select count(*)::integer as count from (
      select from dead_letters d
      where ${inGroup(group, 'd')} and ${matches(group.work, group, query)} limit ${limit}) counted`
  return row!.count
}

/** Dead letters since a redrive that are looked at. */
const MAX_DIED_AGAIN = 10_000

/** Counts the messages that a task redrove and that died again. */
export async function countDiedAgain(db: Db, envId: string, taskId: string, since: Date): Promise<number> {
  const counts = await Promise.all(
    db.groups.map(
      group => group.sql<{ count: number }[]>`
        select count(*)::integer as count from (
          select d.body ->> 'taskId' as task_id from dead_letters d
          where ${inGroup(group, 'd')} and d.env_id = ${envId} and d.died_at >= ${since}
          order by d.died_at desc, d.id desc limit ${MAX_DIED_AGAIN}) recent
        where task_id = ${taskId}`
    )
  )
  return counts.reduce((sum, [row]) => sum + row!.count, 0)
}
