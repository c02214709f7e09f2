// Finds the sends of a log query, and reads one send.
//
// The text of a statement never depends on user input: values, jsonpath and its variables are parameters. Every search has a
// range of ids, so that only the partitions of its days are read.

import { lowestIdAt, bucketOfId, timeInId } from '../core/id.ts'
import type { Db, Fragment, DatabaseGroup, Query, Tx } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { toChannel, QUEUES } from '../queue/queues.ts'
import { addBroadcasts, loggedSends } from '../send/broadcast/logged-sends.sql.ts'
import { deliversSend, readDeliveryFacts } from './delivery-facts.sql.ts'
import type { DeliveryFacts, SendFacts } from './delivery-facts.ts'
import type { LogQuery } from './query/parse-query.ts'
import { MAX_CLOCK_SKEW_MS } from './query/time-range.ts'
import { decisionsOfKind } from './status-labels.ts'

export interface FoundSend extends SendFacts {
  readonly sortValue: unknown
  readonly bytes: number
  /** As of {@link loggedSends}. */
  readonly itemOf: string | null
}

const OUT = decisionsOfKind('out')
const FAILED = decisionsOfKind('failed')
const UNREACHABLE = decisionsOfKind('unreachable')
const DISCARDED = decisionsOfKind('discarded', 'unreachable')

/**
 * @param limit - of rows
 * @param among - tracking ids to search, in the order of the query; absent: all of the range
 */
