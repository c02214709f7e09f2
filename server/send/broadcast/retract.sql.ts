// Finds the sends of a broadcast, and the tasks that retract it.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { Task, TaskState } from '../../environments/tasks/task.ts'
import { RETRACT_BROADCAST } from '../../environments/tasks/tasks.sql.ts'
import { loggedSends } from './logged-sends.sql.ts'

/** Ids of sends have the times of the processes that made them. */
const CLOCK_MARGIN_MINUTES = 5

export interface BroadcastSend extends UserKey {
  /** Tracking id. */
  readonly id: string
}

export type SendCursor = Pick<BroadcastSend, 'bucket' | 'id'>

export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the next sends of a broadcast that began, by bucket and id.
 *
 * @param buckets - in ascending order, beginning with that of `after`
 */
export const readSends = (
  group: DatabaseGroup,
  { endedAt, envId, id, startedAt }: Pick<Task, 'endedAt' | 'envId' | 'id' | 'startedAt'>,
  buckets: readonly number[],
  after: SendCursor,
  limit: number
): Promise<BroadcastSend[]> => {
  const margin = group.work`${CLOCK_MARGIN_MINUTES} * interval '1 minute'`
  return group.work<BroadcastSend[]>`
    select bucket, id, env_id as "envId", user_id as "userId" from ${loggedSends(group.work)} s
    where ${inGroup(group)} and bucket = any(${buckets as number[]}::smallint[]) and env_id = ${envId}
      and id >= uuid_at(${startedAt!.toISOString()}::timestamptz - ${margin})
      and id < uuid_at(${(endedAt ?? new Date()).toISOString()}::timestamptz + ${margin})
      and (bucket > ${after.bucket} or id > ${after.id}::uuid) and body ->> 'broadcastId' = ${id}
    order by bucket, id limit ${limit}`
}

/** Returns whether a process may still be writing the last chunk of a broadcast that was stopped. */
export async function isEnding(query: Query, { envId, id }: Pick<Task, 'envId' | 'id'>): Promise<boolean> {
  const [row] = await query<{ isEnding: boolean }[]>`
    select state = 'stopped' and lease_until is not null and lease_until > now() as "isEnding"
    from tasks where env_id = ${envId} and id = ${id}`
  return row?.isEnding ?? false
}

/** The newest retraction of a broadcast. */
export interface Retraction {
  readonly broadcastId: string
  readonly taskId: string
  readonly state: TaskState
}

export const readRetractions = (
  query: Query,
  envId: string,
  broadcastIds: readonly string[]
): Promise<Retraction[]> => query<Retraction[]>`
  select distinct on (input ->> 'broadcastId') input ->> 'broadcastId' as "broadcastId", id as "taskId", state
  from tasks
  where env_id = ${envId} and kind = ${RETRACT_BROADCAST} and input ->> 'broadcastId' = any(${broadcastIds as string[]}::text[])
  order by input ->> 'broadcastId', id desc`
