// A person's actions, shown at once: those that the server refuses, or that others have overtaken, are taken back alone.

import { patchNotif, type InboxChange, type InboxPatch, type Notif, type NotifId } from '../protocol/index.ts'
import type { Surroundings } from '../transport/environment.ts'
import type { Kept, KeptAction, Overtaken, Transport } from '../transport/transport.ts'
import { groupOf, isClick, isOvertaken, isUndone, join, seenBy, type Group } from './group.ts'
import { createOutbox, type Remainder, type Waiter } from './outbox.ts'
import { patched, pendingOf, type Pending } from './pending.ts'
import type { Outcome } from './store.ts'

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

export interface Actions {
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

/** One that is not loaded here: for marks its id is enough. */
const bare = (id: NotifId): Notif => ({ id }) as unknown as Notif

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
    record: ({ key, patch, seen }) => ({ key, patch, seen }),
    async send(group) {
      group.sent = true
      const change = await transport.patch(group.patch, group.key)
      replace(group.pending, one => [{ ...one, until: change.version }])
      confirm(change)
    },
    shrink(group, before) {
      const earlier = before.flatMap(({ pending }) => pending)
      return leaveOut(group, id => {
        const item = find(id)
        return item !== undefined && isOvertaken(group, patched(item, earlier))
      })
    },
    takeBack: group => replace(group.pending, () => [])
  })

  const nobody: Waiter = { done: () => {}, refused: lost }

  function replace(old: readonly Pending[], by: (pending: Pending) => readonly Pending[]): void {
    const over = new Set(old)
    setPending(pending().flatMap(one => (over.has(one) ? by(one) : [one])))
  }

  function leaveOut(group: Group, isOver: (id: NotifId) => boolean): Remainder {
    const { patch, pending: old } = group
    if (patch.trackingIds === 'ALL') return 'all'
    const trackingIds = patch.trackingIds.filter(id => !isOver(id))
    if (trackingIds.length === patch.trackingIds.length) return 'all'
    if (trackingIds.length === 0) return 'nothing'
    group.patch = { ...patch, trackingIds }
    group.pending = [pendingOf(group.patch)]
    replace(old, one => (one === old[0] ? group.pending : []))
    return 'some'
  }

  return {
    act: patch =>
      outbox.ask(waiter => {
        const sees = (id: NotifId): Notif | undefined => {
          const item = find(id)
          return item && patched(item, pending())
        }
        const group = groupOf(patch, seenBy(patch, sees), waiter, options.environment.now())
        setPending([...pending(), ...group.pending])
        if (isClick(patch)) return void outbox.hurry(group)
        void options.kept().then(own => own?.tell(patch, group.at))
        const last = outbox.waiting().at(-1)
        if (last && join(last, group)) outbox.changed(last)
        else outbox.put(group)
      }),
    adopt(actions) {
      const groups = outbox.adopt(actions, ({ key, patch, seen }) =>
        Object.assign(groupOf(patch, seen, nobody), { key, sent: true })
      )
      if (groups.length > 0) setPending([...groups.flatMap(group => group.pending), ...pending()])
    },
    end: outbox.end,
    overtaken(newer, at) {
      if (!('trackingIds' in newer)) return
      const over = pendingOf(newer)
      const isOver = (group: Group) => (id: NotifId) =>
        group.at <= at && isUndone(group, find(id) ?? bare(id), over)
      outbox.review(group => leaveOut(group, isOver(group)))
      if (newer.trackingIds === 'ALL') return
      // "All" has no exceptions: what was done after it is done once more, after it.
      for (const group of outbox.waiting()) {
        if (group.patch.trackingIds !== 'ALL') continue
        const again = { ...newer, trackingIds: newer.trackingIds.filter(isOver(group)) }
        if (again.trackingIds.length === 0) continue
        const seen = seenBy(again, id => patchNotif(bare(id), group.patch))
        const last = groupOf(again, seen, nobody, at)
        setPending([...pending(), ...last.pending])
        outbox.put(last)
      }
    },
    resume: outbox.resume
  }
}
