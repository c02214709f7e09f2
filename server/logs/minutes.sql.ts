// The counts of the log by minute, for some days: what was sent, failed and was discarded on each channel.
//
// Minutes are added up with the counts of days (counts.sql.ts). Rows that are not added up yet are read with them, so that a delivery of
// this second is in the answer.

import type { Fragment, DatabaseGroup, Query } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { decisionsOfKind } from './status-labels.ts'

/** Outcomes of a last attempt that failed; a decision `sent` has the name of an outcome. */
const SENT: readonly string[] = decisionsOfKind('out')
const FAILED: readonly string[] = ['dead', 'gone', ...decisionsOfKind('failed')]
const DISCARDED: readonly string[] = decisionsOfKind('discarded', 'unreachable')

/** Sums of the counts `r` by their state. */
const sums = (query: Query): Fragment => query`
  coalesce(sum(r.value::bigint) filter (where r.key = any(${SENT as string[]}::text[])), 0)::bigint as sent,
  coalesce(sum(r.value::bigint) filter (where r.key = any(${FAILED as string[]}::text[])), 0)::bigint as failed,
  coalesce(sum(r.value::bigint) filter (where r.key = any(${DISCARDED as string[]}::text[])), 0)::bigint as discarded`

/** Whether a count has a state: a result that is decided again later has none. */
const hasState = (query: Query): Fragment => query`r.key = any(${[...SENT, ...FAILED, ...DISCARDED]}::text[])`

/** Returns the part of the statement of counts.sql.ts that adds the rows of `taken`. */
export const insertMinutes = ({ work }: Pick<DatabaseGroup, 'work'>, bucket: number): Fragment => work`
  insert into log_minutes (bucket, env_id, minute, channel, sent, failed, discarded)
  select ${bucket}, t.env_id, date_trunc('minute', t.counted_at), c.key, ${sums(work)}
  from taken t cross join lateral jsonb_each(t.counts) c cross join lateral jsonb_each_text(c.value) r
  where ${hasState(work)}
  group by 2, 3, 4 order by 2, 3, 4
  on conflict (bucket, env_id, minute, channel) do update set sent = log_minutes.sent + excluded.sent,
    failed = log_minutes.failed + excluded.failed, discarded = log_minutes.discarded + excluded.discarded`

export interface StepRow {
  /** Beginning of the step. */
  readonly at: Date
  readonly channel: string
  readonly sent: number
  readonly failed: number
  readonly discarded: number
}

/** Rows that are read although they are not added up yet. More of them: housekeeping is late, and the answer is not complete. */
const MAX_DELTAS = 10_000

/** Beginning of the step in which a time is. */
const stepOf = (query: Query, time: Fragment, { from, minutes }: Steps): Fragment =>
  query`date_bin(${minutes}::integer * interval '1 minute', ${time}, ${from}::timestamptz)`

export interface Steps {
  readonly from: Date
  /** Minutes of one step. */
  readonly minutes: number
}

/**
 * Returns the counts of an environment since `from`, added up by steps. A step may be in two rows.
 *
 * @param bucket - that of the sums of the group
 */
export const readSteps = (
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  bucket: number,
  envId: string,
  steps: Steps,
  limit = MAX_DELTAS
): Promise<StepRow[]> => group.sql<StepRow[]>`
  select ${stepOf(group.sql, group.sql`m.minute`, steps)} as at, m.channel, sum(m.sent)::bigint as sent,
    sum(m.failed)::bigint as failed, sum(m.discarded)::bigint as discarded
  from log_minutes m
  where ${inGroup(group, 'm')} and m.bucket = ${bucket} and m.env_id = ${envId} and m.minute >= ${steps.from}
  group by 1, 2
  union all
  select ${stepOf(group.sql, group.sql`t.counted_at`, steps)}, c.key, ${sums(group.sql)}
  from (
    select d.env_id, d.counts, d.counted_at from log_count_deltas d where ${inGroup(group, 'd')} limit ${limit}) t
  cross join lateral jsonb_each(t.counts) c cross join lateral jsonb_each_text(c.value) r
  where t.env_id = ${envId} and t.counted_at >= ${steps.from} and ${hasState(group.sql)}
  group by 1, 2`

export interface UsualCounts {
  readonly sent: number
  readonly failed: number
  /** Days whose minutes were added, at most {@link USUAL_DAYS}: those since the first minute of the environment. */
  readonly days: number
}

const USUAL_DAYS = 7

/** Adds up the minutes from `from` to `to` of each of the last seven days, without today. */
export async function readUsual(
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  bucket: number,
  envId: string,
  from: Date,
  to: Date
): Promise<UsualCounts> {
  const [row] = await group.sql<UsualCounts[]>`
    select coalesce(sum(day.sent), 0)::bigint as sent, coalesce(sum(day.failed), 0)::bigint as failed,
      count(*)::integer as days
    from generate_series(1, ${USUAL_DAYS}::integer) n
    cross join lateral (
      select sum(m.sent) as sent, sum(m.failed) as failed from log_minutes m
      where ${inGroup(group, 'm')} and m.bucket = ${bucket} and m.env_id = ${envId}
        and m.minute >= ${from}::timestamptz - n * interval '24 hours'
        and m.minute < ${to}::timestamptz - n * interval '24 hours') day
    where ${from}::timestamptz - n * interval '24 hours' >= (
      select m.minute from log_minutes m
      where ${inGroup(group, 'm')} and m.bucket = ${bucket} and m.env_id = ${envId} order by m.minute limit 1)`
  return row!
}

/** Minutes are kept for the usual counts, and for a week of charts. */
const KEPT_DAYS = USUAL_DAYS + 1
const BATCH_SIZE = 5000

/** @returns how many were deleted; call again until it is 0 */
export async function deleteOldMinutes(group: DatabaseGroup): Promise<number> {
  const gone = await group.work`
    with old as materialized (
      select bucket, env_id, minute, channel from log_minutes
      where ${inGroup(group)} and minute < now() - ${KEPT_DAYS} * interval '1 day' limit ${BATCH_SIZE})
    delete from log_minutes m using old
    where ${inGroup(group, 'm')} and m.bucket = old.bucket and m.env_id = old.env_id and m.minute = old.minute
      and m.channel = old.channel`
  return gone.count
}
