// Reads recent sends of a notification type, within bounds: the log has no index that begins with the type.
//
// The index of an environment by time contains the type, so a read of its newest entries skips other types without their rows. If the
// type is not among them, the counts of the log say on which day to look.

import { bucketOfId, lowestIdAt } from '../../core/id.ts'
import type { Db, DatabaseGroup, Fragment, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { bucketOfCounts } from '../counts.sql.ts'

/** Entries of the index that one read may skip. */
export const MAX_SCANNED_SENDS = 20_000

export interface RecentSend {
  readonly id: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly userId: string
}

export interface TypeWindow {
  readonly envId: string
  readonly type: string
  /** Milliseconds since 1970: sends from `from` to before `to`. */
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** Newest first. */
export const recentIdsStatement = (
  group: Pick<DatabaseGroup, 'buckets'> & { readonly sql: Query },
  { envId, from, limit, to, type }: TypeWindow
): Fragment => group.sql`
  select r.id from (
    select s.id, s.notification_id from sends s
    where ${inGroup(group, 's')} and s.env_id = ${envId}
      and s.id >= ${lowestIdAt(from)}::uuid and s.id < ${lowestIdAt(to)}::uuid
    order by s.id desc limit ${MAX_SCANNED_SENDS}) r
  where r.notification_id = ${type} order by r.id desc limit ${limit}`

/** Newest first, of all groups. */
export async function readRecentSends(db: Db, window: TypeWindow): Promise<RecentSend[]> {
  const found = await Promise.all(
    db.groups.map(async group => {
      const ids = await group.sql<{ id: string }[]>`${recentIdsStatement(group, window)}`
      return ids.map(({ id }) => id)
    })
  )
  const newest = new Set(found.flat().toSorted().toReversed().slice(0, window.limit))
  const sends = await Promise.all(
    db.groups.map((group, i) =>
      readParameters(
        group,
        found[i]!.filter(id => newest.has(id))
      )
    )
  )
  return sends.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

/** Larger parameters are left out, because many sends are read at once. */
const MAX_PARAMETER_BYTES = 100_000

async function readParameters(group: DatabaseGroup, ids: readonly string[]): Promise<RecentSend[]> {
  if (ids.length === 0) return []
  const { sql } = group
  return sql<RecentSend[]>`
    select s.id, s.user_id as "userId", s.body -> 'parameters' as parameters
    from unnest(${ids.map(bucketOfId)}::smallint[], ${ids as string[]}::uuid[]) w(bucket, id)
    join sends s on s.bucket = w.bucket and s.id = w.id
    where ${inGroup(group, 's')} and jsonb_typeof(s.body -> 'parameters') = 'object'
      and pg_column_size(s.body) <= ${MAX_PARAMETER_BYTES}`
}

/** Last day before `before` on which the counts have the type, in UTC. @param since - first day to look at */
export async function readLastDay(
  db: Db,
  { envId, type }: Pick<TypeWindow, 'envId' | 'type'>,
  since: string,
  before: string
): Promise<string | undefined> {
  const days = await Promise.all(
    db.groups.map(async group => {
      const [row] = await group.sql<{ day: string | null }[]>`
        select max(day)::text as day from log_counts
        where ${inGroup(group)} and bucket = ${bucketOfCounts(group)} and env_id = ${envId}
          and day >= ${since}::date and day < ${before}::date and notification_id = ${type}`
      return row!.day ?? ''
    })
  )
  return days.toSorted().at(-1) || undefined
}
