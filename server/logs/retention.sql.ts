// Deletes old logs. Partitions of whole days are dropped after the longest retention of all environments; the logs of environments
// with a shorter retention are deleted in batches here.

import type { DatabaseGroup, Sql } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'

const BATCH_SIZE = 1000

export interface Retentions {
  readonly longestDays: number
  readonly shorter: readonly { readonly envId: string; readonly days: number }[]
}

/** @param defaultDays - of environments without a setting */
export async function readRetentions(control: Sql, defaultDays: number): Promise<Retentions> {
  const retentions = await control<{ envId: string; days: number }[]>`
    select id as "envId", coalesce((settings ->> 'retentionDays')::integer, ${defaultDays}) as days from environments`
  const longestDays = retentions.reduce((longest, { days }) => Math.max(longest, days), defaultDays)
  return { longestDays, shorter: retentions.filter(({ days }) => days < longestDays) }
}

/**
 * Deletes sends with their receipts, and attempts, that are older than `days`. Keeps sends with a dead letter, because a redrive
 * needs them.
 *
 * @returns how many rows were deleted; repeat until it is 0
 */
export async function deleteOldLogs(group: DatabaseGroup, envId: string, days: number): Promise<number> {
  const sends = await group.work`
    with old as materialized (
      select bucket, id from sends
      where ${inGroup(group)} and env_id = ${envId}
        and id < uuid_at(now() - ${days} * interval '1 day') and not exists (
          select from dead_letters d
          where ${inGroup(group, 'd')} and d.bucket = sends.bucket and d.send_id = sends.id) and not exists (
          select from dropped_letters d
          where ${inGroup(group, 'd')} and d.bucket = sends.bucket and d.send_id = sends.id)
      limit ${BATCH_SIZE}),
    deleted_receipts as (
      delete from receipts r using old
      where ${inGroup(group, 'r')} and r.bucket = old.bucket and r.send_id = old.id)
    delete from sends s using old
    where ${inGroup(group, 's')}
      and s.bucket = old.bucket and s.id = old.id and s.id < uuid_at(now() - ${days} * interval '1 day')`
  const attempts = await group.work`
    with old as materialized (
      select bucket, id from attempts
      where ${inGroup(group)} and env_id = ${envId}
        and id < uuid_at(now() - ${days} * interval '1 day')
      limit ${BATCH_SIZE})
    delete from attempts a using old
    where ${inGroup(group, 'a')}
      and a.bucket = old.bucket and a.id = old.id and a.id < uuid_at(now() - ${days} * interval '1 day')`
  return sends.count + attempts.count
}
