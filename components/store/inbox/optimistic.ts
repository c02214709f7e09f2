// What the person has done and the server has not confirmed: patches laid over the confirmed inbox, in their order.
// To roll back, the patch is dropped and nothing else, so whatever arrived in the meantime stays.

import { patchNotif, type Counts, type InboxPatch, type Instant, type Notif } from '../../protocol/index.ts'
import type { Inbox } from './reducer.ts'

export interface OptimisticUpdate {
  readonly patch: InboxPatch
  /** The notification with the patch on it; the same object for the same object. */
  readonly apply: (item: Notif) => Notif
  /** The inbox holds it from this version on, so then the patch is over. Undefined while the server has not answered. */
  readonly until?: number
}

function coverage({ through, trackingIds }: InboxPatch): (item: Notif) => boolean {
  if (trackingIds !== 'ALL') {
    const ids = new Set(trackingIds)
    return ({ id }) => ids.has(id)
  }
  const last: Instant = through === undefined ? '\uffff' : new Date(through).toISOString()
  return ({ date }) => date <= last
}

export function createUpdate(patch: InboxPatch): OptimisticUpdate {
  const covers = coverage(patch)
  const done = new WeakMap<Notif, Notif>()
  return {
    apply(item) {
      if (!covers(item)) return item
      const result = done.get(item) ?? patchNotif(item, patch)
      done.set(item, result)
      return result
    },
    patch
  }
}

export const applyUpdates = (item: Notif, pending: readonly OptimisticUpdate[]): Notif =>
  pending.reduce((item, { apply }) => apply(item), item)

const isUnarchived = ({ archived }: Notif): boolean => !archived
const isUnopened = ({ archived, opened }: Notif): boolean => !archived && !opened

/**
 * The server's counters as they will be when everything pending is confirmed. What is not loaded is part of them:
 * it is older than any `through`, so 'ALL' covers all of it.
 */
export function applyUpdatesToCounts(
  { counts, records }: Inbox,
  pending: readonly OptimisticUpdate[]
): Counts {
  if (pending.length === 0) return counts
  const known = [...records.values()]
  const count = (items: readonly Notif[], is: (item: Notif) => boolean): number => items.filter(is).length
  // A page may know more than the counters do, until the changes between them have come.
  let unarchived = Math.max(0, counts.unarchived - count(known, isUnarchived))
  let unopened = Math.min(unarchived, Math.max(0, counts.unopened - count(known, isUnopened)))
  for (const { patch } of pending) {
    if (patch.trackingIds !== 'ALL') continue
    if (patch.archived) unarchived = unopened = 0
    else if (patch.opened) unopened = 0
    else if (patch.opened === null) unopened = unarchived
  }
  const items = known.map(item => applyUpdates(item, pending))
  return {
    unarchived: unarchived + count(items, isUnarchived),
    unopened: unopened + count(items, isUnopened)
  }
}
