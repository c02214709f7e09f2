// The database job that ends snoozes at their time: the notification comes back to the top of the inbox, unread.

import { type InboxEvent, type LiveUpdates, recheckOnFailure } from '../core/live-updates.ts'
import type { Tx } from '../db/db.ts'
import { removeClaimed } from '../queue/outbox.sql.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { lockInboxes } from './change-items.sql.ts'
import { endSnoozes } from './snooze.sql.ts'

/**
 * The inboxes are locked before the rows of the queue, as by a patch that moves a snooze. If the item was retracted, archived or
 * brought back before, only the row is deleted.
 */
export const snoozeJob = (live: Pick<LiveUpdates, 'publish' | 'recheck'>): DatabaseJob => ({
  batchSize: 500,
  kind: 'database',
  timeoutMs: 30_000,
  queue: 'SNOOZE',
  async run(rows, group) {
    const end = async (tx: Tx): Promise<readonly InboxEvent[]> => {
      await lockInboxes(tx, group.buckets, rows)
      const ownedIds = await removeClaimed(tx, group, rows)
      const items = rows.flatMap(({ body, bucket, envId, id, userId }) =>
        ownedIds.has(id) ? [{ bucket, envId, id: String(Object(body).id), userId }] : []
      )
      return items.length === 0 ? [] : endSnoozes(tx, group.buckets, items)
    }
    live.publish(await recheckOnFailure(live, rows, group.work.begin(end) as Promise<readonly InboxEvent[]>))
  }
})
