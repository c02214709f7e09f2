// Dead letters: what ran out of tries or was refused for good, to be looked at, sent again or dropped.
//
// Whoever moves or drops letters locks them first, oldest first, so that two orders about the same letters wait for each
// other and each letter is moved once. A letter keeps its id and claim count, so its tries go on counting and a report of
// before its death is still fenced.

import { bucketOf, bucketOfId } from '../../core/id.ts'
import type { Fragment, Group, Json, Query, Tx } from '../../db/db.ts'
import type { Moment } from '../../http/cursor.ts'
import { MAX_ATTEMPTS } from '../backoff.ts'
import type { QueueName } from '../queues.ts'
import type { DeadLetterFilter } from './schema.ts'

export interface DeadLetter {
  readonly id: string
  readonly queue: QueueName
  /** Claims so far. */
  readonly claimCount: number
  readonly userId: string
  /** Tracking id. */
  readonly sendId: string | null
  readonly body: { readonly [key: string]: Json | undefined }
  readonly code: string
  readonly detail: string | null
  readonly diedAt: Date
  /** The same in microseconds since 1970. */
  readonly at: number
}

export interface DeadLetterQuery extends DeadLetterFilter {
  readonly envId: string
  readonly ids?: readonly string[] | undefined
}

const instant = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()

function which(sql: Query, wanted: DeadLetterQuery) {
  const {
    channel: queues = null,
    code = null,
    endTime,
    envId,
    ids = null,
    startTime,
    type = null,
    userId = null
  } = wanted
  const homes = ids?.map(bucketOfId) ?? (userId === null ? null : [bucketOf(envId, userId)])
  return sql`d.env_id = ${envId}
    and (${homes}::smallint[] is null or d.bucket = any(${homes}::smallint[]))
    and (${ids}::uuid[] is null or d.id = any(${ids}::uuid[]))
    and (${userId}::text is null or d.user_id = ${userId})
    and (${queues}::text[] is null or d.queue = any(${queues}::text[]))
    and (${code}::text is null or d.code = ${code})
    and (${type}::text is null or d.body ->> 'notificationId' = ${type})
    and (${instant(startTime)}::timestamptz is null or d.died_at >= ${instant(startTime)}::timestamptz)
    and (${instant(endTime)}::timestamptz is null
      or d.died_at < ${instant(endTime)}::timestamptz + interval '1 millisecond')`
}

/** Those that died last come first. @param after - the last one of the page before */
export const readDeadLetters = (
  group: Group,
  wanted: DeadLetterQuery,
  limit: number,
  after: Moment | undefined
): Promise<DeadLetter[]> => group.sql<DeadLetter[]>`
  select d.id, d.queue, d.claim_count as "claimCount", d.user_id as "userId", d.send_id as "sendId", d.body, d.code, d.detail,
    d.died_at as "diedAt", (extract(epoch from d.died_at) * 1000000)::bigint as at
  from dead_letters d
  where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
    and ${which(group.sql, wanted)}
    and (${after?.id ?? null}::uuid is null or (d.died_at, d.id)
      < (timestamptz 'epoch' + ${after?.at ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
  order by d.died_at desc, d.id desc limit ${limit}`

export interface MovedDeadLetter {
  readonly id: string
  readonly queue: QueueName
}

/**
 * Takes some of them away, those that died first: a part of a statement.
 *
 * @param where - a further condition
 */
const removing = (
  tx: Tx,
  { buckets }: Pick<Group, 'buckets'>,
  wanted: DeadLetterQuery,
  limit: number,
  where: Fragment
): Fragment => tx`
  with old as materialized (
    select d.bucket, d.id from dead_letters d
    where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
      and ${which(tx, wanted)} and ${where}
    order by d.died_at, d.id limit ${limit} for update of d)
  delete from dead_letters d using old
  where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
    and d.bucket = old.bucket and d.id = old.id
  returning d.*`

/**
 * Puts them back into the queue with a fresh budget. One whose key waits there already stays a letter, and so does one
 * that is not the first with its key: the head of a digest may die again and again. Where another head of its items comes in
 * the same moment, that one will do, and the letter goes.
 *
 * @returns all that went: as many as the limit mean that there may be more
 */
export const redrive = (
  tx: Tx,
  group: Pick<Group, 'buckets'>,
  wanted: DeadLetterQuery,
  limit: number
): Promise<MovedDeadLetter[]> => tx<MovedDeadLetter[]>`
  with gone as (${removing(
    tx,
    group,
    wanted,
    limit,
    tx`(d.key is null or (not exists (
        select from outbox o
        where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
          and o.bucket = d.bucket and o.key = d.key) and not exists (
        select from dead_letters e
        where (${group.buckets}::smallint[] is null or e.bucket = any(${group.buckets}::smallint[]))
          and e.bucket = d.bucket and e.key = d.key and e.id < d.id)))`
  )}), back as (
    insert into outbox (bucket, id, queue, claim_count, attempts_left, env_id, user_id, send_id, key, body)
    select bucket, id, queue, claim_count, ${MAX_ATTEMPTS}, env_id, user_id, send_id, key, body from gone
    on conflict (bucket, key) where key is not null do nothing)
  select id, queue from gone`

/** Forgets them. The log of their tries stays. */
export const drop = (
  tx: Tx,
  group: Pick<Group, 'buckets'>,
  wanted: DeadLetterQuery,
  limit: number
): Promise<MovedDeadLetter[]> => tx<MovedDeadLetter[]>`
  with gone as (${removing(tx, group, wanted, limit, tx`true`)}) select id, queue from gone`
