// Brings items back to the top of their inbox: at the end of a snooze, and when an update of an item asks for it.

import { placementHash, uuidv7, type UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { DatabaseGroup, Tx } from '../db/db.ts'
import { changeLockedItems, type ItemChange, type ItemTarget } from './change-items.sql.ts'

/** How far ahead an item may be snoozed. */
export const MAX_SNOOZE_DAYS = 366

/** Snoozed items of one inbox at a time: each has a row in the queue. */
export const MAX_SNOOZED_ITEMS = 1000

/** Key of the one row in queue SNOOZE that an item may have. */
const snoozeKey = (id: string): string => `snooze ${id}`

/**
 * Returns the part of an `ItemChange` that brings items back to the top ("resurface"): each gets a new `seq`, and so a new date and
 * the first place, and is neither seen, opened nor archived. A snooze that has ended is cleared, `snoozed_at` stays; an item that is
 * still snoozed comes to the top when its snooze ends. Earlier writes that arrive later change nothing of this.
 * The caller holds the lock of the inbox, and publishes the event after the commit; clients report the item as new.
 */
export const resurfacing = (tx: Tx) => {
  const none = tx`null::timestamptz`
  const now = tx`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return {
    newValues: {
      archived_at: none,
      opened_at: none,
      seen_at: none,
      snoozed_until: tx`case when i.snoozed_until > now() then i.snoozed_until end`,
      // In the order of MARKS.
      write_times: tx`array[${now}, ${now}, i.write_times[3], ${now}, i.write_times[5], i.write_times[6], i.write_times[7]]`
    },
    resurfaces: true
  } satisfies Partial<ItemChange>
}

/** Ends the snoozes that are over, of items whose inboxes are locked. @returns the events to publish after the commit */
export const endSnoozes = (
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  items: readonly Required<ItemTarget>[]
): Promise<InboxEvent[]> =>
  changeLockedItems(tx, buckets, items, {
    ...resurfacing(tx),
    condition: tx`i.id = t.id and i.snoozed_until <= now()`,
    limits: { maxItems: 2 ** 31 - 1 }
  })

/**
 * Enqueues the end of the snoozes of items: one row for each item, whose time is moved if the item was snoozed before. A worker that
 * has claimed the row then does nothing. The caller holds the lock of the inbox.
 */
export async function enqueueSnoozes(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  ids: readonly string[],
  until: Date
): Promise<void> {
  const rowIds = ids.map(() => uuidv7(placementHash(envId, userId)))
  await tx`
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, key, body)
    select ${bucket}, r.id, 'SNOOZE', i.snoozed_until, i.env_id, i.user_id, r.key, jsonb_build_object('id', i.id)
    from unnest(${[...ids]}::uuid[], ${rowIds}::uuid[], ${ids.map(snoozeKey)}::text[]) as r(item_id, id, key)
    join inbox_items i on i.bucket = ${bucket} and i.env_id = ${envId} and i.user_id = ${userId} and i.id = r.item_id
    where not i.removed and i.snoozed_until = ${until}
    on conflict (bucket, key) where key is not null do update set run_at = excluded.run_at, leased = false,
      attempts_left = excluded.attempts_left,
      claim_count = case when outbox.claim_count = 32767 then 1 else outbox.claim_count + 1 end`
}
