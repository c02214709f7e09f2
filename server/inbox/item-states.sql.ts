// Reads what users did with items, for what waits for it.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Query } from '../db/db.ts'
import { inGroup, unnest, USER_KEY_COLUMNS } from '../db/sql-helpers.ts'

/** When the user did each of these, if at all. A removed item keeps its times. */
export interface ItemState {
  /** Tracking id. */
  readonly id: string
  readonly seenAt: Date | null
  /**
   * Opened or archived, which an item is as well that was clicked, acted on or answered. The time of the click is not asked: an
   * item that came back to the top keeps it, and is new and unread.
   */
  readonly readAt: Date | null
  /** Used one of its buttons, or replied. */
  readonly actionedAt: Date | null
}

/** @param items - `id` is the tracking id. Sends without an item are left out of the answer */
export async function readItemStates(
  query: Query,
  group: DatabaseGroup,
  items: readonly (UserKey & { readonly id: string })[]
): Promise<ReadonlyMap<string, ItemState>> {
  if (items.length === 0) return new Map()
  const states = await query<ItemState[]>`
    select i.id, i.seen_at as "seenAt", least(i.opened_at, i.archived_at) as "readAt",
      least(i.actioned1_at, i.actioned2_at, case when i.replies is not null then now() end) as "actionedAt"
    from ${unnest(query, 'w', items, { ...USER_KEY_COLUMNS, id: 'uuid' })}
    join inbox_items i on i.bucket = w.bucket and i.env_id = w.env_id and i.user_id = w.user_id and i.id = w.id
    where ${inGroup(group, 'i')}`
  return new Map(states.map(state => [state.id, state]))
}

/** Returns the items that each user has read, archived or lost most recently, the newest first. @param sinceMs - since 1970 */
export async function readRecentlyRead(
  query: Query,
  group: DatabaseGroup,
  users: readonly UserKey[],
  { count, sinceMs }: { readonly count: number; readonly sinceMs: number }
): Promise<readonly (readonly string[])[]> {
  if (users.length === 0) return []
  const numbered = users.map((user, n) => ({ ...user, n }))
  const rows = await query<{ n: number; ids: string[] }[]>`
    select w.n, array(
      select i.id from inbox_items i
      where ${inGroup(group, 'i')} and i.bucket = w.bucket and i.env_id = w.env_id and i.user_id = w.user_id
        and i.changed > ${sinceMs} and (i.opened_at is not null or i.archived_at is not null or i.removed)
      order by i.changed desc limit ${count}) as ids
    from ${unnest(query, 'w', numbered, { ...USER_KEY_COLUMNS, n: 'integer' })}`
  const found = new Map(rows.map(({ ids, n }) => [n, ids]))
  return users.map((_, n) => found.get(n) ?? [])
}
