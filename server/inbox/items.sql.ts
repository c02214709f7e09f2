// What is written to inboxes: new items, a person's marks, retraction and expiry, each with its counters and clock.
//
// Lock order: heads by (bucket, environment, user), then their items. Whoever holds a head owns its items, so a
// statement that starts after the lock sees them as they are.

import { MARKS, type InboxChange, type InboxPatch, type Mark } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/inbox-event.ts'
import type { Fragment, Group, Query, Tx } from '../db/db.ts'
import { changeItems, eventOf, nameOf, type Head, type Target } from './change-items.sql.ts'
import { toNotif, type ItemContent } from './item.ts'

export interface NewItem extends UserKey {
  /** Tracking id of the send. */
  readonly id: string
  readonly notificationId: string
  /** `''`: none. */
  readonly subId: string
  readonly content: ItemContent
  /** When it disappears: enqueue a row in lane EXPIRE with the same `sendId` for that time, in the same transaction. */
  readonly expiresAt?: Date
}

/** Parts of a statement that puts items at the top of their inboxes, and the way from its rows to events. */
export interface Appending {
  /** Of a `with`: `heads`, whose rows the statement has to return, and what else there is to do. */
  readonly parts: Fragment
  /** One event for each inbox, to be published after the commit. */
  events(heads: readonly Head[]): InboxEvent[]
}

/** @param items - at least one; several for one user take consecutive versions in the order given */
export function appending(query: Query, items: readonly NewItem[]): Appending {
  const mine = Map.groupBy(items, nameOf)
  const users = [...mine.values()]
  // Counted from the newest: an item's version is the head's less its place here.
  const places = users.flatMap(group => group.map((item, i) => ({ item, place: group.length - 1 - i })))
  const parts = query`
    heads as (
      insert into inbox_heads (bucket, env_id, user_id, version, floor, unopened, unarchived)
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
        previous = inbox_heads.version,
        version = greatest(inbox_heads.version + excluded.unopened, excluded.version),
        unopened = inbox_heads.unopened + excluded.unopened,
        unarchived = inbox_heads.unarchived + excluded.unarchived
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
    events: heads =>
      heads.map(head => {
        const added = mine.get(nameOf(head))!
        return eventOf(
          head,
          added.map((item, i) =>
            toNotif({
              ...FRESH,
              ...item,
              expiresAt: item.expiresAt ?? null,
              seq: head.version - added.length + 1 + i
            })
          )
        )
      }),
    parts
  }
}

const FRESH = {
  actioned1At: null,
  actioned2At: null,
  archivedAt: null,
  changed: null,
  clickedAt: null,
  openedAt: null,
  removed: false,
  replies: null
} as const

/** Most items that an event or a catch-up carries; whoever missed more loads the first page again. */
export const CHANGE_LIMIT = 500
const NO_LIMIT = { items: 2 ** 31 - 1 }

/** Replies that one item keeps; the inbox's owner could fill the disk otherwise. */
const REPLIES = 100

/**
 * A person's marks and replies. What is so already stays so: the same patch again changes nothing. Ids that the inbox
 * does not hold are ignored. The work is that of the items in question, however many the inbox holds.
 *
 * @param patch - its ids are uuids
 * @param bytes - of all contents in the change together; default: any
 * @returns the change; an event to be published after the commit when there is one
 */
export async function patchItems(
  tx: Tx,
  user: UserKey,
  patch: InboxPatch,
  bytes = Number.MAX_SAFE_INTEGER
): Promise<{ readonly change: InboxChange; readonly event?: InboxEvent }> {
  const { trackingIds, reply, through = Number.MAX_SAFE_INTEGER } = patch
  const all = trackingIds === 'ALL'
  const { bucket, envId, userId } = user
  const targets = all ? [user] : trackingIds.map(id => ({ bucket, envId, id, userId }))
  const mark = (name: Mark) => {
    const now = tx`i.${tx(`${name}_at`)}`
    const then = patch[name] ?? null
    return tx`case when ${patch[name] === undefined}::boolean then ${now}
      when ${all && then !== null}::boolean then coalesce(${now}, ${then}::timestamptz)
      else ${then}::timestamptz end as ${tx(`${name}_at`)}`
  }
  const said = JSON.stringify(reply ? [reply] : [])
  const become = tx`${mark('opened')}, ${mark('clicked')}, ${mark('archived')}, ${mark('actioned1')},
    ${mark('actioned2')}, case when i.replies @> ${said}::text::jsonb or ${reply === undefined}::boolean
      or jsonb_array_length(i.replies) >= ${REPLIES} then i.replies
      else coalesce(i.replies, '[]') || ${said}::text::jsonb end as replies, false as removed`
  const which = all ? tx`i.seq <= ${through} and ${narrow(tx, patch)}` : tx`i.id = t.id`
  const {
    events: [event],
    heads: [head]
  } = await changeItems(tx, [bucket], targets, {
    become,
    most: { bytes, items: CHANGE_LIMIT },
    which
  })
  if (event) return { change: event.change, event }
  const untouched = { ...user, previous: 0, unarchived: 0, unopened: 0, version: 0, ...head }
  return { change: eventOf(untouched, []).change }
}

/** The words of the partial index that holds exactly the items in question, where there is one. */
function narrow(tx: Tx, patch: InboxPatch) {
  const given = MARKS.filter(name => patch[name] !== undefined)
  const isAboutOpen = given.every(name => (name === 'opened' || name === 'archived') && patch[name] !== null)
  if (!isAboutOpen) return tx`true`
  return given.includes('archived')
    ? tx`i.archived_at is null`
    : tx`i.opened_at is null and i.archived_at is null`
}

const gone = (tx: Tx) =>
  tx`i.opened_at, i.clicked_at, i.archived_at, i.actioned1_at, i.actioned2_at, null::jsonb as replies, true as removed`

export interface Match extends UserKey {
  readonly notificationId: string
  readonly subId?: string
}

/**
 * Retracts: every item of the type, or of one sub-type of it, goes from the user's inbox.
 *
 * @returns the event with the ids in `removed`, to be published after the commit; undefined when there was none
 */
export async function removeMatching(tx: Tx, match: Match): Promise<InboxEvent | undefined> {
  const { bucket, envId, userId, notificationId, subId = null } = match
  const user = { bucket, envId, userId }
  const which = tx`i.notification_id = ${notificationId} and (${subId}::text is null or i.sub_id = ${subId})`
  const { events } = await changeItems(tx, [bucket], [user], { become: gone(tx), most: NO_LIMIT, which })
  return events[0]
}

/** Takes single items away, of any number of users. @returns events, to be published after the commit */
export async function removeItems(
  tx: Tx,
  buckets: Group['buckets'],
  items: readonly Required<Target>[]
): Promise<readonly InboxEvent[]> {
  if (items.length === 0) return []
  const wanted = { become: gone(tx), most: NO_LIMIT, which: tx`i.id = t.id` }
  return (await changeItems(tx, buckets, items, wanted)).events
}
