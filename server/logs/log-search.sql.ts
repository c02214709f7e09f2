// Where a search of the log looks next: the ids of the next sends that it may mean, by an index alone. So a search goes
// through the log in steps that each cost what they find, and can stop between any two of them.

import { lowestIdAt, bucketOf, timeInId } from '../core/id.ts'
import type { Fragment, Group, Query } from '../db/db.ts'
import type { LogQuery } from './query/parse-query.ts'
import { SKEW } from './query/time-range.ts'

/** Between two ids, without them. */
export interface Span {
  readonly low: string
  readonly high: string
}

export interface Places {
  /** Tracking ids in the order of the search. */
  readonly ids: readonly string[]
  /** The last one that was looked at, to go on behind it; undefined: there are no more. */
  readonly edge?: string
}

type Asked = Pick<LogQuery, 'ascending' | 'envId' | 'ids' | 'now' | 'statuses' | 'types' | 'users'>
type Buckets = Pick<Group, 'buckets'>

/** @param count - how many to look at */
export async function readPlaces(
  query: Query,
  group: Group,
  asked: Asked,
  span: Span,
  count: number
): Promise<Places> {
  if (asked.ids) return namedPlaces(asked.ids, asked.ascending, span, count)
  const [row] = await query<{ ids: string[] | null; seen: number; last: string }[]>`
    ${placesStatement(query, group, asked, span, count)}`
  const { ids, last, seen } = row!
  return { ids: ids ?? [], ...(seen === count && { edge: last }) }
}

function namedPlaces(ids: readonly string[], ascending: boolean, { low, high }: Span, count: number): Places {
  const inside = ids.filter(id => id > low && id < high).toSorted()
  const next = (ascending ? inside : inside.toReversed()).slice(0, count)
  return { ids: next, ...(next.length < inside.length && { edge: next.at(-1)! }) }
}

export const placesStatement = (
  query: Query,
  group: Buckets,
  asked: Asked,
  span: Span,
  count: number
): Fragment => query`
  with seen as materialized (${sourceOf(query, group, asked, span, count)})
  select array_agg(id::text order by id ${directionOf(query, asked)}) filter (
      where ${asked.types ?? null}::text[] is null or type is null or type = any(${asked.types ?? null}::text[])) as ids,
    count(*)::integer as seen,
    (select id from seen order by id ${directionOf(query, { ascending: !asked.ascending })} limit 1) as last
  from seen`

/** The index that leads to the fewest. Only that of an environment's sends knows the type. */
function sourceOf(
  query: Query,
  { buckets }: Buckets,
  asked: Asked,
  { low, high }: Span,
  count: number
): Fragment {
  const { envId, now, users } = asked
  const inOrder = query`order by 1 ${directionOf(query, asked)} limit ${count}`
  if (users) {
    return query`
      select own.id, null::text as type
      from unnest(${users.map(user => bucketOf(envId, user))}::smallint[], ${users}::text[]) u(bucket, id)
      cross join lateral (
        select s.id from sends s
        where (${buckets}::smallint[] is null or s.bucket = any(${buckets}::smallint[])) and s.bucket = u.bucket
          and s.env_id = ${envId} and s.user_id = u.id and s.id > ${low}::uuid and s.id < ${high}::uuid ${inOrder}) own
      ${inOrder}`
  }
  const ofSends = query`
    from sends s
    where (${buckets}::smallint[] is null or s.bucket = any(${buckets}::smallint[]))
      and s.env_id = ${envId} and s.id > ${low}::uuid and s.id < ${high}::uuid`
  if (!wantsFailuresOnly(asked)) return query`select s.id, s.notification_id as type ${ofSends} ${inOrder}`
  return query`
    select f.id, null::text as type from (
      (select s.id ${ofSends} and may_have_failed(s.decisions, s.digests) ${inOrder})
      union
      (select distinct a.send_id from attempts a
        where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
          and a.env_id = ${envId} and a.outcome in ('dead', 'gone') and a.id >= ${lowestIdAt(timeInId(low) - SKEW)}::uuid and a.id < ${lowestIdAt(now + SKEW)}::uuid
          and a.send_id > ${low}::uuid and a.send_id < ${high}::uuid ${inOrder})
      union
      (select distinct d.send_id from dead_letters d
        where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
          and d.env_id = ${envId} and d.send_id > ${low}::uuid and d.send_id < ${high}::uuid ${inOrder})) f
    ${inOrder}`
}

const wantsFailuresOnly = ({ statuses }: Asked): boolean => statuses?.every(one => one === 'failure') ?? false

const directionOf = (query: Query, { ascending }: Pick<Asked, 'ascending'>): Fragment =>
  ascending ? query`asc` : query`desc`
