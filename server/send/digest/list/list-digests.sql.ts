// Lists the digests of an environment that wait, the next first, with their items up to a limit.

import type { Channel } from '#protocol'

import type { DatabaseGroup, Fragment, Query } from '../../../db/db.ts'
import { inGroup } from '../../../db/sql-helpers.ts'
import type { Moment } from '../../../http/cursor.ts'

/** Items of one digest that are counted. */
export const MAX_COUNTED_ITEMS = 1000

export interface ListedDigest {
  /** Of the outbox row. */
  readonly id: string
  readonly userId: string
  readonly type: string
  readonly channel: Channel
  /** Milliseconds since 1970. */
  readonly dueAt: number
  readonly itemCount: number
  /** When the row is looked at, in microseconds since 1970: earlier than `dueAt` after the user changed something. */
  readonly at: number
}

export interface DigestsPage {
  readonly envId: string
  /** The last digest of the page before. */
  readonly after?: Moment | undefined
  readonly limit: number
}

export const digestsStatement = (
  query: Query,
  { buckets }: Pick<DatabaseGroup, 'buckets'>,
  { after, envId, limit }: DigestsPage
): Fragment => {
  const group = { buckets, sql: query }
  return query`
  select o.id, o.user_id as "userId", o.body ->> 'notificationId' as type, o.body ->> 'channel' as channel,
    (o.body ->> 'dueAt')::float8 as "dueAt", (extract(epoch from o.run_at) * 1000000)::bigint as at, (
      select count(*)::integer from (
        select from digest_items i
        where ${inGroup(group, 'i')} and i.bucket = o.bucket and i.key = o.key
        limit ${MAX_COUNTED_ITEMS + 1}) n) as "itemCount"
  from outbox o
  where ${inGroup(group, 'o')} and o.queue = 'DIGEST' and o.env_id = ${envId}
    and (${after?.id ?? null}::uuid is null or (o.run_at, o.id)
      > (timestamptz 'epoch' + ${after?.at ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
  order by o.run_at, o.id limit ${limit}`
}

export const listDigests = (group: DatabaseGroup, page: DigestsPage): Promise<ListedDigest[]> =>
  group.sql<ListedDigest[]>`${digestsStatement(group.sql, group, page)}`
