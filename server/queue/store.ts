// What operators ask of the queue: how deep it is, and dead letters back to life.

import type { Group, Query } from '../db/sql.ts'
import type { LaneName } from './lanes.ts'
import { TRIES } from './outbox.ts'

/** Moves dead letters back with a fresh budget. Returns the lanes to wake. */
export async function redrive(
  group: Group,
  envId: string,
  letters: readonly { readonly bucket: number; readonly id: string }[]
): Promise<LaneName[]> {
  const lanes = await group.work<{ lane: LaneName }[]>`
    with back as (
      delete from dead_letters d
      using unnest(${letters.map(letter => letter.bucket)}::smallint[],
        ${letters.map(letter => letter.id)}::uuid[]) as f(bucket, id)
      where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
        and d.bucket = f.bucket and d.id = f.id and d.env_id = ${envId}
      returning d.*)
    insert into outbox (bucket, id, lane, token, tries_left, env_id, user_id, send_id, key, body)
    select bucket, id, lane, token, ${TRIES}, env_id, user_id, send_id, key, body from back
    returning lane`
  return lanes.map(row => row.lane)
}

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
