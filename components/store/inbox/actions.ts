// Sends the actions of the user on notifications. Each is shown immediately, until the server has it; if the server refuses one,
// only that one is rolled back. The server decides by the times of the actions which one is the last.

import {
  MARKS,
  type InboxChange,
  type InboxPatch,
  type Instant,
  type Notif,
  type NotifId
} from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type Deferred, type OutboxRequest } from '../outbox/outbox.ts'
import { createIdempotencyKey, type OfflineCache, type StoredAction, type Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'
import { applyUpdates, createUpdate, type OptimisticUpdate } from './optimistic.ts'

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock' | 'now' | 'watch'>
  readonly getUpdates: () => readonly OptimisticUpdate[]
  readonly setUpdates: (updates: readonly OptimisticUpdate[]) => void
  /** Version of the inbox that the user sees. */
  readonly getShownVersion: () => number
  /** The confirmed notifications that are loaded. */
  readonly getItems: () => readonly Notif[]
  /** Called with the server's answer, after the update is marked as answered. */
  readonly onConfirmed: (change: InboxChange) => void
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Called when an action is refused that no caller waits for. */
  readonly onRefused: (error: unknown) => void
}

interface Batch extends OutboxRequest, StoredAction {
  patch: InboxPatch
  /** Optimistic updates that are shown until the answer. */
  updates: readonly OptimisticUpdate[]
  /** Token of the answer that takes an action on all notifications back. */
  undo?: string | undefined
  /** Called after the answer, before the next request is chosen. */
  onAnswer?: () => void
}

