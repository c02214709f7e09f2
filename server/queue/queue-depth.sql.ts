// Beside the queue: how deep it is, and what the log says of tries that were lost.

import { placementHashInId, uuidv7 } from '../core/id.ts'
import type { Group, Query } from '../db/db.ts'
import { notificationOf } from './finish.sql.ts'
import type { Claimed } from './outbox.sql.ts'
import { channelOf, type QueueName } from './queues.ts'

export interface Depth {
  readonly queue: QueueName
  /** Rows, due or not. */
  readonly rows: number
  /** Seconds since the oldest due row should have run; 0 when none is due. */
  readonly oldest: number
}

/** For metrics. Counts the whole queue, which is small by nature; ask every 15 s, not more. */
export const depths = (query: Query, group: Group): Promise<Depth[]> => query<Depth[]>`
  select queue, count(*)::int as rows,
    greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8 as oldest
  from outbox where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
  group by queue`

/**
 * Log rows of tries that never reported, written by whoever claimed the row next, unless its user was erased meanwhile.
 *
 * @param claimed - the others among them are passed over
 * @param now - milliseconds since 1970
 */
export async function logLost(
  group: Group,
  queue: QueueName,
  claimed: readonly Claimed[],
  now: number
): Promise<void> {
  const rows = claimed.filter(row => row.lost && row.sendId !== null)
  if (rows.length === 0) return
  await group.work`
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome, code)
    select f.bucket, f.id, f.send_id, f.delivery_id, f.env_id, f.user_id, f.notification_id, ${channelOf(queue)}, f.claim_count, 'lost', 'no-report'
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => uuidv7(placementHashInId(row.id), now))}::uuid[],
      ${rows.map(row => row.sendId)}::uuid[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(row => notificationOf(row.body))}::text[],
      ${rows.map(row => row.claimCount - 1)}::smallint[]
    ) as f(bucket, id, send_id, delivery_id, env_id, user_id, notification_id, claim_count)
    join outbox o on o.bucket = f.bucket and o.id = f.delivery_id
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
    for key share of o`
}
