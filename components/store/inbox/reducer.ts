// What the server has confirmed: pure functions from an inbox and an answer to the next inbox.

import type { Counts, InboxChange, InboxPage, Instant, Notif, NotifId } from '../../protocol/index.ts'
import { NO_COUNTS } from '../inbox-state.ts'

type Records = ReadonlyMap<NotifId, Notif>

export interface Inbox {
  /** The inbox is complete up to this version; undefined: not loaded, or to be loaded again. */
  readonly version: number | undefined
  /** Counters of the server at `version`. */
  readonly counts: Counts
  /** All known notifications, also those before `completeSince`: a page that arrives late must not restore an older form. */
  readonly records: Records
  /** Ids of removed notifications: a page that arrives late must not restore them. */
  readonly removedIds: ReadonlySet<NotifId>
  /** No notification is missing from this date on. */
  readonly completeSince: Instant | ''
  /** Cursor of the notifications before `completeSince`; undefined: there are none. */
  readonly next: string | undefined
}

export const EMPTY_INBOX: Inbox = {
  completeSince: '',
  counts: NO_COUNTS,
  next: undefined,
  records: new Map(),
  removedIds: new Set(),
  version: undefined
}

/** The notifications without a gap below them, newest first. */
export const listNewestFirst = ({
  completeSince,
  records
}: Pick<Inbox, 'completeSince' | 'records'>): Notif[] =>
  [...records.values()]
    .filter(({ date }) => date >= completeSince)
    .sort((one, other) => (one.date < other.date ? 1 : -1))

/** Keeps the newer form of each notification, and the same object if it did not change. Frozen, as everything that a page reads. */
function mergeNewer(
  records: Records,
  items: readonly Notif[],
  removedIds: ReadonlySet<NotifId>
): Map<NotifId, Notif> {
  const next = new Map(records)
  for (const item of items) {
    const known = next.get(item.id)
    if (!removedIds.has(item.id) && (!known || known.rev < item.rev)) next.set(item.id, Object.freeze(item))
  }
  return next
}

export const findOldestDate = ({ items, next }: Pick<InboxPage, 'items' | 'next'>): Instant | '' =>
  next === undefined ? '' : (items.at(-1)?.date ?? '')

/** A first page replaces the inbox, unless live changes are newer than the page. */
export function replaceWithPage(inbox: Inbox, page: InboxPage): Inbox {
  if (inbox.version !== undefined && inbox.version > page.version) return inbox
  const records = page.items.map(item => {
    const known = inbox.records.get(item.id)
    return [item.id, known?.rev === item.rev ? known : Object.freeze(item)] as const
  })
  return {
    completeSince: findOldestDate(page),
    counts: page.counts,
    next: page.next,
    records: new Map(records),
    removedIds: new Set(),
    version: page.version
  }
}

/** Adds an older page. Keeps version and counters, because changes between them and the page are still to come. */
export const addPage = (inbox: Inbox, page: InboxPage): Inbox => ({
  ...inbox,
  completeSince: findOldestDate(page),
  next: page.next,
  records: mergeNewer(inbox.records, page.items, inbox.removedIds)
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
  const records = mergeNewer(inbox.records, change.items, removedIds)
  for (const id of change.removed) records.delete(id)
  return { ...inbox, counts: change.counts, records, removedIds, version: change.version }
}
