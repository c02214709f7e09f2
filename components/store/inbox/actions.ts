// A person's actions, shown at once: those that the server refuses, or that others have overtaken, are taken back alone.

import type { InboxChange, InboxPatch, Notif, NotifId } from '../../protocol/index.ts'
import type { Surroundings } from '../environment.ts'
import { createOutbox, type Remainder, type Waiter } from '../outbox/outbox.ts'
import type { Kept, KeptAction, Overtaken, Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'
import { groupOf, idsOf, isClick, isOvertaken, isUndone, join, type Group } from './batch.ts'
import { patched, pendingOf, type Pending } from './optimistic.ts'

interface Options {
  readonly transport: Pick<Transport, 'patch'>
  readonly environment: Pick<Surroundings, 'after' | 'now' | 'watch'>
  /** What is shown before the server has it. */
  readonly pending: () => readonly Pending[]
  readonly setPending: (pending: readonly Pending[]) => void
  /** Called with the server's answer when the patch is marked as answered. */
  readonly confirm: (change: InboxChange) => void
  readonly kept: () => Promise<Kept | undefined>
  /** Asks what has happened, and says whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** As the server has it; undefined: it is not known. */
  readonly find: (id: NotifId) => Notif | undefined
  /** Called when an action is refused that nobody waits for. */
  readonly lost: (error: unknown) => void
}

interface Actions {
  /** Does one action; rejects after the rollback. */
  act(patch: InboxPatch): Promise<Outcome>
  /** Goes on with what an earlier page left behind. */
  adopt(actions: readonly KeptAction[]): void
  /** Another page has done this. @param at - when: what was done here later stays */
  readonly overtaken: Overtaken
  /** Tries at once what waits. */
  resume(): void
  end(): void
}

/** Actions that a page remembers. */
const MOST = 200

/** @param name - tells apart what is told more than once */
type Done = Pending & { readonly at: number; readonly name: string }

export function createActions({
  confirm,
  find,
  lost,
  pending,
  setPending,
  transport,
  ...options
}: Options): Actions {
  const outbox = createOutbox<Group>({
    ...options,
    record: ({ at, key, patch, seen }) => ({ at, key, patch, seen }),
    async send(group) {
      const change = await transport.patch(group.patch, group.key)
      replace(group.pending, one => [{ ...one, until: change.version }])
      confirm(change)
    },
    shrink: group =>
      leaveOut(group, id => {
        // All that is newer is known by now.
        const item = itemOf(id, '')
        return isOvertaken(group, item) || isOver(group, item)
      }),
    // What is left out may have been what comes after an "all".
    shrunk: () => settle(),
    takeBack: group => replace(group.pending, () => [])
  })

  /** The last that was done in this browser, as far as this page knows. */
  let done: readonly Done[] = []

  const nobody: Waiter = { done: () => {}, refused: lost }

  /** For marks the id of one that is not loaded here is enough, and for "all" its date. */
  const itemOf = (id: NotifId, date?: string): Notif => find(id) ?? ({ date, id } as Notif)

  function replace(old: readonly Pending[], by: (pending: Pending) => readonly Pending[]): void {
    const over = new Set(old)
    setPending(pending().flatMap(one => (over.has(one) ? by(one) : [one])))
  }

  function leaveOut(group: Group, isOver: (id: NotifId) => boolean): Remainder {
    const { patch, pending: old } = group
    if (patch.trackingIds === 'ALL' || group.underWay) return 'all'
    const trackingIds = patch.trackingIds.filter(id => !isOver(id))
    if (trackingIds.length === patch.trackingIds.length) return 'all'
    if (trackingIds.length === 0) return 'nothing'
    group.patch = { ...patch, trackingIds }
    group.pending = [pendingOf(group.patch)]
    replace(old, one => (one === old[0] ? group.pending : []))
    return 'some'
  }

  function put(group: Group): void {
    setPending([...pending(), ...group.pending])
    const last = outbox.waiting().at(-1)
    if (isClick(group.patch)) void outbox.hurry(group)
    else if (last && join(last, group)) outbox.changed(last)
    else outbox.put(group)
  }

  function note(patch: InboxPatch, at: number): void {
    const name = JSON.stringify([at, patch])
    if (!done.some(one => one.name === name))
      done = [...done, { ...pendingOf(patch), at, name }].sort((one, other) => one.at - other.at).slice(-MOST)
  }

  /** Whether what was done after a group leaves nothing of it. */
  const isOver = (group: Group, item: Notif, among = done): boolean =>
    isUndone(
      group,
      item,
      among.filter(({ at }) => at > group.at)
    )

  /** Holds what waits against what was done after it. */
  function settle(): void {
    outbox.review(group => leaveOut(group, id => isOver(group, itemOf(id))))
    for (const group of outbox.waiting()) {
      const isAll = group.patch.trackingIds === 'ALL'
      // "All" has no exceptions, nor has what is under way: what was done after it is done once more, after it.
      for (const newer of isAll || group.underWay ? done.toReversed() : []) {
        const all = outbox.waiting()
        // Nothing is said twice.
        const after = all.slice(all.indexOf(group) + 1).flatMap(one => (one.underWay ? [] : one.pending))
        const trackingIds = idsOf(isAll ? newer.patch : group.patch).filter(
          id =>
            isOver(group, itemOf(id), [newer]) &&
            isOver(group, itemOf(id)) &&
            !isUndone(group, itemOf(id), after)
        )
        if (trackingIds.length > 0) put(groupOf({ ...newer.patch, trackingIds }, nobody, newer.at))
      }
    }
  }

  return {
    act: patch =>
      outbox.ask((waiter, at) => {
        if (!isClick(patch)) {
          note(patch, at)
          outbox.tell(patch, at)
        }
        put(groupOf(patch, waiter, at, id => patched(itemOf(id), pending())))
      }),
    adopt(actions) {
      const groups = outbox.adopt(actions, ({ at, key, patch, seen }) => ({
        ...groupOf(patch, nobody, at),
        key,
        seen,
        underWay: false
      }))
      if (groups.length === 0) return
      setPending([...groups.flatMap(group => group.pending), ...pending()])
      settle()
      outbox.tell(undefined, 0)
    },
    end: outbox.end,
    overtaken(newer, at) {
      if (!newer) for (const { at, patch } of done) outbox.tell(patch, at)
      else if ('trackingIds' in newer) {
        outbox.heard(at)
        note(newer, at)
        settle()
      }
    },
    resume: outbox.resume
  }
}