export function pageStatement(
  sql: Query,
  { buckets }: Pick<DatabaseGroup, 'buckets'>,
  query: LogQuery,
  limit: number,
  among?: readonly string[]
): Fragment {
  const group = { buckets, sql }
  const { ascending, channels = null, program, range, sort } = query
  const { addresses, decisions = null, ids, statuses = null, types = null, users = null } = query
  const queues = channels && QUEUES.filter(queue => channels.some(channel => channel === toChannel(queue)))
  const needsState = statuses !== null || program?.needsAttempts === true
  // `among` is sorted, so its first and last ids are the bounds.
  const [from, to] = among
    ? [among.at(ascending ? 0 : -1)!, among.at(ascending ? -1 : 0)!]
    : [lowestIdAt(range.from), lowestIdAt(range.to)]
  const order = sort
    ? sort.descending
      ? sql`"sortValue" desc nulls last, s.id desc`
      : sql`"sortValue" asc nulls last, s.id asc`
    : ascending
      ? sql`s.id asc`
      : sql`s.id desc`
  const document = sql`jsonb_build_object('id', s.id, 'env', s.env_id, 'type', s.notification_id, 'sub', s.sub_id,
    'user', s.user_id, 'ms', floor(extract(epoch from uuid_time(s.id)) * 1000 + 0.5), 'request', s.body,
    'text', case when ${program?.needsText ?? false}::boolean then s.body::text end, 'decisions', s.decisions,
    'status', ${needsState ? sql`state.status` : sql`null`}, 'attempts', ${needsState ? sql`state.attempts` : sql`null`})`
  // A digest is logged under the id of its first send.
  const digests = sql`(
    select g.value::uuid as id, g.key as channel from jsonb_each_text(s.digests) g where g.value::uuid <> s.id) l`
  const wentTo = sql`exists (
      select from (select s.id, null::text as channel union all select l.id, l.channel from ${digests}) u
      join attempts a on a.bucket = s.bucket and a.send_id = u.id and (u.channel is null or u.channel = a.channel)
      where ${inGroup(group, 'a')} and a.id >= ${lowestIdAt(timeInId(from) - MAX_CLOCK_SKEW_MS)}::uuid
        and lower(a.address) = any(select lower(w.address) from unnest(${addresses ?? []}::text[]) w(address)))`
  const state = sql`
    cross join lateral (
      select attempted.by_channel as attempts,
        case when attempted.failed or dead_letter.any or decided.failed
          then case when attempted.sent or decided.sent then 'partial' else 'failure' end
          when s.decisions = '{}' and not waiting.any then 'failure'
          when waiting.any then 'received'
          when attempted.sent or decided.sent then 'success'
          when decided.unreachable then 'failure'
          else 'received' end as status
      from (
        select coalesce(bool_or(d.value = any(${FAILED}::text[])) filter (where d.is_wanted), false) as failed,
          coalesce(bool_or(d.key = 'INAPP_WEB' and d.value = any(${OUT}::text[])) filter (where d.is_wanted), false) as sent,
          -- Of all channels, as in the index of failures.
          coalesce(bool_or(d.value = any(${UNREACHABLE}::text[])) filter (where d.is_wanted)
            and bool_and(d.value = any(${DISCARDED}::text[])), false) as unreachable
        from (
          select key, value, ${channels}::text[] is null or key = any(${channels}::text[]) as is_wanted
          from jsonb_each_text(s.decisions)) d) decided
      cross join (
        select exists (
          select from outbox o
          where ${inGroup(group, 'o')}
            and o.bucket = s.bucket and o.send_id = s.id and (o.queue = 'SCHEDULE' or ${deliversSend(sql, 'o')}
              and (${channels}::text[] is null or o.queue = any(${queues}::text[])
                or o.queue = 'HELD' and o.body #>> '{held,queue}' = any(${queues}::text[])
                or o.queue = 'ESCALATE' and o.body ->> 'channel' = any(${channels}::text[]))))
          or exists (
          select from digest_items i
          where ${inGroup(group, 'i')}
            and i.bucket = s.bucket and i.id = s.id and (${channels}::text[] is null or i.channel = any(${channels}::text[])))
          or exists (
          select from ${digests} join outbox o on o.bucket = s.bucket and o.send_id = l.id and ${deliversSend(sql, 'o')}
          cross join lateral (select case when o.queue = 'HELD' then o.body #>> '{held,queue}' else o.queue end as queue) q
          where ${inGroup(group, 'o')}
            and l.channel = case when q.queue in ('APN', 'FCM') then 'PUSH' else q.queue end
            and (${channels}::text[] is null or l.channel = any(${channels}::text[]))) as any) waiting
      cross join (
        select exists (
          select from dead_letters d
          where ${inGroup(group, 'd')} and d.bucket = s.bucket and d.send_id = s.id and ${deliversSend(sql, 'd')}
            and (${channels}::text[] is null or d.queue = any(${queues}::text[])))
          or exists (
          select from ${digests} join dead_letters d on d.bucket = s.bucket and d.send_id = l.id and ${deliversSend(sql, 'd')}
          where ${inGroup(group, 'd')}
            and l.channel = case when d.queue in ('APN', 'FCM') then 'PUSH' else d.queue end
            and (${channels}::text[] is null or l.channel = any(${channels}::text[]))) as any) dead_letter
      cross join (
        select jsonb_object_agg(c.channel, jsonb_build_object('sent', c.sent_at, 'failed', c.failed_at, 'code', c.code))
            as by_channel,
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
                where ${inGroup(group, 'o')} and o.bucket = a.bucket and o.id = a.delivery_id) as failed
            from (select s.id, null::text as channel union all select l.id, l.channel from ${digests}) u
            join attempts a on a.bucket = s.bucket and a.send_id = u.id and (u.channel is null or u.channel = a.channel)
            where ${inGroup(group, 'a')} and a.channel <> 'WEBHOOK'
              and a.id >= ${lowestIdAt(timeInId(from) - MAX_CLOCK_SKEW_MS)}::uuid and a.id < ${lowestIdAt(query.now + MAX_CLOCK_SKEW_MS)}::uuid
            order by a.delivery_id, a.id desc) l
          group by l.channel) c) attempted
    ) state`
  const given =
    among && sql`unnest(${among.map(bucketOfId)}::smallint[], ${among as string[]}::uuid[]) p(bucket, id)`
  const hasBothForms = given && (ids ?? users) !== undefined
  // The offset keeps the union apart, because Citus cannot send it to one node together with the state.
  const source = !given
    ? sql`sends s`
    : hasBothForms
      ? sql`(
        select l.* from ${given} join ${loggedSends(sql)} l on l.bucket = p.bucket and l.id = p.id
        where ${inGroup(group, 'l')} and l.id >= ${from}::uuid and l.id <= ${to}::uuid offset 0) s`
      : sql`${given} join sends s on s.bucket = p.bucket and s.id = p.id`
  return sql`
    select s.bucket, s.id, s.env_id as "envId", s.user_id as "userId", s.notification_id as type,
      s.sub_id as "subId", s.body, s.decisions, s.details, s.warnings, s.digests, octet_length(s.body::text) as bytes,
      ${hasBothForms ? sql`s.item_of` : sql`null::uuid`} as "itemOf",
      ${sort ? sql`jsonb_path_query_first(${document}, ${sort.path}::text::jsonpath)` : sql`null::jsonb`} as "sortValue"
    from ${source} ${needsState ? state : sql``}
    where ${inGroup(group, 's')} and s.env_id = ${query.envId}
      and s.id >= ${from}::uuid and s.id <= ${to}::uuid
      and (${users}::text[] is null or s.user_id = any(${users}::text[]))
      ${addresses ? sql`and ${wentTo}` : sql``}
      and (${types}::text[] is null or s.notification_id = any(${types}::text[]))
      and (${channels}::text[] is null or jsonb_exists_any(s.decisions, ${channels}::text[]))
      and (${decisions}::text[] is null or exists (
        select from jsonb_each_text(s.decisions) d
        where d.value = any(${decisions}::text[])
          and (${channels}::text[] is null or d.key = any(${channels}::text[]))))
      and (${program?.path ?? null}::text is null or jsonb_path_match(${document},
        ${program?.path ?? null}::text::jsonpath, ${JSON.stringify(program?.vars ?? {})}::text::jsonb, true))
      ${needsState ? sql`and (${statuses}::text[] is null or state.status = any(${statuses}::text[]))` : sql``}
    order by ${order} limit ${limit}`
}