export interface Actions {
  /** Does one action; rejects after the rollback. */
  perform(patch: InboxPatch): Promise<Outcome>
  /** Does an action on all notifications. */
  performAll(patch: InboxPatch): {
    readonly done: Promise<Outcome>
    readonly takeBack: () => Promise<Outcome>
  }
  /** Continues with the actions of closed pages. */
  restore(actions: readonly StoredAction[]): void
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

const MAX_IDS_PER_REQUEST = 200

/** A click is sent immediately, because it may leave the page. */
const isClick = ({ clicked }: InboxPatch): boolean => Boolean(clicked)

/** Equal for patches that do the same. */
const toKind = (patch: InboxPatch): string =>
  JSON.stringify({ ...patch, trackingIds: undefined }, (name, value: unknown) =>
    (MARKS as readonly string[]).includes(name) ? Boolean(value) : value
  )

/** Joins two patches that do the same to several notifications. */
function joinPatches(one: InboxPatch, other: InboxPatch): InboxPatch | undefined {
  if (one.trackingIds === 'ALL' || other.trackingIds === 'ALL' || toKind(one) !== toKind(other))
    return undefined
  const trackingIds = [...new Set([...one.trackingIds, ...other.trackingIds])]
  return trackingIds.length > MAX_IDS_PER_REQUEST ? undefined : { ...one, trackingIds }
}

/** Writes the time of the action into the patch. */
function withTime(patch: InboxPatch, time: number): InboxPatch {
  const at: Instant = new Date(time).toISOString()
  const marks = MARKS.filter(mark => patch[mark]).map(mark => [mark, at])
  return { ...patch, ...Object.fromEntries(marks), at }
}

/** Shows notifications as they were before an action on all of them. */
function createRestoration(before: readonly Notif[], action: OptimisticUpdate): OptimisticUpdate {
  const originals = new Map<NotifId, Notif>()
  for (const item of before) if (action.apply(item) !== item) originals.set(item.id, item)
  const trackingIds = [...originals.keys()]
  return createUpdate({ trackingIds }, item => {
    const original = originals.get(item.id)!
    const changed = action.apply(original)
    const next = { ...item }
    for (const mark of MARKS) {
      if (original[mark] === changed[mark]) continue
      if (original[mark]) next[mark] = original[mark]
      else delete next[mark]
    }
    return next
  })
}

export function createActions({
  environment,
  getItems,
  getShownVersion,
  getUpdates,
  onConfirmed,
  onRefused,
  openCache,
  setUpdates,
  transport
}: Options): Actions {
  /** The latest action that was sent: its time by the local clock and by the server's. */
  let latest = { at: 0, time: 0 }
  /** The newest request, while actions of the same task may still join it. */
  let joinable: Batch | undefined

  const outbox = createOutbox<Batch>({
    environment,
    openCache,
    record: ({ at, key, patch, shownVersion }) => ({ at, key, patch, shownVersion }),
    rollBack: batch => replaceUpdates(batch, () => []),
    async send(batch) {
      if (!batch.patch.at) {
        // A retry must be the same request, so the time is corrected once. Nobody acts on what he does not see yet.
        let time = Math.max(batch.at + (environment.clock?.offsetMs ?? 0), batch.shownVersion)
        // If the offset of the clock has changed in the meantime, the next action still has a later time.
        if (batch.at > latest.at) latest = { at: batch.at, time: (time = Math.max(time, latest.time + 1)) }
        batch.patch = withTime(batch.patch, time)
        outbox.store(batch)
      }
      const change = await transport.patch(batch.patch, batch.key)
      batch.undo = change.undo
      replaceUpdates(batch, update => [{ ...update, untilVersion: change.version }])
      onConfirmed(change)
      batch.onAnswer?.()
    }
  })

  function replaceUpdates(
    { updates }: Batch,
    replace: (update: OptimisticUpdate) => readonly OptimisticUpdate[]
  ): void {
    setUpdates(getUpdates().flatMap(update => (updates.includes(update) ? replace(update) : [update])))
  }

  const createBatch = (
    action: StoredAction,
    deferred: Deferred,
    update = createUpdate(action.patch)
  ): Batch => ({ ...action, deferreds: [deferred], updates: [update] })

  /** Joins an action to the newest request. Returns whether it could. */
  function join({ deferreds, patch, updates }: Batch): boolean {
    const joined = joinable?.isSending === undefined && joinable && joinPatches(joinable.patch, patch)
    if (!joinable || !joined) return false
    joinable.patch = joined
    joinable.updates = [...joinable.updates, ...updates]
    joinable.deferreds.push(...deferreds)
    outbox.store(joinable)
    return true
  }

  function begin(batch: Batch): void {
    setUpdates([...getUpdates(), ...batch.updates])
    if (isClick(batch.patch)) void outbox.sendNow(batch)
    else if (!join(batch)) {
      outbox.add(batch)
      joinable = batch
      queueMicrotask(() => (joinable = undefined))
    }
  }

  const createAction = (at: number, patch: InboxPatch): StoredAction => ({
    at,
    key: createIdempotencyKey(),
    patch,
    shownVersion: getShownVersion()
  })

  /** @param onBatch - called with the request, before it is sent */
  const perform = (
    patch: InboxPatch,
    update?: OptimisticUpdate,
    onBatch?: (batch: Batch) => void
  ): Promise<Outcome> =>
    outbox.enqueue((deferred, at) => {
      const batch = createBatch(createAction(at, patch), deferred, update)
      onBatch?.(batch)
      begin(batch)
    })

  return {
    end: outbox.end,
    perform: patch => perform(patch),
    performAll(patch) {
      const update = createUpdate(patch)
      const before = getItems().map(item => applyUpdates(item, getUpdates()))
      let batch: Batch | undefined
      const done = perform(patch, update, given => (batch = given))
      return {
        done,
        async takeBack() {
          if (batch && outbox.drop(batch)) return
          const restoration = createRestoration(before, update)
          setUpdates([...getUpdates(), restoration])
          // The undo gets its time now, although it is sent later: an action after it must win.
          return outbox.enqueue(async (deferred, at) => {
            const action = createAction(at, { trackingIds: 'ALL' })
            function addUndo(): void {
              const undo = batch?.undo
              if (undo)
                outbox.add(
                  createBatch({ ...action, patch: { ...action.patch, undo } }, deferred, restoration)
                )
            }
            // The token comes with the answer. The undo is sent before the actions after it, so that these change something.
            addUndo()
            if (batch) batch.onAnswer = addUndo
            const outcome = await done.catch(() => {})
            if (batch?.undo) return
            // The server refused the action, or it changed nothing: nothing is to be taken back.
            setUpdates(getUpdates().filter(update => update !== restoration))
            deferred.resolve(outcome)
          })
        }
      }
    },
    restore(stored) {
      const restored = outbox.restore(stored, action =>
        createBatch(action, { reject: onRefused, resolve: () => {} })
      )
      if (restored.length > 0) setUpdates([...restored.flatMap(({ updates }) => updates), ...getUpdates()])
    },
    resume: outbox.resume
  }
}
