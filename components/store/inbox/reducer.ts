// What the server has confirmed, and how it moves: pure functions from one inbox and one answer to the next inbox.

import type { Counts, InboxChange, InboxPage, Instant, Notif, NotifId } from '../../protocol/index.ts'
import { NO_COUNTS } from '../inbox-state.ts'

type Records = ReadonlyMap<NotifId, Notif>

export interface Inbox {
  /** The inbox is known as it was at this version; undefined: not at all, or not any more. */
  readonly version: number | undefined
  /** As the server counted at `version`. */
  readonly counts: Counts
  /** All that we know, also what is older than `edge`: a page that comes late must not bring back its older form. */
  readonly records: Records
  /** Removed ones, for the same reason. */
  readonly gone: ReadonlySet<NotifId>
  /** From this date on nothing is missing. */
  readonly edge: Instant | ''
  /** Cursor of what is older than `edge`; undefined: there is nothing. */
  readonly next: string | undefined
}

export const NOTHING: Inbox = {
  counts: NO_COUNTS,
  edge: '',
  gone: new Set(),
  next: undefined,
  records: new Map(),
  version: undefined
}

/** The notifications without a gap below them, newest first. */
export const listNewestFirst = ({ edge, records }: Pick<Inbox, 'edge' | 'records'>): Notif[] =>
  [...records.values()]
    .filter(({ date }) => date >= edge)
    .sort((one, other) => (one.date < other.date ? 1 : -1))

/** The newer of two forms of each notification, keeping the object that did not change. Frozen, as all that a page reads. */
function put(records: Records, items: readonly Notif[], gone: ReadonlySet<NotifId>): Map<NotifId, Notif> {
  const next = new Map(records)
  for (const item of items) {
    const known = next.get(item.id)
    if (!gone.has(item.id) && (!known || known.rev < item.rev)) next.set(item.id, Object.freeze(item))
  }
  return next
}

const edgeOf = ({ items, next }: InboxPage): Instant | '' =>
  next === undefined ? '' : (items.at(-1)?.date ?? '')

/** A first page replaces everything, unless live changes have overtaken it. */
export function startOver(inbox: Inbox, page: InboxPage): Inbox {
  if (inbox.version !== undefined && inbox.version > page.version) return inbox
  const known = page.items.map(item => {
    const old = inbox.records.get(item.id)
    return [item.id, old?.rev === item.rev ? old : Object.freeze(item)] as const
  })
  return {
    counts: page.counts,
    edge: edgeOf(page),
    gone: new Set(),
    next: page.next,
    records: new Map(known),
    version: page.version
  }
}

/** An older page. Its version and counters are left out: what happened since ours is still to come. */
export const addPage = (inbox: Inbox, page: InboxPage): Inbox => ({
  ...inbox,
  edge: edgeOf(page),
  next: page.next,
  records: put(inbox.records, page.items, inbox.gone)
})

/**
 * The inbox after a change; the same inbox when it is no news; undefined when something before it is missing.
 * This is the line between "exactly once" and "mostly": a change counts only for who knows everything before it.
 */
export function applyChange(inbox: Inbox, change: InboxChange): Inbox | undefined {
  const { version } = inbox
  if (version === undefined || change.prev > version) return undefined
  if (change.version <= version) return inbox
  const gone = change.removed.length > 0 ? new Set([...inbox.gone, ...change.removed]) : inbox.gone
  const records = put(inbox.records, change.items, gone)
  for (const id of change.removed) records.delete(id)
  return { ...inbox, counts: change.counts, gone, records, version: change.version }
}
