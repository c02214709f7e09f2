// Writes to inboxes: new items, read state, retraction and expiry, each together with the counters and the inbox version.
//
// Lock order: `inbox_counters` by (bucket, environment, user), then their items. Items change only under the lock of their
// `inbox_counters` row, so a statement that starts after the lock sees their current state.

import { MARKS, type InboxChange, type InboxPatch, type Mark } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Query, Tx } from '../db/db.ts'
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
}

/** Part of a statement that inserts items at the top of their inboxes, and the conversion of its rows to events. */
export interface AppendFragment {
  /** Common table expressions: `heads`, whose rows the statement must return, and `items`. */
  readonly ctes: Fragment
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
  replies: null
} as const

/** @param items - at least one; the items of one user get consecutive versions in this order */
export function appendFragment(query: Query, items: readonly NewItem[]): AppendFragment {
  const itemsByInbox = Map.groupBy(items, inboxKey)
  const users = [...itemsByInbox.values()]
  // Counted from the newest item: `seq` of an item is the inbox version minus its place.
  const places = users.flatMap(group => group.map((item, i) => ({ item, place: group.length - 1 - i })))
  const ctes = query`
    heads as (
      insert into inbox_counters (bucket, env_id, user_id, version, floor, unopened, unarchived)
      select bucket, env_id, user_id, born, born - size, size, size
      from unnest(
        ${users.map(([first]) => first!.bucket)}::smallint[],
        ${users.map(([first]) => first!.envId)}::text[],
        ${users.map(([first]) => first!.userId)}::text[],
        ${users.map(group => group.length)}::integer[]
      ) as u(bucket, env_id, user_id, size)
      cross join (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as born) as clock
      order by bucket, env_id, user_id
      on conflict (bucket, env_id, user_id) do update set
        previous = inbox_counters.version,
        version = greatest(inbox_counters.version + excluded.unopened, excluded.version),
        unopened = inbox_counters.unopened + excluded.unopened,
        unarchived = inbox_counters.unarchived + excluded.unarchived
      returning bucket, env_id as "envId", user_id as "userId", previous, version, unopened, unarchived
    ), items as (
      insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, sub_id, content, expires_at)
      select n.bucket, n.env_id, n.user_id, h.version - n.place, n.id, n.notification_id, n.sub_id,
        n.content::jsonb, n.expires_at
      from unnest(
        ${places.map(({ item }) => item.bucket)}::smallint[],
        ${places.map(({ item }) => item.envId)}::text[],
        ${places.map(({ item }) => item.userId)}::text[],
        ${places.map(({ place }) => place)}::integer[],
        ${places.map(({ item }) => item.id)}::uuid[],
        ${places.map(({ item }) => item.notificationId)}::text[],
        ${places.map(({ item }) => item.subId)}::text[],
        ${places.map(({ item }) => JSON.stringify(item.content))}::text[],
        ${places.map(({ item }) => item.expiresAt?.toISOString() ?? null)}::timestamptz[]
      ) as n(bucket, env_id, user_id, place, id, notification_id, sub_id, content, expires_at)
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
    ctes
  }
}

/** Items in one event or catch-up. A client that missed more loads the first page again. */
export const MAX_CHANGE_ITEMS = 500

/** Of one item. Without a limit, a user could fill the disk. */
const MAX_REPLIES = 100

/**
 * Changes the read state and the replies of items. Repeating a patch changes nothing. Unknown ids are ignored. The cost depends
 * on the matching items, not on the size of the inbox.
 *
 * @param patch - its ids are uuids
 * @param maxBytes - of all contents in the change; default: no limit
 * @returns the change, and if something changed, the event to publish after the commit
 */
export async function patchItems(
  tx: Tx,
  user: UserKey,
  patch: InboxPatch,
  maxBytes = Number.MAX_SAFE_INTEGER
): Promise<{ readonly change: InboxChange; readonly event?: InboxEvent }> {
  const { trackingIds, reply, through = Number.MAX_SAFE_INTEGER } = patch
  const isAll = trackingIds === 'ALL'
  const { bucket, envId, userId } = user
  const targets = isAll ? [user] : trackingIds.map(id => ({ bucket, envId, id, userId }))
  const markColumn = (name: Mark) => {
    const current = tx`i.${tx(`${name}_at`)}`
    const wanted = patch[name] ?? null
    return tx`case when ${patch[name] === undefined}::boolean then ${current}
      when ${isAll && wanted !== null}::boolean then coalesce(${current}, ${wanted}::timestamptz)
      else ${wanted}::timestamptz end as ${tx(`${name}_at`)}`
  }
  const newReplies = JSON.stringify(reply ? [reply] : [])
  const newColumns = tx`${markColumn('opened')}, ${markColumn('clicked')}, ${markColumn('archived')},
    ${markColumn('actioned1')}, ${markColumn('actioned2')}, case when i.replies @> ${newReplies}::text::jsonb or ${reply === undefined}::boolean
      or jsonb_array_length(i.replies) >= ${MAX_REPLIES} then i.replies
      else coalesce(i.replies, '[]') || ${newReplies}::text::jsonb end as replies, false as removed`
  const condition = isAll ? tx`i.seq <= ${through} and ${indexCondition(tx, patch)}` : tx`i.id = t.id`
  const {
    events: [event],
    before: [counters]
  } = await changeItems(tx, [bucket], targets, {
    condition,
    limits: { maxBytes, maxItems: MAX_CHANGE_ITEMS },
    newColumns
  })
  if (event) return { change: event.change, event }
  const unchanged = { ...user, previous: 0, unarchived: 0, unopened: 0, version: 0, ...counters }
  return { change: toInboxEvent(unchanged, []).change }
}

/** The condition of the partial index that holds exactly the items that can change, if there is one. */
function indexCondition(tx: Tx, patch: InboxPatch) {
  const marks = MARKS.filter(name => patch[name] !== undefined)
  const hasIndex = marks.every(name => (name === 'opened' || name === 'archived') && patch[name] !== null)
  if (!hasIndex) return tx`true`
  return marks.includes('archived')
    ? tx`i.archived_at is null`
    : tx`i.opened_at is null and i.archived_at is null`
}

const removal = (tx: Tx, condition: Fragment) => ({
  condition,
  limits: { maxItems: 2 ** 31 - 1 },
  newColumns: tx`i.opened_at, i.clicked_at, i.archived_at, i.actioned1_at, i.actioned2_at, null::jsonb as replies,
    true as removed`
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
  const { events } = await changeItems(tx, [bucket], [user], removal(tx, condition))
  return events[0]
}

/** Removes single items of any number of users. @returns the events to publish after the commit */
export async function removeItems(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  items: readonly Required<ItemTarget>[]
): Promise<readonly InboxEvent[]> {
  if (items.length === 0) return []
  return (await changeItems(tx, buckets, items, removal(tx, tx`i.id = t.id`))).events
}
