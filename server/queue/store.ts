// What operators ask of the queue: how deep it is.

import type { Group, Query } from '../db/sql.ts'
import type { LaneName } from './lanes.ts'

export interface Depth {
  readonly lane: LaneName
  /** Rows, due or not. */
  readonly rows: number
  /** Seconds since the oldest due row should have run; 0 when none is due. */
  readonly oldest: number
}

/** For metrics. Counts the whole queue, which is small by nature; ask every 15 s, not more. */
export const depths = (query: Query, group: Group): Promise<Depth[]> => query<Depth[]>`
  select lane, count(*)::int as rows,
    greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8 as oldest
  from outbox where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
  group by lane`
