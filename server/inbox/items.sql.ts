// Adds items to inboxes and removes them, together with the counters and the inbox version.
//
// Lock order: `inbox_counters` by (bucket, environment, user), then their items. Items change only under the lock of their
// `inbox_counters` row, so a statement that starts after the lock sees their current state.

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Query, Tx } from '../db/db.ts'
import { rowSource, USER_KEY_COLUMNS } from '../db/sql-helpers.ts'
import {
  changeItems,
  toInboxEvent,
  inboxKey,
  type InboxCounters,
  type ItemTarget
} from './change-items.sql.ts'
import { toNotification, type ItemContent } from './item.ts'

export interface NewItem extends UserKey {
  /** Tracking id of the send. */
  readonly id: string
  readonly notificationId: string
  /** `''`: none. */
  readonly subId: string
  readonly content: ItemContent
  /** When the item disappears. The same transaction must enqueue a row in queue EXPIRE with this `sendId` and time. */
  readonly expiresAt?: Date
  /** The broadcast whose send has no row in the log, because this item is all that came of it. */
  readonly broadcastId?: string
}

/** Part of a statement that inserts items at the top of their inboxes, and the conversion of its rows to events. */
export interface AppendFragment {
  /** Common table expressions: `heads`, whose rows the statement must return, and `items`. */
  readonly ctes: Fragment
  /** The same in two statements: the first one returns the heads for the second one. */
  readonly insertHeads: Fragment
  insertItems(heads: readonly InboxCounters[]): Fragment
  /** @returns one event for each inbox, to be published after the commit */
  toEvents(heads: readonly InboxCounters[]): InboxEvent[]
}

const INITIAL_STATE = {
  actioned1At: null,
  actioned2At: null,
  archivedAt: null,
  changed: null,
  clickedAt: null,
  openedAt: null,
  removed: false,
  replies: null,
  seenAt: null,
  snoozedAt: null,
  snoozedUntil: null
} as const

type PlacedItem = NewItem & { readonly place: number }
type NumberedItem = NewItem & { readonly seq: number }

const ITEM_COLUMNS = {
  ...USER_KEY_COLUMNS,
  id: 'uuid',
  notification_id: 'text',
  sub_id: 'text',
  content: 'json',
  expires_at: 'timestamptz',
  broadcast_id: 'uuid'
} as const

const placedItems = rowSource<PlacedItem>('n', { ...ITEM_COLUMNS, place: 'integer' })
const numberedItems = rowSource<NumberedItem>('n', { ...ITEM_COLUMNS, seq: 'bigint' })
/** At least one item of each user. */
const inboxSizes = rowSource<readonly NewItem[]>(
  'u',
  {},
  {
    bucket: ['smallint', ([first]) => first!.bucket],
    env_id: ['text', ([first]) => first!.envId],
    user_id: ['text', ([first]) => first!.userId],
    size: ['integer', items => items.length]
  }
)

/**
 * @param items - at least one; the items of one user get consecutive versions in this order
 * @param asValues - as in `RowSource`
 */
export function appendFragment(query: Query, items: readonly NewItem[], asValues = false): AppendFragment {
  const itemsByInbox = Map.groupBy(items, inboxKey)
  const users = [...itemsByInbox.values()]
  // Counted from the newest item: `seq` of an item is the inbox version minus its place.
  const places = users.flatMap(group =>
    group.map((item, i): PlacedItem => ({ ...item, place: group.length - 1 - i }))
  )
  const insertHeads = query`
      insert into inbox_counters (bucket, env_id, user_id, version, floor, unopened, unarchived, unseen)
      select bucket, env_id, user_id, born, born - size, size, size, size
      from ${inboxSizes(query, users, asValues)}
      cross join (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as born) as clock
      order by bucket, env_id, user_id
      on conflict (bucket, env_id, user_id) do update set
        previous = inbox_counters.version,
        version = greatest(inbox_counters.version + excluded.unopened, excluded.version),
        unopened = inbox_counters.unopened + excluded.unopened,
        unarchived = inbox_counters.unarchived + excluded.unarchived,
        unseen = inbox_counters.unseen + excluded.unseen
      returning bucket, env_id as "envId", user_id as "userId", previous, version, unopened, unarchived, unseen, snoozed`
  const ctes = query`
    heads as (${insertHeads}), items as (
      insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, sub_id, content, expires_at, broadcast_id)
      select n.bucket, n.env_id, n.user_id, h.version - n.place, n.id, n.notification_id, n.sub_id,
        n.content::jsonb, n.expires_at, n.broadcast_id
      from ${placedItems(query, places, asValues)}
      join heads h on h.bucket = n.bucket and h."envId" = n.env_id and h."userId" = n.user_id
    )`
  return {
    toEvents: heads =>
      heads.map(head => {
        const added = itemsByInbox.get(inboxKey(head))!
        return toInboxEvent(
          head,
          added.map((item, i) =>
            toNotification({
              ...INITIAL_STATE,
              ...item,
              expiresAt: item.expiresAt ?? null,
              seq: head.version - added.length + 1 + i
            })
          )
        )
      }),
    ctes,
    insertHeads,
    insertItems(heads) {
      const versions = new Map(heads.map(head => [inboxKey(head), head.version]))
      const numbered: NumberedItem[] = []
      for (const item of places) numbered.push({ ...item, seq: versions.get(inboxKey(item))! - item.place })
      return query`
        insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, sub_id, content, expires_at, broadcast_id)
        select bucket, env_id, user_id, seq, id, notification_id, sub_id, content::jsonb, expires_at, broadcast_id
        from ${numberedItems(query, numbered, asValues)}`
    }
  }
}

const removal = (tx: Tx, condition: Fragment) => ({
  condition,
  limits: { maxItems: 2 ** 31 - 1 },
  newValues: { removed: tx`true`, replies: tx`null::jsonb` }
})

export interface RetractionMatch extends UserKey {
  readonly notificationId: string
  readonly subId?: string
}

/**
 * Retracts all items of a type, or of one of its sub-notifications, from the user's inbox.
 *
 * @returns the event with the ids in `removed`, to publish after the commit; undefined if there were no such items
 */
export async function removeMatching(tx: Tx, match: RetractionMatch): Promise<InboxEvent | undefined> {
  const { bucket, envId, userId, notificationId, subId = null } = match
  const user = { bucket, envId, userId }
  const condition = tx`i.notification_id = ${notificationId} and (${subId}::text is null or i.sub_id = ${subId})`
  const [event] = await changeItems(tx, [bucket], [user], removal(tx, condition))
  return event
}

/** Removes single items of any number of users. @returns the events to publish after the commit */
export async function removeItems(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  items: readonly Required<ItemTarget>[]
): Promise<readonly InboxEvent[]> {
  if (items.length === 0) return []
  return changeItems(tx, buckets, items, removal(tx, tx`i.id = t.id`))
}
