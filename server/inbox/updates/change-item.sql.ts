// Changes the content of one item under the lock of its inbox.

import type { Notif } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import type { Query, Tx } from '../../db/db.ts'
import { changeLockedItems, lockInboxes } from '../change-items.sql.ts'
import { toNotification, type ItemContent, type ItemRow, type ItemUpdates } from '../item.ts'
import { itemColumns } from '../read-inbox.sql.ts'
import { resurfacing } from '../snooze.sql.ts'

export interface ChangedItem {
  readonly item: Notif
  /** To publish after the commit; absent if nothing changed. */
  readonly event?: InboxEvent
}

export interface ContentChange {
  readonly content: ItemContent
  /** The item becomes new, unread, unarchived and the first one. Default: it keeps its place, its date and its marks, so that it is no news. */
  readonly resurfaces?: boolean
  /** Given if the back end updates the item, for the log. */
  readonly update?: Omit<ItemUpdates, 'count' | 'newAt'>
}

/**
 * Replaces the content of an item.
 *
 * @param change - returns undefined if the item stays as it is. It may throw a Problem
 * @returns undefined if the user has no such item
 */
export async function changeContent(
  tx: Tx,
  user: UserKey,
  id: string,
  change: (content: ItemContent) => ContentChange | undefined
): Promise<ChangedItem | undefined> {
  const { bucket, envId, userId } = user
  const target = { bucket, envId, id, userId }
  const [inbox] = await lockInboxes(tx, [bucket], [target])
  if (!inbox) return undefined
  const [row] = await tx<ItemRow[]>`
    select seq, ${itemColumns(tx)} from inbox_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and id = ${id} and not removed`
  if (!row) return undefined
  const changed = change(row.content)
  if (!changed) return { item: toNotification(row) }
  const { content, resurfaces = false, update } = changed
  const again = resurfaces ? resurfacing(tx) : undefined
  const [event] = await changeLockedItems(tx, [bucket], [target], {
    condition: tx`i.id = t.id`,
    limits: { maxItems: 1 },
    newValues: {
      content: tx`${JSON.stringify(content)}::text::jsonb`,
      ...again?.newValues,
      ...(update && {
        updates: tx`coalesce(i.updates, '{}') || ${JSON.stringify(resurfaces ? { ...update, newAt: update.at } : update)}::text::jsonb
          || jsonb_build_object('count', coalesce((i.updates ->> 'count')::integer, 0) + 1)`
      })
    },
    resurfaces
  })
  return event ? { event, item: event.change.items[0]! } : { item: toNotification(row) }
}

/** @returns undefined if the user has no such item */
export async function readContent(
  query: Query,
  { bucket, envId, userId }: UserKey,
  id: string
): Promise<ItemContent | undefined> {
  const [row] = await query<{ content: ItemContent }[]>`
    select content from inbox_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and id = ${id} and not removed`
  return row?.content
}
