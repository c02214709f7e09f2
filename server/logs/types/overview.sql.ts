// Reads a page of types with what the dashboard shows of each: versions, templates, sends by day, and recent warnings.

import type { DatabaseGroup, Fragment, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { bucketOfCounts, type LogCount } from '../counts.sql.ts'

export interface TypeRow {
  readonly id: string
  readonly title: string
  readonly channels: readonly string[]
  readonly enabled: boolean
  readonly updatedAt: Date
  readonly version: number | null
  readonly latest: number | null
  readonly managedBy: string | null
  readonly templates: readonly { readonly channel: string; readonly id: string }[]
}

/** By id. @param after - id of the last type of the page before */
export const readTypePage = (
  query: Query,
  envId: string,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number }
): Promise<TypeRow[]> =>
  query<TypeRow[]>`
    select n.id, n.title, n.channels, coalesce((n.settings ->> 'enabled')::boolean, true) as enabled, n.updated_at as "updatedAt",
      n.published_version as version, n.managed_by as "managedBy",
      (select max(v.number) from type_versions v where v.env_id = n.env_id and v.notification_id = n.id) as latest,
      coalesce((select jsonb_agg(jsonb_build_object('channel', t.channel, 'id', t.id) order by t.channel, t.id)
        from templates t where t.env_id = n.env_id and t.notification_id = n.id), '[]') as templates
    from notifications n where n.env_id = ${envId} and n.id > ${after} order by n.id limit ${limit}`

export interface DayCount extends LogCount {
  /** Of the type, as 2026-11-23. */
  readonly day: string
}

/** Counts of some types by day. `value`: the type. */
export const readDayCounts = (
  group: DatabaseGroup,
  envId: string,
  types: readonly string[],
  from: string
): Promise<DayCount[]> => group.sql<DayCount[]>`
  select notification_id as value, day::text as day, channel, result, sum(count)::bigint as count from log_counts
  where ${inGroup(group)} and bucket = ${bucketOfCounts(group)} and env_id = ${envId} and day >= ${from}::date
    and notification_id = any(${types as string[]}::text[])
  group by 1, 2, 3, 4`

/** Sends whose warnings are read. */
export const MAX_WARNED_SENDS = 2000

/** The warnings of the newest sends of an environment, by type. */
export const recentWarningsStatement = (
  group: Pick<DatabaseGroup, 'buckets'> & { readonly sql: Query },
  envId: string,
  fromId: string
): Fragment => group.sql`
  select distinct r.type, w.value as warning from (
    select s.notification_id as type, s.warnings from sends s
    where ${inGroup(group, 's')} and s.env_id = ${envId} and s.id >= ${fromId}::uuid
    order by s.id desc limit ${MAX_WARNED_SENDS}) r, jsonb_array_elements_text(r.warnings) w`
