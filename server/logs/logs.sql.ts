// The logs as rows: a page of sends by filters, and everything that is kept about some of them.
//
// The text of a statement never depends on what a caller writes: values, jsonpath and its variables are parameters.
// Every search names ids or a span of them, so that only the partitions of its days are read.

import { lowestIdAt, bucketOfId, timeInId } from '../core/id.ts'
import type { Db, Fragment, Group, Query, Tx } from '../db/db.ts'
import { toChannel, QUEUES } from '../queue/queues.ts'
import { readFacts } from './delivery-facts.sql.ts'
import type { Facts, SendFacts } from './facts.ts'
import type { LogQuery } from './query/parse-query.ts'
import { SKEW } from './query/time-range.ts'
import { decisionsThatAre } from './status-labels.ts'

export interface Found extends SendFacts {
  readonly sort: unknown
  readonly size: number
}

const OUT = decisionsThatAre('out')
const FAILED = decisionsThatAre('failed')

/**
 * The statement of a page. Its text depends on whether it needs what the tries tell, on the order, and on `among`.
 *
 * @param limit - rows
 * @param among - tracking ids, the only ones to look at; absent: all of the span
 */
export function pageStatement(
  sql: Query,
  { buckets }: Pick<Group, 'buckets'>,
  query: LogQuery,
  limit: number,
  among?: readonly string[]
): Fragment {
  const { ascending, channels = null, program, range, sort } = query
  const { statuses = null, types = null, users = null } = query
  const queues = channels && QUEUES.filter(queue => channels.some(channel => channel === toChannel(queue)))
  const needsState = statuses !== null || program?.state === true
  // They stand in their order, so their ends are its first and last.
  const [from, to] = among
    ? [among.at(ascending ? 0 : -1)!, among.at(ascending ? -1 : 0)!]
    : [lowestIdAt(range.from), lowestIdAt(range.to)]
  const order = sort
    ? sort.descending
      ? sql`"sort" desc nulls last, s.id desc`
      : sql`"sort" asc nulls last, s.id asc`
    : ascending
      ? sql`s.id asc`
      : sql`s.id desc`
  const document = sql`jsonb_build_object('id', s.id, 'env', s.env_id, 'type', s.notification_id, 'sub', s.sub_id,
    'user', s.user_id, 'ms', floor(extract(epoch from uuid_time(s.id)) * 1000 + 0.5), 'request', s.body,
    'text', case when ${program?.text ?? false}::boolean then s.body::text end, 'decisions', s.decisions,
    'status', ${needsState ? sql`state.status` : sql`null`}, 'tries', ${needsState ? sql`state.tries` : sql`null`})`
  // What went out in a digest is logged under the send that leads it.
  const led = sql`(
    select g.value::uuid as id, g.key as channel from jsonb_each_text(s.digests) g where g.value::uuid <> s.id) l`
  const state = sql`
    cross join lateral (
      select tried.tries,
        case when tried.failed or buried.any or s.decisions = '{}' and not waiting.any or exists (
            select from jsonb_each_text(s.decisions) d
            where d.value = any(${FAILED}::text[]) and (${channels}::text[] is null or d.key = any(${channels}::text[])))
          then 'failure'
          when waiting.any then 'received'
          when tried.sent or (${channels}::text[] is null or 'INAPP_WEB' = any(${channels}::text[]))
            and s.decisions ->> 'INAPP_WEB' = any(${OUT}::text[]) then 'success'
          else 'received' end as status
      from (
        select exists (
          select from outbox o
          where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
            and o.bucket = s.bucket and o.send_id = s.id and (o.queue = 'SCHEDULE' or o.queue <> 'EXPIRE'
              and (${channels}::text[] is null or o.queue = any(${queues}::text[]))))
          or exists (
          select from digest_items i
          where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
            and i.bucket = s.bucket and i.id = s.id and (${channels}::text[] is null or i.channel = any(${channels}::text[])))
          or exists (
          select from ${led} join outbox o on o.bucket = s.bucket and o.send_id = l.id
          where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
            and l.channel = case when o.queue in ('APN', 'FCM') then 'PUSH' else o.queue end
            and (${channels}::text[] is null or l.channel = any(${channels}::text[]))) as any) waiting
      cross join (
        select exists (
          select from dead_letters d
          where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
            and d.bucket = s.bucket and d.send_id = s.id
            and (${channels}::text[] is null or d.queue = any(${queues}::text[])))
          or exists (
          select from ${led} join dead_letters d on d.bucket = s.bucket and d.send_id = l.id
          where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
            and l.channel = case when d.queue in ('APN', 'FCM') then 'PUSH' else d.queue end
            and (${channels}::text[] is null or l.channel = any(${channels}::text[]))) as any) buried
      cross join (
        select jsonb_object_agg(c.channel, jsonb_build_object('sent', c.sent_at, 'failed', c.failed_at, 'code', c.code))
            as tries,
          coalesce(bool_or(c.failed_at is not null)
            filter (where ${channels}::text[] is null or c.channel = any(${channels}::text[])), false) as failed,
          coalesce(bool_or(c.sent_at is not null)
            filter (where ${channels}::text[] is null or c.channel = any(${channels}::text[])), false) as sent
        from (
          select l.channel,
            max(l.ms) filter (where l.outcome = 'sent') as sent_at,
            max(l.ms) filter (where l.failed) as failed_at,
            max(l.code) filter (where l.failed) as code
          from (
            select distinct on (a.delivery_id) a.channel, a.outcome, a.code,
              floor(extract(epoch from uuid_time(a.id)) * 1000 + 0.5) as ms,
              a.outcome in ('dead', 'gone') and not exists (
                select from outbox o
                where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
                  and o.bucket = a.bucket and o.id = a.delivery_id) as failed
            from (select s.id, null::text as channel union all select l.id, l.channel from ${led}) u
            join attempts a on a.bucket = s.bucket and a.send_id = u.id and (u.channel is null or u.channel = a.channel)
            where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
              and a.id >= ${lowestIdAt(timeInId(from) - SKEW)}::uuid and a.id < ${lowestIdAt(query.now + SKEW)}::uuid
            order by a.delivery_id, a.id desc) l
          group by l.channel) c) tried
    ) state`
  return sql`
    select s.bucket, s.id, s.env_id as "envId", s.user_id as "userId", s.notification_id as type,
      s.sub_id as "subId", s.body, s.decisions, s.warnings, s.digests, octet_length(s.body::text) as size,
      ${sort ? sql`jsonb_path_query_first(${document}, ${sort.path}::text::jsonpath)` : sql`null::jsonb`} as sort
    from ${among ? sql`unnest(${among.map(bucketOfId)}::smallint[], ${among}::uuid[]) p(bucket, id) join` : sql``}
      sends s ${among ? sql`on s.bucket = p.bucket and s.id = p.id` : sql``} ${needsState ? state : sql``}
    where (${buckets}::smallint[] is null or s.bucket = any(${buckets}::smallint[]))
      and s.env_id = ${query.envId}
      and s.id >= ${from}::uuid and s.id <= ${to}::uuid
      and (${users}::text[] is null or s.user_id = any(${users}::text[]))
      and (${types}::text[] is null or s.notification_id = any(${types}::text[]))
      and (${channels}::text[] is null or jsonb_exists_any(s.decisions, ${channels}::text[]))
      and (${program?.path ?? null}::text is null or jsonb_path_match(${document},
        ${program?.path ?? null}::text::jsonpath, ${JSON.stringify(program?.vars ?? {})}::text::jsonb, true))
      ${needsState ? sql`and (${statuses}::text[] is null or state.status = any(${statuses}::text[]))` : sql``}
    order by ${order} limit ${limit}`
}