/** Limits the statements of the transaction. Custom plans skip the partitions of other days when they are planned. */
export const setSearchLimits = (tx: Tx, timeoutMs: number) =>
  tx`select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`

const ROWS_PER_FETCH = 100

/**
 * Yields the matching sends in the order of the query. Fetches some at a time, because requests may be large.
 *
 * @param tx - of the group
 * @param among - as of {@link pageStatement}
 */
export async function* findSends(
  db: Pick<Db, 'control'>,
  tx: Tx,
  group: DatabaseGroup,
  query: LogQuery,
  limit: number,
  among?: readonly string[]
): AsyncGenerator<FoundSend, void, void> {
  if (among?.length === 0) return
  const rows = tx<FoundSend[]>`${pageStatement(tx, group, query, limit, among)}`
  for await (const chunk of rows.cursor(ROWS_PER_FETCH)) yield* await addBroadcasts(db, query.envId, chunk)
}

/** @param fromMs - sends before this time are not found */
export async function readSendFacts(
  db: Db,
  envId: string,
  id: string,
  fromMs: number
): Promise<DeliveryFacts | undefined> {
  const bucket = bucketOfId(id)
  const group = db.of(bucket)
  const sends = await group.sql<(SendFacts & Pick<FoundSend, 'bytes' | 'itemOf'>)[]>`
    select bucket, id, env_id as "envId", user_id as "userId", notification_id as type, sub_id as "subId", body,
      decisions, details, warnings, digests, octet_length(body::text) as bytes, item_of as "itemOf"
    from ${loggedSends(group.sql)} s
    where bucket = ${bucket} and id = ${id} and env_id = ${envId} and id >= ${lowestIdAt(fromMs)}::uuid`
  return (await readDeliveryFacts(group, await addBroadcasts(db, envId, sends)))[0]
}
