// How long each environment keeps its log. Whole days go with their partitions, at the longest retention there is; what
// environments with a shorter one have in the days between is deleted a batch at a time.

import type { Group, Sql } from '../db/db.ts'

const BATCH = 1000

export interface Retentions {
  /** In days. */
  readonly longest: number
  /** Environments that keep less. */
  readonly shorter: readonly { readonly envId: string; readonly days: number }[]
}

/** @param usual - days of environments that say nothing */
export async function readRetentions(control: Sql, usual: number): Promise<Retentions> {
  const all = await control<{ envId: string; days: number }[]>`
    select id as "envId", coalesce((settings ->> 'retentionDays')::integer, ${usual}) as days from environments`
  const longest = all.reduce((most, { days }) => Math.max(most, days), usual)
  return { longest, shorter: all.filter(({ days }) => days < longest) }
}

/**
 * Deletes sends with their receipts, and attempts, older than `days`; a dead letter needs its send to be sent again.
 *
 * @returns how many; call again until it is 0
 */
export async function deleteOldLogs({ buckets, work }: Group, envId: string, days: number): Promise<number> {
  const sends = await work`
    with old as materialized (
      select bucket, id from sends
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and env_id = ${envId}
        and id < uuid_at(now() - ${days} * interval '1 day') and not exists (
          select from dead_letters d
          where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
            and d.bucket = sends.bucket and d.send_id = sends.id)
      limit ${BATCH}),
    said as (
      delete from receipts r using old
      where (${buckets}::smallint[] is null or r.bucket = any(${buckets}::smallint[]))
        and r.bucket = old.bucket and r.send_id = old.id)
    delete from sends s using old
    where (${buckets}::smallint[] is null or s.bucket = any(${buckets}::smallint[]))
      and s.bucket = old.bucket and s.id = old.id and s.id < uuid_at(now() - ${days} * interval '1 day')`
  const attempts = await work`
    with old as materialized (
      select bucket, id from attempts
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and env_id = ${envId}
        and id < uuid_at(now() - ${days} * interval '1 day')
      limit ${BATCH})
    delete from attempts a using old
    where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
      and a.bucket = old.bucket and a.id = old.id and a.id < uuid_at(now() - ${days} * interval '1 day')`
  return sends.count + attempts.count
}
