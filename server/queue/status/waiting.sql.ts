// Counts the rows of one environment that wait in each queue, among the rows that are due first.
//
// No index of the outbox contains the environment, so a count stops after a number of rows of all environments.

import type { DatabaseGroup } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { QueueName } from '../queues.ts'

/** Rows of all environments that are looked at in one queue of one database group. */
const MAX_READ_ROWS = 5000

export interface WaitingRows {
  readonly queue: QueueName
  readonly count: number
  /** More rows wait than were looked at. */
  readonly isAtLeast: boolean
  /** How late the oldest row of the environment is; null if none is due. */
  readonly oldestDueSeconds: number | null
}

export const readWaiting = (
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  envId: string,
  queues: readonly QueueName[],
  limit = MAX_READ_ROWS
): Promise<WaitingRows[]> => group.sql<WaitingRows[]>`
  select q.queue, w.count, w."isAtLeast", w."oldestDueSeconds"
  from unnest(${queues as QueueName[]}::text[]) q(queue)
  cross join lateral (
    select (count(*) filter (where f.env_id = ${envId}))::integer as count, count(*) >= ${limit}::integer as "isAtLeast",
      extract(epoch from now() - min(f.run_at) filter (where f.env_id = ${envId} and f.run_at <= now()))::float8
        as "oldestDueSeconds"
    from (
      select o.env_id, o.run_at from outbox o
      where ${inGroup(group, 'o')} and o.queue = q.queue order by o.run_at limit ${limit}) f) w`
