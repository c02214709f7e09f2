// The database job that removes expired notifications at their time, from the list and the counters together.

import { type InboxEvent, type LiveUpdates, recheckOnFailure } from '../core/live-updates.ts'
import type { Tx } from '../db/db.ts'
import { removeClaimed } from '../queue/outbox.sql.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { removeItems } from './items.sql.ts'

/** `sendId` of a row is the id of its item. If the item was retracted before, only the row is deleted. */
export const expireJob = (live: Pick<LiveUpdates, 'publish' | 'recheck'>): DatabaseJob => ({
  batchSize: 500,
  kind: 'database',
  timeoutMs: 30_000,
  queue: 'EXPIRE',
  async run(rows, group) {
    const remove = async (tx: Tx): Promise<readonly InboxEvent[]> => {
      const ownedIds = await removeClaimed(tx, group, rows)
      const items = rows.flatMap(({ id, bucket, envId, userId, sendId }) =>
        ownedIds.has(id) && sendId !== null ? [{ bucket, envId, id: sendId, userId }] : []
      )
      return removeItems(tx, group.buckets, items)
    }
    const removal = group.work.begin(remove) as Promise<readonly InboxEvent[]>
    live.publish(await recheckOnFailure(live, rows, removal))
  }
})
