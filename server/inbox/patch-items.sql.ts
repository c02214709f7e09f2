// Changes the read state of items. The last writer wins: for each mark of each item the time of its last write is kept, and an older
// write is ignored, so the result does not depend on the order in which devices are heard.

import { impliedMarks, MARKS, type InboxChange, type InboxPatch, type Instant, type Mark } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, Tx } from '../db/db.ts'
import { toCursor } from '../http/cursor.ts'
import { addAllWrite, findAllWrite, type AllWrite } from './all-writes.ts'
import { changeLockedItems, lockInboxes, toInboxEvent } from './change-items.sql.ts'
import { NO_COUNTS } from './read-inbox.sql.ts'
import { enqueueSnoozes } from './snooze.sql.ts'

/** Items in one event or catch-up. A client that missed more loads the first page again. */
export const MAX_CHANGE_ITEMS = 500

/** Of one item. Without a limit, a user could fill the disk. */
const MAX_REPLIES = 100

/** What follows in the transaction of a change that made items read or archived. @param event - of the change */
export type AfterRead = (tx: Tx, user: UserKey, event: InboxEvent) => Promise<void>

const READING = MARKS.filter(mark => mark !== 'seen')

const makesRead = (patch: InboxPatch): boolean => Boolean(patch.reply) || READING.some(mark => patch[mark])

const WRITABLE = [...MARKS, 'snoozedUntil'] as const
type Writable = (typeof WRITABLE)[number]

interface Write {
  readonly value: Instant | null
  /** Keeps a value that is set. */
  readonly keepsValue: boolean
}

/** Returns what a patch writes: what it names, and what follows from that. */
function listWrites(patch: InboxPatch): { readonly [name in Writable]?: Write } {
  const isAll = patch.trackingIds === 'ALL'
  const write = (value: Instant | null, keepsValue = isAll && value !== null): Write => ({
    keepsValue,
    value
  })
  const { opened, seen } = impliedMarks(patch)
  return {
    // An archived item is not snoozed any more, and a snoozed one not archived.
    ...(patch.archived && !isAll && { snoozedUntil: write(null) }),
    ...(patch.snoozedUntil && { archived: write(null) }),
    ...Object.fromEntries(
      WRITABLE.flatMap(name => (patch[name] === undefined ? [] : [[name, write(patch[name])]]))
    ),
    ...(opened !== undefined && { opened: write(opened, opened !== null) }),
    ...(seen !== undefined && { seen: write(seen, true) })
  }
}

/** The item `i` is covered by a later action on all items that wrote the mark. */
export const isOverwritten = (tx: Tx, mark: Writable, later: readonly AllWrite[]): Fragment =>
  later.length === 0
    ? tx`false`
    : tx`exists (select from jsonb_to_recordset(${JSON.stringify(later)}::text::jsonb)
        as w("from" bigint, through bigint, types jsonb, marks jsonb)
        where w.marks ? ${mark} and i.seq between w."from" and w.through
          and (w.types is null or w.types ? i.notification_id))`

/** @returns the new values of the columns of `i` after writes at a time, in milliseconds since 1970 */
function writeValues(
  tx: Tx,
  writes: { readonly [name in Writable]?: Write },
  at: number,
  later: readonly AllWrite[]
) {
  const column = (name: Writable): Fragment =>
    tx`i.${tx(name === 'snoozedUntil' ? 'snoozed_until' : `${name}_at`)}`
  const isApplied = (name: Writable): Fragment =>
    tx`(${writes[name] !== undefined}::boolean
      and coalesce(i.write_times[${WRITABLE.indexOf(name) + 1}::integer] <= ${at}, true)
      and not ${isOverwritten(tx, name, later)})`
  const value = (name: Writable): Fragment => {
    const { keepsValue = false, value = null } = writes[name] ?? {}
    return tx`case when not ${isApplied(name)} then ${column(name)}
      when ${keepsValue}::boolean then coalesce(${column(name)}, ${value}::timestamptz) else ${value}::timestamptz end`
  }
  const time = (name: Writable): Fragment =>
    tx`case when ${isApplied(name)} then ${at}::bigint else i.write_times[${WRITABLE.indexOf(name) + 1}::integer] end`
  const [first, ...rest] = WRITABLE.map(time)
  const until = writes.snoozedUntil?.value ?? null
  return {
    actioned1_at: value('actioned1'),
    actioned2_at: value('actioned2'),
    archived_at: value('archived'),
    clicked_at: value('clicked'),
    opened_at: value('opened'),
    seen_at: value('seen'),
    // A snooze that has ended leaves its time; one that is taken back does not.
    snoozed_at: tx`case when not ${isApplied('snoozedUntil')} then i.snoozed_at
      when ${until}::timestamptz is not null then ${new Date(at)}::timestamptz
      when i.snoozed_until is null then i.snoozed_at end`,
    snoozed_until: value('snoozedUntil'),
    write_times: tx`array[${rest.reduce((all, one) => tx`${all}, ${one}`, first!)}]`
  }
}

