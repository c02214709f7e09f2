// What the user can do with notifications: marks, snoozes, and taking an action back.

import { patchNotif, type InboxPatch, type Instant, type Notif, type NotifId } from '../../protocol/index.ts'
import type { Quiet, QuietChoices } from '../transport.ts'
import type { InboxStore, Outcome, PreferenceStore, Scope, Undoable } from '../types.ts'
import type { Actions } from './actions.ts'
import type { createUndo } from './undo.ts'

/** What commands need of the preferences. */
export interface QuietPreferences extends Pick<PreferenceStore, 'updateDeliveries'> {
  selectQuiet(type: string, quiet: Quiet): Promise<QuietChoices>
}

interface Options {
  readonly actions: Pick<Actions, 'perform' | 'performAll'>
  /** The notification as the user sees it; undefined if it is not loaded. */
  readonly findShown: (id: NotifId) => Notif | undefined
  /** Number of notifications that an action on all changes, without a scope. */
  readonly countAll: (mark: 'archived' | 'opened') => number
  /** Resolves with the version that the user sees, as soon as there is one or none can be read. */
  readonly getThrough: () => Promise<number | undefined> | number | undefined
  readonly now: () => number
  readonly preferences: QuietPreferences
  readonly undo: ReturnType<typeof createUndo>
}

export type Commands = Pick<
  InboxStore,
  | 'digest'
  | 'markAsArchived'
  | 'markAsClicked'
  | 'markAsOpened'
  | 'markAsSeen'
  | 'markAsUnarchived'
  | 'markAsUnopened'
  | 'mute'
  | 'snooze'
  | 'undo'
  | 'unsnooze'
>

type Changes = Omit<InboxPatch, 'trackingIds'>
/** What an inverse action restores. Whoever has seen a notification has seen it. */
const RESTORED = ['opened', 'archived', 'snoozedUntil'] as const

export function createCommands({
  actions,
  countAll,
  findShown,
  getThrough,
  preferences,
  undo,
  ...options
}: Options): Commands {
  const now = (): Instant => new Date(options.now()).toISOString()

  /** Whether one of the fields of a notification would change, or it is not loaded. */
  function wouldChange(id: NotifId, changes: Changes): boolean {
    const item = findShown(id)
    return (
      !item ||
      Object.entries(changes).some(([name, value]) => {
        const shown = item[name as keyof Notif] ?? null
        return name === 'snoozedUntil' ? shown !== value : Boolean(shown) !== Boolean(value)
      })
    )
  }

  /** Returns the patches that restore what an action changes. */
  function invert(patch: InboxPatch, ids: readonly NotifId[]): () => InboxPatch[] {
    const groups = new Map<string, NotifId[]>()
    for (const id of ids) {
      const before = findShown(id) ?? ({ id } as Notif)
      const after = patchNotif(before, patch)
      const changed = RESTORED.filter(name => before[name] !== after[name])
      const key = JSON.stringify(
        Object.fromEntries(
          changed.map(name => [
            name,
            (name === 'snoozedUntil' ? before[name] : Boolean(before[name])) || null
          ])
        )
      )
      groups.set(key, [...(groups.get(key) ?? []), id])
    }
    return () =>
      [...groups].map(([key, trackingIds]) => {
        const changes: unknown = JSON.parse(key, (name, value: unknown) => {
          // A snooze that would have ended meanwhile is over.
          if (name === 'snoozedUntil') return value && (value as Instant) > now() ? value : null
          return value === true ? now() : value
        })
        return Object.assign(changes as Changes, { trackingIds })
      })
  }

  /** @param action - absent: it cannot be undone */
  async function change(
    given: readonly NotifId[],
    changes: Changes,
    action?: Undoable['action']
  ): Promise<Outcome> {
    // Callers without types may pass a single id.
    const trackingIds = [given].flat().filter(id => wouldChange(id, changes))
    if (trackingIds.length === 0) return
    const patch: InboxPatch = { ...changes, trackingIds }
    const toInverse = invert(patch, trackingIds)
    const done = actions.perform(patch)
    if (!action) return done
    const until = changes.snoozedUntil
    return undo.offer(
      { action, count: trackingIds.length, ids: trackingIds, ...(until && { until }) },
      done,
      async () => (await Promise.all(toInverse().map(actions.perform)))[0]
    )
  }

  async function changeAll(mark: 'archived' | 'opened', { from, types }: Scope = {}): Promise<Outcome> {
    // Without a version the server would also change notifications that this user has never seen.
    const known = getThrough()
    const through = known instanceof Promise ? await known : known
    const before = countAll(mark)
    if (through !== undefined && before === 0) return
    const { done, takeBack } = actions.performAll({
      [mark]: now(),
      trackingIds: 'ALL',
      ...(from !== undefined && { from }),
      ...(through !== undefined && { through }),
      ...(types && { types })
    })
    const action = mark === 'archived' ? 'archive-all' : 'read-all'
    return undo.offer({ action, count: before - countAll(mark), ids: 'ALL' }, done, takeBack)
  }

  function makeQuiet(type: string, quiet: Quiet): Promise<Outcome> {
    const selecting = preferences.selectQuiet(type, quiet)
    const update = async (name: keyof QuietChoices): Promise<Outcome> => {
      const choices = (await selecting)[name]
      if (choices.length > 0) return preferences.updateDeliveries(choices)
    }
    const action = quiet === 'off' ? 'mute' : 'digest'
    return undo.offer({ action, count: 1, ids: [], type }, update('choices'), () => update('before'))
  }

  return {
    digest: type => makeQuiet(type, 'daily'),
    markAsArchived: (ids, scope) =>
      ids === 'ALL' ? changeAll('archived', scope) : change(ids, { archived: now() }, 'archive'),
    async markAsClicked(id) {
      // A click also opens.
      if (wouldChange(id, { clicked: now(), opened: now() }))
        return actions.perform({ clicked: now(), trackingIds: [id] })
    },
    markAsOpened: (ids, scope) => (ids ? change(ids, { opened: now() }, 'read') : changeAll('opened', scope)),
    markAsSeen: ids => change(ids, { seen: now() }),
    markAsUnarchived: ids => change(ids, { archived: null }, 'unarchive'),
    markAsUnopened: ids => change(ids, { opened: null }, 'unread'),
    mute: type => makeQuiet(type, 'off'),
    async snooze(ids, until) {
      if (!(until.getTime() > options.now())) throw new RangeError('A snooze must end in the future.')
      return change(ids, { snoozedUntil: until.toISOString() }, 'snooze')
    },
    undo: undo.undo,
    unsnooze(ids) {
      undo.clear()
      return change(ids, { snoozedUntil: null })
    }
  }
}
