// The lane that ends notifications at their time, exactly: list and counters never hold one that is over.

import type { InboxEvent } from '../core/inbox-event.ts'
import { recheckOnFailure, type LiveUpdates } from '../core/live-updates.ts'
import type { Tx } from '../db/db.ts'
import { take } from '../queue/outbox.sql.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { removeItems } from './items.sql.ts'

/** A row's `sendId` is the item's id. An item that was retracted before is no more: the row just goes. */
export const expireLane = (live: Pick<LiveUpdates, 'recheck' | 'publish'>): DatabaseJob => ({
  batch: 500,
  kind: 'step',
  lease: 30_000,
  name: 'EXPIRE',
  async run(rows, group) {
    const remove = async (tx: Tx): Promise<readonly InboxEvent[]> => {
      const ours = await take(tx, group, rows)
      const items = rows.flatMap(({ id, bucket, envId, userId, sendId }) =>
        ours.has(id) && sendId !== null ? [{ bucket, envId, id: sendId, userId }] : []
      )
      return removeItems(tx, group.buckets, items)
    }
    live.publish(
      await recheckOnFailure(live, rows, group.work.begin(remove) as Promise<readonly InboxEvent[]>)
    )
  }
})
