// Joins pending actions that do the same to several notifications into one request.

import {
  MARKS,
  patchNotif,
  type InboxPatch,
  type Mark,
  type Notif,
  type NotifId
} from '../../protocol/index.ts'
import type { Deferred, OutboxRequest } from '../outbox/outbox.ts'
import { createIdempotencyKey, type StoredAction } from '../transport.ts'
import { applyUpdates, createUpdate, type OptimisticUpdate } from './optimistic.ts'

export interface ActionBatch extends OutboxRequest {
  patch: InboxPatch
  seen: StoredAction['seen']
  /** Optimistic updates that are shown until the answer. */
  updates: readonly OptimisticUpdate[]
}

const MAX_IDS_PER_REQUEST = 200

/** Equal for patches that set and clear the same marks. */
const toKind = (patch: InboxPatch): string =>
  MARKS.map(mark => (patch[mark] === undefined ? '' : patch[mark] ? '+' : '-')).join()

/** A click is sent immediately, because it may leave the page. No action undoes it, so its order does not matter. */
export const isClick = (patch: InboxPatch): boolean =>
  MARKS.every(mark => (mark === 'clicked' ? patch[mark] : patch[mark] === undefined))

function mergePatches(one: InboxPatch, other: InboxPatch): InboxPatch | undefined {
  if (one.trackingIds === 'ALL' || other.trackingIds === 'ALL' || toKind(one) !== toKind(other))
    return undefined
  const trackingIds = [...new Set([...one.trackingIds, ...other.trackingIds])]
  return trackingIds.length > MAX_IDS_PER_REQUEST ? undefined : { ...other, trackingIds }
}

export const listIds = ({ trackingIds }: InboxPatch): readonly NotifId[] =>
  trackingIds === 'ALL' ? [] : trackingIds

const listMarks = (patch: InboxPatch): Mark[] => MARKS.filter(mark => patch[mark] !== undefined)

/**
 * @param findShown - returns a notification as the user sees it: the clock of another device may be ahead, and a mark that
 *   the user sees is not newer than the action
 */
export const createBatch = (
  patch: InboxPatch,
  deferred: Deferred,
  at: number,
  findShown?: (id: NotifId) => Notif
): ActionBatch => ({
  at,
  key: createIdempotencyKey(),
  patch,
  seen: Object.fromEntries(
    listIds(patch).map(id => [
      id,
      [new Date(at).toISOString(), ...listMarks(patch).map(mark => findShown?.(id)[mark] ?? '')]
        .sort()
        .at(-1)!
    ])
  ),
  updates: [createUpdate(patch)],
  deferreds: [deferred]
})

/** Whether the same mark was changed on another device since the action. */
export const isOvertaken = ({ patch, seen }: ActionBatch, item: Notif): boolean =>
  listMarks(patch).some(mark => (item[mark] ?? '') > seen[item.id]!)

/** Whether newer updates undo everything that a batch does to a notification. */
export function isUndone({ patch }: ActionBatch, item: Notif, newer: readonly OptimisticUpdate[]): boolean {
  const after = applyUpdates(patchNotif(item, patch), newer)
  return !patch.reply && listMarks(patch).every(mark => !after[mark] !== !patch[mark])
}

/** Adds a new batch to an older one that is not sent yet and does the same. Returns whether it did. */
export function joinBatches(older: ActionBatch, newer: ActionBatch): boolean {
  const patch =
    older.isSending === undefined && older.at <= newer.at && mergePatches(older.patch, newer.patch)
  if (!patch) return false
  older.patch = patch
  older.seen = { ...newer.seen, ...older.seen }
  older.updates = [...older.updates, ...newer.updates]
  older.deferreds.push(...newer.deferreds)
  return true
}
