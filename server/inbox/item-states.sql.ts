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

/** What a message about the inbox of a user says beside itself. */
export interface InboxSummary {
  /** Items that the user has read or archived, or that were removed, the newest change first. */
  readonly read: readonly string[]
  /** The number on the badge. */
  readonly unseen: number
}

/** @param sinceMs - oldest change of `read`, in milliseconds since 1970 */
export async function readInboxSummaries(
  query: Query,
  group: DatabaseGroup,
  users: readonly UserKey[],
  { count, sinceMs }: { readonly count: number; readonly sinceMs: number }
): Promise<readonly InboxSummary[]> {
  if (users.length === 0) return []
  const numbered = users.map((user, n) => ({ ...user, n }))
  const rows = await query<(InboxSummary & { n: number })[]>`
    select w.n, coalesce(c.unseen, 0) as unseen, array(
      select i.id from inbox_items i
      where ${inGroup(group, 'i')} and i.bucket = w.bucket and i.env_id = w.env_id and i.user_id = w.user_id
        and i.changed > ${sinceMs} and (i.opened_at is not null or i.archived_at is not null or i.removed)
      order by i.changed desc limit ${count}) as read
    from ${unnest(query, 'w', numbered, { ...USER_KEY_COLUMNS, n: 'integer' })}
    left join inbox_counters c on ${inGroup(group, 'c')} and c.bucket = w.bucket and c.env_id = w.env_id
      and c.user_id = w.user_id`
  const found = new Map(rows.map(({ n, read, unseen }) => [n, { read, unseen }]))
  return users.map((_, n) => found.get(n)!)
}
