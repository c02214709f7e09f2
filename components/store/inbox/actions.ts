// Actions of the user, shown immediately. One that the server refuses, or that was overtaken elsewhere, is rolled back alone.

import type { InboxChange, InboxPatch, Notif, NotifId } from '../../protocol/index.ts'
import type { Surroundings } from '../environment.ts'
import { createOutbox, type Remainder, type Deferred } from '../outbox/outbox.ts'
import type { OfflineCache, StoredAction, OnRemoteChange, Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'
import { createBatch, idsOf, isClick, isOvertaken, isUndone, joinBatches, type ActionBatch } from './batch.ts'
import { applyUpdates, createUpdate, type OptimisticUpdate } from './optimistic.ts'

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly environment: Pick<Surroundings, 'after' | 'now' | 'watch'>
  /** What is shown before the server has it. */
  readonly pending: () => readonly OptimisticUpdate[]
  readonly setPending: (pending: readonly OptimisticUpdate[]) => void
  /** Called with the server's answer when the patch is marked as answered. */
  readonly confirm: (change: InboxChange) => void
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Reads the newest state. Resolves with whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** As the server has it; undefined: it is not known. */
  readonly find: (id: NotifId) => Notif | undefined
  /** Called when an action is refused that no caller waits for. */
  readonly onRefused: (error: unknown) => void
}

interface Actions {
  /** Does one action; rejects after the rollback. */
  act(patch: InboxPatch): Promise<Outcome>
  /** Continues with what an earlier page left behind. */
  adopt(actions: readonly StoredAction[]): void
  /** Another page did this. @param at - its time: what was done here later stays */
  readonly onRemoteChange: OnRemoteChange
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

/** Actions that a page remembers. */
const MAX_REMEMBERED = 200

/** @param name - tells apart what is told more than once */
type Done = OptimisticUpdate & { readonly at: number; readonly name: string }

export function createActions({
  confirm,
  find,
  onRefused,
  pending,
  setPending,
  transport,
  ...options
}: Options): Actions {
  const outbox = createOutbox<ActionBatch>({
    ...options,
    record: ({ at, key, patch, seen }) => ({ at, key, patch, seen }),
    async send(batch) {
      const change = await transport.patch(batch.patch, batch.key)
      replace(batch.pending, one => [{ ...one, until: change.version }])
      confirm(change)
    },
    shrink: batch =>
      leaveOut(batch, id => {
        // All that is newer is known by now.
        const item = itemOf(id, '')
        return isOvertaken(batch, item) || isOver(batch, item)
      }),
    // What is left out may have been what comes after an "all".
    shrunk: () => settle(),
    rollBack: batch => replace(batch.pending, () => [])
  })

  /** The last that was done in this browser, as far as this page knows. */
  let done: readonly Done[] = []

  const noCaller: Deferred = { resolve: () => {}, reject: onRefused }

  /** For marks the id of one that is not loaded here is enough, and for "all" its date. */
  const itemOf = (id: NotifId, date?: string): Notif => find(id) ?? ({ date, id } as Notif)

  function replace(
    old: readonly OptimisticUpdate[],
    by: (pending: OptimisticUpdate) => readonly OptimisticUpdate[]
  ): void {
    const over = new Set(old)
    setPending(pending().flatMap(one => (over.has(one) ? by(one) : [one])))
  }

  function leaveOut(batch: ActionBatch, isOver: (id: NotifId) => boolean): Remainder {
    const { patch, pending: old } = batch
    if (patch.trackingIds === 'ALL' || batch.isSending) return 'all'
    const trackingIds = patch.trackingIds.filter(id => !isOver(id))
    if (trackingIds.length === patch.trackingIds.length) return 'all'
    if (trackingIds.length === 0) return 'nothing'
    batch.patch = { ...patch, trackingIds }
    batch.pending = [createUpdate(batch.patch)]
    replace(old, one => (one === old[0] ? batch.pending : []))
    return 'some'
  }

  function put(batch: ActionBatch): void {
    setPending([...pending(), ...batch.pending])
    const last = outbox.pending().at(-1)
    if (isClick(batch.patch)) void outbox.sendNow(batch)
    else if (last && joinBatches(last, batch)) outbox.changed(last)
    else outbox.add(batch)
  }

  function note(patch: InboxPatch, at: number): void {
    const name = JSON.stringify([at, patch])
    if (!done.some(one => one.name === name))
      done = [...done, { ...createUpdate(patch), at, name }]
        .sort((one, other) => one.at - other.at)
        .slice(-MAX_REMEMBERED)
  }

  /** Whether what was done after a batch leaves nothing of it. */
  const isOver = (batch: ActionBatch, item: Notif, among = done): boolean =>
    isUndone(
      batch,
      item,
      among.filter(({ at }) => at > batch.at)
    )

  /** Holds what waits against what was done after it. */
  function settle(): void {
    outbox.review(batch => leaveOut(batch, id => isOver(batch, itemOf(id))))
    for (const batch of outbox.pending()) {
      const isAll = batch.patch.trackingIds === 'ALL'
      // "All" has no exceptions, nor has what is under way: what was done after it is done once more, after it.
      for (const newer of isAll || batch.isSending ? done.toReversed() : []) {
        const all = outbox.pending()
        // Nothing is said twice.
        const after = all.slice(all.indexOf(batch) + 1).flatMap(one => (one.isSending ? [] : one.pending))
        const trackingIds = idsOf(isAll ? newer.patch : batch.patch).filter(
          id =>
            isOver(batch, itemOf(id), [newer]) &&
            isOver(batch, itemOf(id)) &&
            !isUndone(batch, itemOf(id), after)
        )
        if (trackingIds.length > 0) put(createBatch({ ...newer.patch, trackingIds }, noCaller, newer.at))
      }
    }
  }

  return {
    act: patch =>
      outbox.enqueue((deferred, at) => {
        if (!isClick(patch)) {
          note(patch, at)
          outbox.broadcast(patch, at)
        }
        put(createBatch(patch, deferred, at, id => applyUpdates(itemOf(id), pending())))
      }),
    adopt(actions) {
      const batches = outbox.adopt(actions, ({ at, key, patch, seen }) => ({
        ...createBatch(patch, noCaller, at),
        key,
        seen,
        isSending: false
      }))
      if (batches.length === 0) return
      setPending([...batches.flatMap(batch => batch.pending), ...pending()])
      settle()
      outbox.broadcast(undefined, 0)
    },
    end: outbox.end,
    onRemoteChange(newer, at) {
      if (!newer) for (const { at, patch } of done) outbox.broadcast(patch, at)
      else if ('trackingIds' in newer) {
        outbox.observeTime(at)
        note(newer, at)
        settle()
      }
    },
    resume: outbox.resume
  }
}
