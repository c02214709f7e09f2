// Actions that go in one request: those that wait together and do the same to several notifications.

import { MARKS, patchNotif, type InboxPatch, type Mark, type Notif, type NotifId } from '../protocol/index.ts'
import type { KeptAction } from '../transport/transport.ts'
import { newKey, type Letter, type Waiter } from './outbox.ts'
import { pendingOf, type Pending } from './pending.ts'

export interface Group extends Letter {
  /** When the person did the first of it; 0: on an earlier page. Milliseconds since 1970. */
  at: number
  patch: InboxPatch
  seen: KeptAction['seen']
  /** What it shows until it is answered. */
  pending: readonly Pending[]
  /** The server may have it, so nothing is added any more. */
  sent: boolean
}

/** Ids in one request at most. */
const MOST = 200

const kindOf = (patch: InboxPatch): string =>
  MARKS.map(mark => (patch[mark] === undefined ? '' : patch[mark] ? '+' : '-')).join()

/** A click may lead away at once, so it waits for nothing; and nothing ever takes it back, so its place does not matter. */
export const isClick = (patch: InboxPatch): boolean =>
  MARKS.every(mark => (mark === 'clicked' ? patch[mark] : patch[mark] === undefined))

function merge(one: InboxPatch, other: InboxPatch): InboxPatch | undefined {
  if (one.trackingIds === 'ALL' || other.trackingIds === 'ALL' || kindOf(one) !== kindOf(other))
    return undefined
  const trackingIds = [...new Set([...one.trackingIds, ...other.trackingIds])]
  return trackingIds.length > MOST ? undefined : { ...other, trackingIds }
}

export const groupOf = (patch: InboxPatch, seen: KeptAction['seen'], waiter: Waiter, at = 0): Group => ({
  at,
  key: newKey(),
  patch,
  pending: [pendingOf(patch)],
  seen,
  sent: false,
  waiters: [waiter]
})

const marksOf = (patch: InboxPatch): Mark[] => MARKS.filter(mark => patch[mark] !== undefined)

/** The marks that a patch is about, as the person sees them. */
export function seenBy(patch: InboxPatch, find: (id: NotifId) => Notif | undefined): KeptAction['seen'] {
  const ids = patch.trackingIds === 'ALL' ? [] : patch.trackingIds
  return Object.fromEntries(
    ids.flatMap(id => {
      const item = find(id)
      return item ? [[id, Object.fromEntries(marksOf(patch).map(mark => [mark, item[mark] ?? null]))]] : []
    })
  )
}

/**
 * Whether somebody else has changed the same since. That the server has it and nobody heard the answer is no change, nor
 * is a mark that is older than the one that the person saw: that was one of their own, and this is the newer one.
 */
export function isOvertaken({ patch, seen }: Group, item: Notif): boolean {
  const saw = seen[item.id]
  const marks = marksOf(patch)
  return (
    saw !== undefined &&
    marks.some(mark => (item[mark] ? item[mark] > (saw[mark] ?? '') : saw[mark])) &&
    marks.some(mark => (item[mark] ?? null) !== (patch[mark] ?? null))
  )
}

/** Whether nothing of it is left after something newer. */
export function isUndone({ patch }: Group, item: Notif, newer: Pending): boolean {
  const after = newer.apply(patchNotif(item, patch))
  return !patch.reply && marksOf(patch).every(mark => !after[mark] !== !patch[mark])
}

/** Puts a new group into an older one, where that is the same request. */
export function join(older: Group | undefined, newer: Group): boolean {
  const both = older && !older.sent && !isClick(older.patch) && merge(older.patch, newer.patch)
  if (!both) return false
  older.patch = both
  older.seen = { ...newer.seen, ...older.seen }
  older.pending = [...older.pending, ...newer.pending]
  older.waiters.push(...newer.waiters)
  return true
}
