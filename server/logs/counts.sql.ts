// The counts of the log, by day and by minute: adds up the rows that sends and attempts have written since, and reads the sums of days.
//
// A row is deleted in the statement that adds it, so that each counts once, also if the process ends in between or two nodes do it at once.

import type { DatabaseGroup } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { insertMinutes } from './minutes.sql.ts'

const BATCH_SIZE = 5000

/** All sums of a group stand in its first bucket, because they belong to no user. */
export const bucketOfCounts = ({ buckets }: Pick<DatabaseGroup, 'buckets'>): number => buckets?.[0] ?? 0

/** @returns how many rows it found; call again until it is less than {@link BATCH_SIZE} */
async function addBatch(group: DatabaseGroup): Promise<number> {
  const [row] = await group.work<{ found: number }[]>`
    with batch as materialized (
      select bucket, id from log_count_deltas where ${inGroup(group)} limit ${BATCH_SIZE}),
    taken as (
      delete from log_count_deltas d using batch
      where ${inGroup(group, 'd')} and d.bucket = batch.bucket and d.id = batch.id
      returning d.env_id, d.notification_id, d.day, d.counts, d.counted_at),
    minutes as (${insertMinutes(group, bucketOfCounts(group))}),
    added as (
      insert into log_counts (bucket, env_id, day, notification_id, channel, result, count)
      select ${bucketOfCounts(group)}, t.env_id, t.day, t.notification_id, c.key, r.key, sum(r.value::bigint)
      from taken t cross join lateral jsonb_each(t.counts) c cross join lateral jsonb_each_text(c.value) r
      group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
      on conflict (bucket, env_id, day, notification_id, channel, result)
        do update set count = log_counts.count + excluded.count)
    select count(*)::integer as found from batch`
  return row!.found
}

/** Adds all rows of the group that were committed before this call. */
export async function addLogCounts(group: DatabaseGroup, stopped: AbortSignal): Promise<void> {
  const [start] = await group.work<{ at: Date }[]>`select now() as at`
  while ((await addBatch(group)) === BATCH_SIZE) stopped.throwIfAborted()
  await group.work`
    with earlier as (
      delete from log_counted where ${inGroup(group)} and bucket = ${bucketOfCounts(group)} and until < ${start!.at})
    insert into log_counted (bucket, until) values (${bucketOfCounts(group)}, ${start!.at}) on conflict do nothing`
}

/** Deletes sums of days that are older. @returns how many; call again until it is 0 */
export async function deleteOldCounts(group: DatabaseGroup, days: number): Promise<number> {
  const gone = await group.work`
    with old as materialized (
      select bucket, env_id, day, notification_id, channel, result from log_counts
      where ${inGroup(group)} and day < (now() at time zone 'UTC')::date - ${days}::integer limit ${BATCH_SIZE})
    delete from log_counts c using old
    where ${inGroup(group, 'c')} and c.bucket = old.bucket and c.env_id = old.env_id and c.day = old.day
      and c.notification_id = old.notification_id and c.channel = old.channel and c.result = old.result`
  return gone.count
}

export const COUNTED_FIELDS = ['day', 'type', 'channel', 'state'] as const
export type CountedField = (typeof COUNTED_FIELDS)[number]

export interface LogCount {
  /** Day, type or channel. */
  readonly value: string
  readonly channel: string
  /** A decision, or the outcome of a last attempt. */
  readonly result: string
  readonly count: number
}

export interface CountsQuery {
  readonly envId: string
  readonly by: CountedField
  /** Default: all types. */
  readonly type?: string | undefined
  /** Days, both inclusive: 2026-11-23. */
  readonly from: string
  readonly to: string
}

export function readLogCounts(
  group: DatabaseGroup,
  { by, envId, from, to, type }: CountsQuery
): Promise<LogCount[]> {
  const { sql } = group
  const value =
    by === 'day'
      ? sql`day::text`
      : by === 'type'
        ? sql`notification_id`
        : by === 'channel'
          ? sql`channel`
          : sql`''`
  return sql<LogCount[]>`
    select ${value} as value, channel, result, sum(count)::bigint as count from log_counts
    where ${inGroup(group)} and bucket = ${bucketOfCounts(group)} and env_id = ${envId}
      and day >= ${from}::date and day <= ${to}::date and (${type ?? null}::text is null or notification_id = ${type ?? null})
    group by 1, 2, 3`
}

/** @returns undefined before the first count */
export async function readCountedUntil(group: DatabaseGroup): Promise<Date | undefined> {
  const [row] = await group.sql<{ until: Date | null }[]>`
    select max(until) as until from log_counted where ${inGroup(group)} and bucket = ${bucketOfCounts(group)}`
  return row!.until ?? undefined
}