/** For the transaction. Plans that know the values leave out partitions and indexes before they begin. */
export const bound = (tx: Tx, milliseconds: number) =>
  tx`select set_config('statement_timeout', ${String(Math.ceil(milliseconds))}, true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`

const CHUNK = 100

/**
 * What matches, in the order of the search, a few at a time: requests may be large.
 *
 * @param among - as of {@link pageStatement}
 */
export async function* find(
  tx: Tx,
  group: Group,
  query: LogQuery,
  limit: number,
  among?: readonly string[]
): AsyncGenerator<Found, void, void> {
  if (among?.length === 0) return
  const rows = tx<Found[]>`${pageStatement(tx, group, query, limit, among)}`
  for await (const chunk of rows.cursor(CHUNK)) yield* chunk
}

/** One send of an environment with all that is kept about it. */
export async function readLog(db: Db, envId: string, id: string, from: number): Promise<Facts | undefined> {
  const bucket = bucketOfId(id)
  const group = db.of(bucket)
  const sends = await group.sql<SendFacts[]>`
    select bucket, id, env_id as "envId", user_id as "userId", notification_id as type, sub_id as "subId", body,
      decisions, warnings, digests
    from sends where bucket = ${bucket} and id = ${id} and env_id = ${envId} and id >= ${lowestIdAt(from)}::uuid`
  return (await readFacts(group, sends))[0]
}