/**
 * Changes the read state and the replies of items. Repeating a patch changes nothing. Unknown ids are ignored. The cost depends
 * on the matching items, not on the size of the inbox.
 *
 * @param patch - its ids are uuids
 * @param maxBytes - of all contents in the change; default: no limit
 * @param afterRead - default: nothing follows
 * @returns the change, and if something changed, the event to publish after the commit
 */
export async function patchItems(
  tx: Tx,
  user: UserKey,
  patch: InboxPatch,
  maxBytes = Number.MAX_SAFE_INTEGER,
  afterRead?: AfterRead
): Promise<{ readonly change: InboxChange; readonly event?: InboxEvent }> {
  const { bucket, envId, userId } = user
  const { from = 0, reply, through = Number.MAX_SAFE_INTEGER, trackingIds, types } = patch
  const isAll = trackingIds === 'ALL'
  const [inbox] = await lockInboxes(tx, [bucket], [user])
  if (!inbox) return { change: { counts: NO_COUNTS, items: [], prev: 0, removed: [], version: 0 } }
  const at = Math.min(patch.at === undefined ? Infinity : Date.parse(patch.at), inbox.nowMs)
  const earlier = inbox.allWrites ?? []
  const writes = listWrites(patch)
  const range = tx`i.seq between ${from} and ${through}
    and (${types ?? null}::text[] is null or i.notification_id = any(${types ?? null}::text[]))`
  const newReplies = JSON.stringify(reply ? [reply] : [])
  const [event] = await changeLockedItems(
    tx,
    [bucket],
    isAll ? [user] : trackingIds.map(id => ({ bucket, envId, id, userId })),
    {
      condition: isAll ? tx`${range} and ${unsetCondition(tx, user, writes)}` : tx`i.id = t.id`,
      isVisibleOnly: isAll,
      limits: { maxBytes, maxItems: MAX_CHANGE_ITEMS },
      newValues: {
        ...writeValues(
          tx,
          writes,
          at,
          earlier.filter(one => one.at > at)
        ),
        replies: tx`case when i.replies @> ${newReplies}::text::jsonb or ${reply === undefined}::boolean
          or jsonb_array_length(i.replies) >= ${MAX_REPLIES} then i.replies
          else coalesce(i.replies, '[]') || ${newReplies}::text::jsonb end`
      }
    }
  )
  if (event && makesRead(patch)) await afterRead?.(tx, user, event)
  if (!isAll) {
    if (patch.snoozedUntil) await enqueueSnoozes(tx, user, trackingIds, new Date(patch.snoozedUntil))
    return event ? { change: event.change, event } : { change: toInboxEvent(inbox, []).change }
  }
  const marks = Object.fromEntries(MARKS.flatMap(mark => (writes[mark] ? [[mark, writes[mark].value]] : [])))
  const write = {
    at,
    from,
    marks,
    through: Math.min(through, inbox.version),
    ...(types && { types }),
    // What a clearing action has cleared is not kept anywhere.
    ...(event && Object.values(marks).every(value => value !== null) && { version: event.change.version })
  }
  // The answer to a retry has the token of the first answer.
  const known = findAllWrite(earlier, write)
  if (!known) await storeAllWrites(tx, user, addAllWrite(earlier, write))
  const { version } = known ?? write
  const undo = version === undefined ? {} : { undo: toCursor(version) }
  const change = event?.change ?? toInboxEvent(inbox, []).change
  return { change: { ...change, ...undo }, ...(event && { event }) }
}

/** Stores the last actions on all items, under the lock of the inbox. */
export async function storeAllWrites(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  writes: readonly AllWrite[]
): Promise<void> {
  await tx`
    update inbox_counters set all_writes = ${JSON.stringify(writes)}::text::jsonb
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
}

/**
 * The condition that a mark is not set yet, in parts that have an index each. True if the patch clears marks, or sets others.
 * The user stands in it as well, because Postgres joins such parts only by conditions on one table.
 */
function unsetCondition(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  writes: { readonly [name in Writable]?: Write }
): Fragment {
  const indexed = new Set<Mark>(['archived', 'opened', 'seen'])
  const marks = MARKS.filter(mark => writes[mark])
  if (marks.length === 0) return tx`false`
  if (!marks.every(mark => indexed.has(mark) && writes[mark]?.value)) return tx`true`
  const isUnopened = tx`i.opened_at is null and (
    (i.archived_at is null and i.snoozed_until is null) or i.archived_at is not null or i.snoozed_until is not null)`
  const isUnarchived = tx`i.archived_at is null and (i.snoozed_until is null or i.snoozed_until is not null)`
  const parts = [
    ...(writes.archived ? [isUnarchived] : []),
    ...(writes.opened || writes.seen ? [isUnopened] : [])
  ]
  return tx`i.bucket = ${bucket} and i.env_id = ${envId} and i.user_id = ${userId}
    and (${parts.reduce((all, part) => tx`${all} or (${part})`, tx`false`)})`
}
