// Optimistic updates: patches of the user that are applied to the confirmed inbox, in their order, until the server has them.
// A rollback removes the patch only, so changes that arrived in the meantime stay.

import {
  countItems,
  patchNotif,
  type Counts,
  type InboxPatch,
  type Instant,
  type Notif,
  type NotifId
} from '../../protocol/index.ts'
import { findIndex, type Inbox } from './reducer.ts'

export interface OptimisticUpdate {
  /** Notifications that it may change; undefined: all. */
  readonly ids: readonly NotifId[] | undefined
  readonly patch: InboxPatch
  /** Returns the notification with the patch applied; the same object for the same object. */
  readonly apply: (item: Notif) => Notif
  /** The confirmed inbox contains the patch from this version on. Undefined while the server has not answered. */
  readonly untilVersion?: number
}

const toInstant = (version: number): Instant => new Date(version).toISOString()

/** Whether a patch is about a notification. */
export function createFilter({ from, through, trackingIds, types }: InboxPatch): (item: Notif) => boolean {
  if (trackingIds !== 'ALL') {
    const ids = new Set(trackingIds)
    return ({ id }) => ids.has(id)
  }
  const first = from === undefined ? '' : toInstant(from)
  const last = through === undefined ? '\uffff' : toInstant(through)
  return ({ date, type }) => first <= date && date <= last && (types?.includes(type) ?? true)
}

export function createUpdate(
  patch: InboxPatch,
  change = (item: Notif): Notif => patchNotif(item, patch)
): OptimisticUpdate {
  const isCovered = createFilter(patch)
  const results = new WeakMap<Notif, Notif>()
  return {
    apply(item) {
      if (!isCovered(item)) return item
      const result = results.get(item) ?? change(item)
      results.set(item, result)
      return result
    },
    ids: patch.trackingIds === 'ALL' ? undefined : patch.trackingIds,
    patch
  }
}

export const applyUpdates = (item: Notif, updates: readonly OptimisticUpdate[]): Notif =>
  updates.reduce((item, { apply }) => apply(item), item)

/** The known notifications that some updates may change. */
function listTouched({ items, records }: Inbox, updates: readonly OptimisticUpdate[]): readonly Notif[] {
  if (updates.some(({ ids }) => !ids)) return items
  const ids = new Set(updates.flatMap(({ ids }) => ids ?? []))
  return [...ids].flatMap(id => records.get(id) ?? [])
}

/** Applies updates to a list that is newest first. Only notifications that an update may change are visited. */
export function applyUpdatesToList(
  inbox: Inbox,
  list: readonly Notif[],
  updates: readonly OptimisticUpdate[]
): readonly Notif[] {
  if (updates.length === 0) return list
  const touched = listTouched(inbox, updates)
  if (touched === inbox.items) return list.map(item => applyUpdates(item, updates))
  const shown = [...list]
  for (const item of touched) {
    const index = findIndex(list, item)
    if (index >= 0) shown[index] = applyUpdates(item, updates)
  }
  return shown
}

/** Counts the known notifications that some updates may change, before and after the updates. */
export function countTouched(
  inbox: Inbox,
  updates: readonly OptimisticUpdate[],
  is: (item: Notif) => boolean = () => true
): { readonly before: Counts; readonly after: Counts } {
  const touched = listTouched(inbox, updates).filter(is)
  return { after: countItems(touched.map(item => applyUpdates(item, updates))), before: countItems(touched) }
}

/**
 * The server's counters with all updates applied. Notifications that are not loaded count as covered by 'ALL' without other limits,
 * because they are older than any `through`.
 */
export function applyUpdatesToCounts(inbox: Inbox, updates: readonly OptimisticUpdate[]): Counts {
  const { counts } = inbox
  if (updates.length === 0) return counts
  const { after, before } = countTouched(inbox, updates)
  // Not below 0: an older page may contain changes that the counters do not contain yet.
  const snoozed = Math.max(0, counts.snoozed - before.snoozed)
  let unarchived = Math.max(0, counts.unarchived - before.unarchived)
  let unopened = Math.min(unarchived, Math.max(0, counts.unopened - before.unopened))
  let unseen = Math.min(unopened, Math.max(0, counts.unseen - before.unseen))
  for (const { patch } of updates) {
    if (patch.trackingIds !== 'ALL' || patch.types || patch.from !== undefined) continue
    if (patch.archived) unarchived = unopened = unseen = 0
    else if (patch.opened) unopened = unseen = 0
    else if (patch.seen) unseen = 0
  }
  return {
    snoozed: snoozed + after.snoozed,
    unarchived: unarchived + after.unarchived,
    unopened: unopened + after.unopened,
    unseen: unseen + after.unseen
  }
}
