// The way of a person's actions to the server: shown at once, sent one request after another so that they arrive in
// their order, and what waits together goes together.

import { batch, task, type WritableAtom } from 'nanostores'

import { MARKS, type InboxChange, type InboxPatch } from '../protocol/index.ts'
import type { Transport } from '../transport/transport.ts'
import { pendingOf, type Pending } from './pending.ts'

interface Action {
  readonly pending: Pending
  readonly done: () => void
  readonly refused: (error: unknown) => void
}

/** Ids in one request at most. */
const MOST = 200

const kindOf = (patch: InboxPatch): string =>
  MARKS.map(mark => (patch[mark] === undefined ? '' : patch[mark] ? '+' : '-')).join()

/** A click may lead away at once, so it waits for nothing; and nothing ever takes it back, so its place does not matter. */
const isClick = (patch: InboxPatch): boolean =>
  MARKS.every(mark => (mark === 'clicked' ? patch[mark] : patch[mark] === undefined))

function merge(one: InboxPatch, other: InboxPatch): InboxPatch | undefined {
  if (one.trackingIds === 'ALL' || other.trackingIds === 'ALL' || kindOf(one) !== kindOf(other))
    return undefined
  const trackingIds = [...new Set([...one.trackingIds, ...other.trackingIds])]
  return trackingIds.length > MOST ? undefined : { ...other, trackingIds }
}

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly $pending: WritableAtom<readonly Pending[]>
  /** Called with the server's answer, in the same batch in which the patch is marked as answered. */
  readonly confirm: (change: InboxChange) => void
}

/** Gives the function that does one action; it rejects after the rollback. */
export function createActions({
  $pending,
  confirm,
  transport
}: Options): (patch: InboxPatch) => Promise<void> {
  let waiting: Action[] = []
  let sending = false

  /** The first of the waiting actions and those right behind it that fit into the same request. */
  function take(): { group: Action[]; patch: InboxPatch } {
    let { patch } = waiting[0]!.pending
    let size = 1
    for (; size < waiting.length; size++) {
      const both = merge(patch, waiting[size]!.pending.patch)
      if (!both) break
      patch = both
    }
    const group = waiting.slice(0, size)
    waiting = waiting.slice(size)
    return { group, patch }
  }

  function replace(group: readonly Action[], by: (pending: Pending) => readonly Pending[]): void {
    const sent = new Set(group.map(action => action.pending))
    $pending.set($pending.get().flatMap(pending => (sent.has(pending) ? by(pending) : [pending])))
  }

  async function deliver(group: readonly Action[], patch: InboxPatch): Promise<void> {
    try {
      const change = await transport.patch(patch)
      batch(() => {
        replace(group, pending => [{ ...pending, until: change.version }])
        confirm(change)
      })
      for (const { done } of group) done()
    } catch (error) {
      replace(group, () => [])
      for (const { refused } of group) refused(error)
    }
  }

  async function send(): Promise<void> {
    // Whatever the same task still does belongs to the same request.
    await Promise.resolve()
    while (waiting.length > 0) {
      const { group, patch } = take()
      await deliver(group, patch)
    }
    sending = false
  }

  return patch =>
    new Promise((done, refused) => {
      const pending = pendingOf(patch)
      const action = { done, pending, refused }
      $pending.set([...$pending.get(), pending])
      if (isClick(patch)) return void task(() => deliver([action], patch))
      waiting.push(action)
      if (sending) return
      sending = true
      void task(send)
    })
}
