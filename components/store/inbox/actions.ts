// Actions of the user, shown immediately. If the server refuses one, or another device changed the same later, only that one is
// rolled back.

import type { InboxChange, InboxPatch, Notif, NotifId } from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type Deferred, type Remainder } from '../outbox/outbox.ts'
import type { OfflineCache, OnRemoteChange, StoredAction, Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'
import {
  createBatch,
  isClick,
  isOvertaken,
  isUndone,
  joinBatches,
  listIds,
  type ActionBatch
} from './batch.ts'
import { applyUpdates, createUpdate, type OptimisticUpdate } from './optimistic.ts'

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly environment: Pick<BaseEnvironment, 'after' | 'now' | 'watch'>
  readonly getUpdates: () => readonly OptimisticUpdate[]
  readonly setUpdates: (updates: readonly OptimisticUpdate[]) => void
  /** Called with the server's answer, after the update is marked as answered. */
  readonly onConfirmed: (change: InboxChange) => void
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Reads the newest state. Resolves with whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** The confirmed notification; undefined if it is not loaded. */
  readonly findItem: (id: NotifId) => Notif | undefined
  /** Called when an action is refused that no caller waits for. */
  readonly onRefused: (error: unknown) => void
}

interface Actions {
  /** Does one action; rejects after the rollback. */
  perform(patch: InboxPatch): Promise<Outcome>
  /** Continues with the actions of closed pages. */
  restore(actions: readonly StoredAction[]): void
  readonly onRemoteChange: OnRemoteChange
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

/** A page compares pending requests with this many newer actions. */
const MAX_RECENT_ACTIONS = 200

/** @property name - identifies an action that several pages report */
type RecentAction = OptimisticUpdate & { readonly at: number; readonly name: string }

export function createActions({
  findItem,
  getUpdates,
  onConfirmed,
  onRefused,
  setUpdates,
  transport,
  ...options
}: Options): Actions {
  const outbox = createOutbox<ActionBatch>({
    ...options,
    record: ({ at, key, patch, seen }) => ({ at, key, patch, seen }),
    async send(batch) {
      const change = await transport.patch(batch.patch, batch.key)
      replaceUpdates(batch.updates, update => [{ ...update, untilVersion: change.version }])
      onConfirmed(change)
    },
    shrink: batch =>
      removeIds(batch, id => {
        // The newest state was read before, so a notification that is not loaded is older than any "all".
        const item = findOrCreate(id, '')
        return isOvertaken(batch, item) || isOver(batch, item)
      }),
    // A removed id may have been an exception to an "all".
    onShrunk: () => review(),
    rollBack: batch => replaceUpdates(batch.updates, () => [])
  })

  /** The newest actions in this browser, as far as this page knows, oldest first. */
  let recentActions: readonly RecentAction[] = []

  const noCaller: Deferred = { resolve: () => {}, reject: onRefused }

  /** If the notification is not loaded: only its id for patches of ids, and `date` for patches of all. */
  const findOrCreate = (id: NotifId, date?: string): Notif => findItem(id) ?? ({ date, id } as Notif)

  function replaceUpdates(
    old: readonly OptimisticUpdate[],
    replace: (update: OptimisticUpdate) => readonly OptimisticUpdate[]
  ): void {
    const replaced = new Set(old)
    setUpdates(getUpdates().flatMap(update => (replaced.has(update) ? replace(update) : [update])))
  }

  function removeIds(batch: ActionBatch, shouldRemove: (id: NotifId) => boolean): Remainder {
    const { patch, updates } = batch
    if (patch.trackingIds === 'ALL' || batch.isSending) return 'all'
    const trackingIds = patch.trackingIds.filter(id => !shouldRemove(id))
    if (trackingIds.length === patch.trackingIds.length) return 'all'
    if (trackingIds.length === 0) return 'nothing'
    batch.patch = { ...patch, trackingIds }
    batch.updates = [createUpdate(batch.patch)]
    replaceUpdates(updates, update => (update === updates[0] ? batch.updates : []))
    return 'some'
  }

  function addBatch(batch: ActionBatch): void {
    setUpdates([...getUpdates(), ...batch.updates])
    const last = outbox.pending().at(-1)
    if (isClick(batch.patch)) void outbox.sendNow(batch)
    else if (last && joinBatches(last, batch)) outbox.update(last)
    else outbox.add(batch)
  }

  function remember(patch: InboxPatch, at: number): void {
    const name = JSON.stringify([at, patch])
    if (!recentActions.some(action => action.name === name))
      recentActions = [...recentActions, { ...createUpdate(patch), at, name }]
        .sort((one, other) => one.at - other.at)
        .slice(-MAX_RECENT_ACTIONS)
  }

  /** Whether newer actions undo all that a batch does to a notification. */
  const isOver = (batch: ActionBatch, item: Notif, among = recentActions): boolean =>
    isUndone(
      batch,
      item,
      among.filter(({ at }) => at > batch.at)
    )

  /** Removes from pending requests what newer actions undo. */
  function review(): void {
    outbox.review(batch => removeIds(batch, id => isOver(batch, findOrCreate(id))))
    for (const batch of outbox.pending()) {
      const isAll = batch.patch.trackingIds === 'ALL'
      // Nothing can be removed from "all" or from a request that is being sent, so newer actions are repeated after it.
      for (const newer of isAll || batch.isSending ? recentActions.toReversed() : []) {
        const requests = outbox.pending()
        // Unless a later request does the same.
        const later = requests
          .slice(requests.indexOf(batch) + 1)
          .flatMap(request => (request.isSending ? [] : request.updates))
        const trackingIds = listIds(isAll ? newer.patch : batch.patch).filter(
          id =>
            isOver(batch, findOrCreate(id), [newer]) &&
            isOver(batch, findOrCreate(id)) &&
            !isUndone(batch, findOrCreate(id), later)
        )
        if (trackingIds.length > 0) addBatch(createBatch({ ...newer.patch, trackingIds }, noCaller, newer.at))
      }
    }
  }

  return {
    perform: patch =>
      outbox.enqueue((deferred, at) => {
        if (!isClick(patch)) {
          remember(patch, at)
          outbox.broadcast(patch, at)
        }
        addBatch(createBatch(patch, deferred, at, id => applyUpdates(findOrCreate(id), getUpdates())))
      }),
    restore(actions) {
      const batches = outbox.restore(actions, ({ at, key, patch, seen }) => ({
        ...createBatch(patch, noCaller, at),
        key,
        seen,
        isSending: false
      }))
      if (batches.length === 0) return
      setUpdates([...batches.flatMap(batch => batch.updates), ...getUpdates()])
      review()
      outbox.broadcast(undefined, 0)
    },
    end: outbox.end,
    onRemoteChange(newer, at) {
      if (!newer) for (const { at, patch } of recentActions) outbox.broadcast(patch, at)
      else if ('trackingIds' in newer) {
        outbox.observeTime(at)
        remember(newer, at)
        review()
      }
    },
    resume: outbox.resume
  }
}
