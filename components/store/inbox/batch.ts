// Joins pending actions that do the same to several notifications into one request.

import {
  MARKS,
  patchNotif,
  type InboxPatch,
  type Mark,
  type Notif,
  type NotifId
} from '../../protocol/index.ts'
import type { OutboxRequest, Deferred } from '../outbox/outbox.ts'
import { createIdempotencyKey, type StoredAction } from '../transport.ts'
import { applyUpdates, createUpdate, type OptimisticUpdate } from './optimistic.ts'

export interface ActionBatch extends OutboxRequest {
  patch: InboxPatch
  seen: StoredAction['seen']
  /** Optimistic updates that are shown until the answer. */
  pending: readonly OptimisticUpdate[]
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

export const idsOf = ({ trackingIds }: InboxPatch): readonly NotifId[] =>
  trackingIds === 'ALL' ? [] : trackingIds

const marksOf = (patch: InboxPatch): Mark[] => MARKS.filter(mark => patch[mark] !== undefined)

/** @param shown - as the person sees it: other devices' clocks may be ahead, and what was seen is no newer than the action */
export const createBatch = (
  patch: InboxPatch,
  deferred: Deferred,
  at: number,
  shown?: (id: NotifId) => Notif
): ActionBatch => ({
  at,
  key: createIdempotencyKey(),
  patch,
  pending: [createUpdate(patch)],
  seen: Object.fromEntries(
    idsOf(patch).map(id => [
      id,
      [new Date(at).toISOString(), ...marksOf(patch).map(mark => shown?.(id)[mark] ?? '')].sort().at(-1)!
    ])
  ),
  deferreds: [deferred]
})

/** Whether the same mark was changed elsewhere since. */
export const isOvertaken = ({ patch, seen }: ActionBatch, item: Notif): boolean =>
  marksOf(patch).some(mark => (item[mark] ?? '') > seen[item.id]!)

/** Whether nothing of it is left after what is newer. */
export function isUndone({ patch }: ActionBatch, item: Notif, newer: readonly OptimisticUpdate[]): boolean {
  const after = applyUpdates(patchNotif(item, patch), newer)
  return !patch.reply && marksOf(patch).every(mark => !after[mark] !== !patch[mark])
}

/** Puts a new batch into an older one, where that is the same request. */
export function joinBatches(older: ActionBatch, newer: ActionBatch): boolean {
  const both = older.isSending === undefined && older.at <= newer.at && merge(older.patch, newer.patch)
  if (!both) return false
  older.patch = both
  older.seen = { ...newer.seen, ...older.seen }
  older.pending = [...older.pending, ...newer.pending]
  older.deferreds.push(...newer.deferreds)
  return true
}
