// Dropped dead letters: kept for a day, so that a drop can be undone.

import type { DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { MovedDeadLetter } from './dead-letters.sql.ts'

/** The documented time in which a drop can be undone. */
export const KEPT_HOURS = 24

/** By their ids, or all that a task dropped. */
export type DroppedQuery = { readonly envId: string } & (
  | { readonly ids: readonly string[] }
  | { readonly taskId: string }
)

const matches = (query: Query, dropped: DroppedQuery) => query`
  d.env_id = ${dropped.envId} and ${
    'ids' in dropped
      ? query`d.id = any(${dropped.ids as string[]}::uuid[])`
      : query`d.task_id = ${dropped.taskId}`
  }`

/** Makes dropped dead letters dead letters again, as they were. */
export const restore = (
  tx: Tx,
  group: DatabaseGroup,
  dropped: DroppedQuery,
  limit: number
): Promise<MovedDeadLetter[]> => tx<MovedDeadLetter[]>`
  with old as materialized (
    select d.bucket, d.id from dropped_letters d
    where ${inGroup(group, 'd')} and ${matches(tx, dropped)}
    order by d.dropped_at, d.id limit ${limit} for update of d),
  back as (
    delete from dropped_letters d using old
    where ${inGroup(group, 'd')} and d.bucket = old.bucket and d.id = old.id
    returning d.*)
  insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail, died_at)
  select bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail, died_at from back
  returning id, queue`

export async function countDropped(
  group: DatabaseGroup,
  dropped: DroppedQuery,
  limit: number
): Promise<number> {
  const [row] = await group.work<{ count: number }[]>`
    select count(*)::integer as count from (
      select from dropped_letters d
      where ${inGroup(group, 'd')} and ${matches(group.work, dropped)} limit ${limit}) counted`
  return row!.count
}

const BATCH_SIZE = 1000

/** @returns how many were deleted; call again until it is 0 */
export async function deleteOldDropped(group: DatabaseGroup): Promise<number> {
  const gone = await group.work`
    with old as materialized (
      select bucket, id from dropped_letters
      where ${inGroup(group)} and dropped_at < now() - ${KEPT_HOURS} * interval '1 hour' limit ${BATCH_SIZE})
    delete from dropped_letters d using old
    where ${inGroup(group, 'd')} and d.bucket = old.bucket and d.id = old.id`
  return gone.count
}
