// Optimistic updates: patches of the user that are applied to the confirmed inbox, in their order, until the server has them.
// A rollback removes the patch only, so changes that arrived in the meantime stay.

import { patchNotif, type Counts, type InboxPatch, type Instant, type Notif } from '../../protocol/index.ts'
import type { Inbox } from './reducer.ts'

export interface OptimisticUpdate {
  readonly patch: InboxPatch
  /** Returns the notification with the patch applied; the same object for the same object. */
  readonly apply: (item: Notif) => Notif
  /** The confirmed inbox contains the patch from this version on. Undefined while the server has not answered. */
  readonly untilVersion?: number
}

function createFilter({ from = 0, through, trackingIds, types }: InboxPatch): (item: Notif) => boolean {
  if (trackingIds !== 'ALL') {
    const ids = new Set(trackingIds)
    return ({ id }) => ids.has(id)
  }
  const last: Instant = through === undefined ? '\uffff' : new Date(through).toISOString()
  const first: Instant = new Date(from).toISOString()
  return ({ date, type }) => date >= first && date <= last && (!types || types.includes(type))
}

export function createUpdate(patch: InboxPatch): OptimisticUpdate {
  const isCovered = createFilter(patch)
  const results = new WeakMap<Notif, Notif>()
  return {
    apply(item) {
      if (!isCovered(item)) return item
      const result = results.get(item) ?? patchNotif(item, patch)
      results.set(item, result)
      return result
    },
    patch
  }
}

export const applyUpdates = (item: Notif, updates: readonly OptimisticUpdate[]): Notif =>
  updates.reduce((item, { apply }) => apply(item), item)

const isSnoozed = ({ snoozedUntil }: Notif): boolean => !!snoozedUntil
const isUnarchived = ({ archived, snoozedUntil }: Notif): boolean => !archived && !snoozedUntil
const isUnopened = (item: Notif): boolean => isUnarchived(item) && !item.opened
const isUnseen = (item: Notif): boolean => isUnopened(item) && !item.seen

/**
 * The server's counters with all updates applied. Notifications that are not loaded count as covered by 'ALL', because they
 * are older than any `through`.
 */
export function applyUpdatesToCounts(
  { counts, records }: Inbox,
  updates: readonly OptimisticUpdate[]
): Counts {
  if (updates.length === 0) return counts
  const loaded = [...records.values()]
  const count = (items: readonly Notif[], is: (item: Notif) => boolean): number => items.filter(is).length
  // Not below 0: an older page may contain changes that the counters do not contain yet.
  let unarchived = Math.max(0, counts.unarchived - count(loaded, isUnarchived))
  let unopened = Math.min(unarchived, Math.max(0, counts.unopened - count(loaded, isUnopened)))
  let unseen = Math.min(unopened, Math.max(0, counts.unseen - count(loaded, isUnseen)))
  for (const { patch } of updates) {
    if (patch.trackingIds !== 'ALL') continue
    if (patch.archived) unarchived = unopened = unseen = 0
    else if (patch.opened) unopened = unseen = 0
    else if (patch.opened === null) unopened = unarchived
  }
  const items = loaded.map(item => applyUpdates(item, updates))
  return {
    snoozed: Math.max(0, counts.snoozed - count(loaded, isSnoozed)) + count(items, isSnoozed),
    unarchived: unarchived + count(items, isUnarchived),
    unopened: unopened + count(items, isUnopened),
    unseen: unseen + count(items, isUnseen)
  }
}
