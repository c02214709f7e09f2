// What the server has confirmed: functions from an inbox and an answer to the next inbox.

import type { Counts, InboxChange, InboxPage, Instant, Notif, NotifId } from '../../protocol/index.ts'
import { NO_COUNTS } from '../inbox-state.ts'

export interface Inbox {
  /** The inbox is complete up to this version; undefined: not loaded, or to be loaded again. */
  readonly version: number | undefined
  /** Counters of the server at `version`. */
  readonly counts: Counts
  /** All known notifications, newest first, also those before `completeSince`: a page that arrives late must not restore an older form. */
  readonly items: readonly Notif[]
  /**
   * The same by id. The map is changed in place while changes arrive, because a copy of 10,000 costs a millisecond; a page that
   * replaces the inbox has another map.
   */
  readonly records: ReadonlyMap<NotifId, Notif>
  /** Ids of removed notifications: a page that arrives late must not restore them. */
  readonly removedIds: ReadonlySet<NotifId>
  /** No notification is missing from this date on. */
  readonly completeSince: Instant | ''
  /** Cursor of the notifications before `completeSince`; undefined: there are none. */
  readonly next: string | undefined
}

/** Number of notifications from a date on, in a list that is newest first. */
export function countSince(items: readonly Notif[], date: Instant | ''): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (items[middle]!.date >= date) from = middle + 1
    else to = middle
  }
  return from
}

/** Index of a known notification in a list that is newest first; -1 if the list has another form of it. */
export const findIndex = (items: readonly Notif[], item: Notif): number =>
  items.lastIndexOf(item, countSince(items, item.date) - 1)

/** The notifications without a gap below them, newest first. Not a copy if these are all: one of 10,000 costs a third of a millisecond. */
export function listNewestFirst({
  completeSince,
  items
}: Pick<Inbox, 'completeSince' | 'items'>): readonly Notif[] {
  const count = countSince(items, completeSince)
  return count === items.length ? items : items.slice(0, count)
}

type Content = Pick<Inbox, 'items' | 'records'>

export function toContent(items: readonly Notif[]): Content {
  const sorted = items.toSorted((one, other) => (one.date < other.date ? 1 : -1))
  return { items: sorted, records: new Map(sorted.map(item => [item.id, item])) }
}

export const createEmptyInbox = (): Inbox => ({
  completeSince: '',
  counts: NO_COUNTS,
  next: undefined,
  ...toContent([]),
  removedIds: new Set(),
  version: undefined
})

/**
 * Keeps the newer form of each notification, and the same object if it did not change. A new date moves it. Frozen, as everything
 * that a page reads.
 */
function mergeNewer(
  inbox: Inbox,
  changed: readonly Notif[],
  removedIds = inbox.removedIds,
  removed: readonly NotifId[] = []
): Content {
  const items = [...inbox.items]
  const records = inbox.records as Map<NotifId, Notif>
  const remove = (item: Notif | undefined): void => {
    if (item) items.splice(findIndex(items, item), 1)
  }
  for (const item of changed) {
    const known = records.get(item.id)
    if (removedIds.has(item.id) || (known && known.rev >= item.rev)) continue
    remove(known)
    items.splice(countSince(items, item.date), 0, Object.freeze(item))
    records.set(item.id, item)
  }
  for (const id of removed) {
    remove(records.get(id))
    records.delete(id)
  }
  return { items, records }
}

export const findOldestDate = ({ items, next }: Pick<InboxPage, 'items' | 'next'>): Instant | '' =>
  next === undefined ? '' : (items.at(-1)?.date ?? '')

/** A first page replaces the inbox, unless live changes are newer than the page. */
export function replaceWithPage(inbox: Inbox, page: InboxPage): Inbox {
  if (inbox.version !== undefined && inbox.version > page.version) return inbox
  const items = page.items.map(item => {
    const known = inbox.records.get(item.id)
    return known?.rev === item.rev ? known : Object.freeze(item)
  })
  return {
    completeSince: findOldestDate(page),
    counts: page.counts,
    next: page.next,
    ...toContent(items),
    removedIds: new Set(),
    version: page.version
  }
}

/** Adds notifications of a part of the inbox, which are not in the list before older pages reach them. */
export const addItems = (inbox: Inbox, items: readonly Notif[]): Inbox => ({
  ...inbox,
  ...mergeNewer(inbox, items)
})

/** Adds an older page. Keeps version and counters, because changes between them and the page are still to come. */
export const addPage = (inbox: Inbox, page: InboxPage): Inbox => ({
  ...addItems(inbox, page.items),
  completeSince: findOldestDate(page),
  next: page.next
})

/**
 * Returns the inbox after a change; the same inbox if the change is already in it; undefined if a change before it is missing.
 * Invariant: a change is applied only to an inbox that has every change before it. Otherwise notifications could be lost or
 * doubled.
 */
export function applyChange(inbox: Inbox, change: InboxChange): Inbox | undefined {
  const { version } = inbox
  if (version === undefined || change.prev > version) return undefined
  if (change.version <= version) return inbox
  const removedIds =
    change.removed.length > 0 ? new Set([...inbox.removedIds, ...change.removed]) : inbox.removedIds
  return {
    ...inbox,
    ...mergeNewer(inbox, change.items, removedIds, change.removed),
    counts: change.counts,
    removedIds,
    version: change.version
  }
}
