// The way of a person's actions to the server: shown at once, sent one request after another so that they arrive in
// their order. What does not reach the server waits where the browser keeps it, and is tried again when others succeed.

import { batch, task, type WritableAtom } from 'nanostores'

import type { InboxChange, InboxPatch, Notif, NotifId } from '../protocol/index.ts'
import type { Surroundings } from '../transport/environment.ts'
import { TransportError, type Kept, type KeptAction, type Transport } from '../transport/transport.ts'
import { groupOf, isClick, isOvertaken, join, newKey, seenBy, type Group } from './group.ts'
import { patched, pendingOf, type Pending } from './pending.ts'
import type { Outcome } from './store.ts'

/** First and longest wait before the server is tried again, in milliseconds; a connection that comes back is not waited for. */
const [FIRST, LONGEST] = [2000, 60_000]

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly environment: Pick<Surroundings, 'after'>
  readonly $pending: WritableAtom<readonly Pending[]>
  /** Called with the server's answer, in the same batch in which the patch is marked as answered. */
  readonly confirm: (change: InboxChange) => void
  readonly kept: () => Promise<Kept | undefined>
  /** Asks what has happened, and says whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** As the server has it; undefined: it is not known. */
  readonly find: (id: NotifId) => Notif | undefined
  /** Called when an action is refused that nobody waits for. */
  readonly lost: (error: unknown) => void
}

export interface Actions {
  /** Does one action; rejects after the rollback. */
  act(patch: InboxPatch): Promise<Outcome>
  /** Goes on with what an earlier page left behind. */
  adopt(actions: readonly KeptAction[]): void
  /** Tries at once what waits. */
  resume(): void
  end(): void
}

/** The server was not reached, or a proxy whose server is just starting. */
const isPassing = (error: unknown): boolean =>
  error instanceof TransportError && (error.status === 0 || [429, 502, 503, 504].includes(error.status))

export function createActions(options: Options): Actions {
  const { $pending, environment, transport } = options
  let waiting: readonly Group[] = []
  /** Those and the clicks: nobody knows yet how they end. */
  const open = new Set<Group>()
  let sending = false
  /** The server was not reached since: others may have been there before us. */
  let unsure = false
  let ended = false
  let failures = 0
  let cancelRetry = (): void => {}

  function keep(group: Group): void {
    const { key, patch, seen } = group
    group.kept = options.kept().then(async kept => (await kept?.keep({ key, patch, seen })) ?? false)
  }
  const drop = async (key: string): Promise<void> => (await options.kept())?.drop(key)

  function replace(old: readonly Pending[], by: (pending: Pending) => readonly Pending[]): void {
    const over = new Set(old)
    $pending.set($pending.get().flatMap(pending => (over.has(pending) ? by(pending) : [pending])))
  }

  function leave(group: Group): void {
    waiting = waiting.filter(other => other !== group)
    open.delete(group)
    void drop(group.key)
  }

  /** Whether the server has said anything to it. */
  async function deliver(group: Group): Promise<boolean> {
    group.sent = true
    try {
      const change = await transport.patch(group.patch, group.key)
      batch(() => {
        replace(group.pending, pending => [{ ...pending, until: change.version }])
        options.confirm(change)
      })
      leave(group)
      for (const { done } of group.waiters) done()
    } catch (error) {
      if (isPassing(error) && (await group.kept) && !ended) return false
      leave(group)
      replace(group.pending, () => [])
      for (const { refused } of group.waiters) refused(error)
    }
    return true
  }

  /** What others have changed since the person saw it stays as it is. */
  function yieldTo(group: Group, before: readonly Group[]): void {
    const { patch } = group
    if (patch.trackingIds === 'ALL') return
    const earlier = before.flatMap(({ pending }) => pending)
    const trackingIds = patch.trackingIds.filter(id => {
      const item = options.find(id)
      return !item || !isOvertaken(group, patched(item, earlier))
    })
    if (trackingIds.length === patch.trackingIds.length) return
    const left = trackingIds.length > 0 ? [pendingOf({ ...patch, trackingIds })] : []
    void drop(group.key)
    replace(group.pending, pending => (pending === group.pending[0] ? left : []))
    group.pending = left
    if (left.length === 0) {
      leave(group)
      for (const { done } of group.waiters) done()
      return
    }
    // Another request, so another key.
    group.key = newKey()
    group.patch = { ...patch, trackingIds }
    keep(group)
  }

  async function send(): Promise<void> {
    // Whatever the same task still does belongs to the same request.
    await Promise.resolve()
    while (waiting[0]) {
      if (ended) return
      if (unsure) {
        if (!(await options.refresh())) return rest()
        for (const group of waiting) yieldTo(group, waiting.slice(0, waiting.indexOf(group)))
        unsure = false
        continue
      }
      if (!(await deliver(waiting[0]))) return rest()
      failures = 0
    }
    sending = false
  }

  function rest(): void {
    sending = false
    unsure = true
    if (ended) return
    const wait = Math.min(LONGEST, FIRST * 2 ** failures++)
    cancelRetry = environment.after(wait * (0.5 + Math.random() / 2), go)
  }

  function go(): void {
    cancelRetry()
    if (sending || waiting.length === 0 || ended) return
    sending = true
    void task(send)
  }

  async function click(group: Group): Promise<void> {
    keep(group)
    if (await deliver(group)) return
    waiting = [...waiting, group]
    if (!sending) rest()
  }

  return {
    act: patch =>
      new Promise((done, refused) => {
        if (ended) return refused(new TransportError(0, 'The store is destroyed.'))
        const sees = (id: NotifId): Notif | undefined => {
          const item = options.find(id)
          return item && patched(item, $pending.get())
        }
        const group = groupOf(patch, seenBy(patch, sees), { done, refused })
        $pending.set([...$pending.get(), ...group.pending])
        if (isClick(patch)) {
          open.add(group)
          return void task(() => click(group))
        }
        const last = waiting.at(-1)
        if (last && join(last, group)) keep(last)
        else {
          open.add(group)
          waiting = [...waiting, group]
          keep(group)
        }
        go()
      }),
    adopt(actions) {
      const known = new Set(waiting.map(({ key }) => key))
      const nobody = { done: () => {}, refused: options.lost }
      const groups = actions
        .filter(({ key }) => !known.has(key))
        .map(({ key, patch, seen }) => Object.assign(groupOf(patch, seen, nobody), { key, sent: true }))
      if (groups.length === 0) return
      waiting = [...groups, ...waiting]
      $pending.set([...groups.flatMap(({ pending }) => pending), ...$pending.get()])
      unsure = true
      go()
    },
    end() {
      ended = true
      cancelRetry()
      for (const { waiters } of open) for (const { done } of waiters) done('left')
      open.clear()
    },
    resume: go
  }
}
