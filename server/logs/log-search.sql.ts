// Reads the next step of a log search: the ids of the next sends that may match, from an index alone. The cost of a step depends
// on the sends it finds, and the search can stop after each step.

import { lowestIdAt, bucketOf, timeInId } from '../core/id.ts'
import type { Fragment, DatabaseGroup, Query } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { loggedSends } from '../send/broadcast/logged-sends.sql.ts'
import type { LogQuery } from './query/parse-query.ts'
import { MAX_CLOCK_SKEW_MS } from './query/time-range.ts'

/** The ids between two ids, which are not included. */
export interface IdRange {
  readonly low: string
  readonly high: string
}

export interface SearchStep {
  readonly ids: readonly string[]
  /** The next step begins behind this id; undefined if there are no more sends. */
  readonly lastSearched?: string
}

type Filters = Pick<
  LogQuery,
  'addresses' | 'ascending' | 'envId' | 'ids' | 'now' | 'statuses' | 'types' | 'users'
>
type Buckets = Pick<DatabaseGroup, 'buckets'>

export async function readSearchStep(
  query: Query,
  group: DatabaseGroup,
  filters: Filters,
  span: IdRange,
  count: number
): Promise<SearchStep> {
  if (filters.ids) return stepOfIds(filters.ids, filters.ascending, span, count)
  const [row] = await query<{ ids: string[] | null; seen: number; last: string }[]>`
    ${searchStatement(query, group, filters, span, count)}`
  const { ids, last, seen } = row!
  return { ids: ids ?? [], ...(seen === count && { lastSearched: last }) }
}

function stepOfIds(
  ids: readonly string[],
  ascending: boolean,
  { low, high }: IdRange,
  count: number
): SearchStep {
  const inside = ids.filter(id => id > low && id < high).toSorted()
  const next = (ascending ? inside : inside.toReversed()).slice(0, count)
  return { ids: next, ...(next.length < inside.length && { lastSearched: next.at(-1)! }) }
}

export const searchStatement = (
  query: Query,
  group: Buckets,
  filters: Filters,
  span: IdRange,
  count: number
): Fragment => query`
  with seen as materialized (${searchSource(query, group, filters, span, count)})
  select array_agg(id::text order by id ${sortDirection(query, filters)}) filter (
      where ${filters.types ?? null}::text[] is null or type is null or type = any(${filters.types ?? null}::text[])) as ids,
    count(*)::integer as seen,
    (select id from seen order by id ${sortDirection(query, { ascending: !filters.ascending })} limit 1) as last
  from seen`

/** From a send to its digest: a month, and the days that a digest may be late. */
const MAX_DIGEST_MS = 40 * 86_400_000

/** Reads the index with the fewest candidates. Only the index of an environment's sends contains the type. */
function searchSource(
  query: Query,
  { buckets }: Buckets,
  filters: Filters,
  { low, high }: IdRange,
  count: number
): Fragment {
  const group = { buckets, sql: query }
  const { addresses, envId, now, users } = filters
  const ordered = query`order by 1 ${sortDirection(query, filters)} limit ${count}`
  if (addresses) {
    const wentTo = query`
      a.env_id = ${envId} and a.address is not null and a.channel in ('EMAIL', 'SMS', 'CALL')
      and address_key(a.env_id, a.address) = address_key(${envId}, w.address)
      and a.id >= ${lowestIdAt(timeInId(low) - MAX_CLOCK_SKEW_MS)}::uuid and a.id < ${lowestIdAt(now + MAX_CLOCK_SKEW_MS)}::uuid`
    // A digest is logged under the id of its last send; the others are found through it.
    const behindDigest = lowestIdAt(timeInId(high) + MAX_DIGEST_MS)
    return query`
      select f.id, null::text as type from unnest(${addresses}::text[]) w(address)
      cross join lateral (
        (select distinct a.send_id as id from attempts a
          where ${inGroup(group, 'a')} and ${wentTo} and a.send_id > ${low}::uuid and a.send_id < ${high}::uuid ${ordered})
        union
        (select distinct s.id from (
            select distinct a.bucket, a.user_id, a.send_id, a.channel from attempts a
            where ${inGroup(group, 'a')} and ${wentTo} and a.send_id > ${low}::uuid and a.send_id < ${behindDigest}::uuid) h
          join sends d on d.bucket = h.bucket and d.id = h.send_id and d.digests is not null
          join sends s on s.bucket = h.bucket and s.user_id = h.user_id and s.digests ->> h.channel = h.send_id::text
          where ${inGroup(group, 'd')} and ${inGroup(group, 's')} and d.id > ${low}::uuid and d.id < ${behindDigest}::uuid
            and s.env_id = ${envId} and s.id > ${low}::uuid and s.id < ${high}::uuid ${ordered})) f
      group by f.id ${ordered}`
  }
  if (users) {
    return query`
      select own.id, null::text as type
      from unnest(${users.map(user => bucketOf(envId, user))}::smallint[], ${users}::text[]) u(bucket, id)
      cross join lateral (
        select s.id from ${loggedSends(query)} s
        where ${inGroup(group, 's')} and s.bucket = u.bucket
          and s.env_id = ${envId} and s.user_id = u.id and s.id > ${low}::uuid and s.id < ${high}::uuid ${ordered}) own
      ${ordered}`
  }
  const sendsOfEnvironment = query`
    from sends s
    where ${inGroup(group, 's')} and s.env_id = ${envId} and s.id > ${low}::uuid and s.id < ${high}::uuid`
  if (!wantsFailuresOnly(filters))
    return query`select s.id, s.notification_id as type ${sendsOfEnvironment} ${ordered}`
  return query`
    select f.id, null::text as type from (
      (select s.id ${sendsOfEnvironment} and may_have_failed(s.decisions, s.digests) ${ordered})
      union
      (select distinct a.send_id from attempts a
        where ${inGroup(group, 'a')}
          and a.env_id = ${envId} and a.outcome in ('dead', 'gone') and a.id >= ${lowestIdAt(timeInId(low) - MAX_CLOCK_SKEW_MS)}::uuid and a.id < ${lowestIdAt(now + MAX_CLOCK_SKEW_MS)}::uuid
          and a.send_id > ${low}::uuid and a.send_id < ${high}::uuid ${ordered})
      union
      (select distinct d.send_id from dead_letters d
        where ${inGroup(group, 'd')}
          and d.env_id = ${envId} and d.send_id > ${low}::uuid and d.send_id < ${high}::uuid ${ordered})) f
    ${ordered}`
}

const wantsFailuresOnly = ({ statuses }: Filters): boolean =>
  statuses?.every(one => one === 'failure' || one === 'partial') ?? false

const sortDirection = (query: Query, { ascending }: Pick<Filters, 'ascending'>): Fragment =>
  ascending ? query`asc` : query`desc`
