// Reads how much work each queue has and how late it is. A count stops at a limit, so that the answer of a long queue is as fast.

import type { DatabaseGroup } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { QUEUES, type QueueName } from '../queues.ts'

/** Rows that are counted of one queue in one database group. */
export const MAX_COUNTED_ROWS = 10_000

export interface QueueStatus {
  readonly queue: QueueName
  /** Rows that are due and not claimed. At most {@link MAX_COUNTED_ROWS}. */
  readonly due: number
  /** Rows that wait for their time or for their next attempt, or that are claimed. Likewise. */
  readonly later: number
  /** How late the oldest due row is; null if none is due. */
  readonly oldestDueSeconds: number | null
}

export const readQueueStatus = (
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  limit = MAX_COUNTED_ROWS
): Promise<QueueStatus[]> => group.sql<QueueStatus[]>`
  select q.queue, due.count as due, later.count as later, oldest.seconds as "oldestDueSeconds"
  from unnest(${QUEUES as unknown as string[]}::text[]) q(queue)
  cross join lateral (
    select count(*)::integer as count from (
      select from outbox o
      where ${inGroup(group, 'o')} and o.queue = q.queue and o.run_at <= now() limit ${limit}) bounded) due
  cross join lateral (
    select count(*)::integer as count from (
      select from outbox o
      where ${inGroup(group, 'o')} and o.queue = q.queue and o.run_at > now() limit ${limit}) bounded) later
  left join lateral (
    select greatest(0, extract(epoch from now() - o.run_at))::float8 as seconds from outbox o
    where ${inGroup(group, 'o')} and o.queue = q.queue and o.run_at <= now()
    order by o.run_at limit 1) oldest on true`
