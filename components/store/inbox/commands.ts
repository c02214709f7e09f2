// What the user can do with notifications: marks, snoozes, and taking an action back.

import {
  patchNotif,
  type InboxPatch,
  type Instant,
  type Notif,
  type NotifId,
  type PreferencesPatch
} from '../../protocol/index.ts'
import type { QuietChange } from '../quiet-change.ts'
import type { Quiet } from '../transport.ts'
import type { InboxStore, Outcome, Scope, Undoable } from '../types.ts'
import type { Actions } from './actions.ts'
import type { createUndo } from './undo.ts'

/** What commands need of the preferences. */
export interface QuietPreferences {
  /** Turns a type off, or lets it be sent once a day by email. */
  makeQuiet(type: string, quiet: Quiet): Promise<QuietChange>
  updateSettings(patch: PreferencesPatch): Promise<Outcome>
}

interface Options extends QuietPreferences {
  readonly actions: Pick<Actions, 'perform' | 'performAll'>
  /** The notification as the user sees it; undefined if it is not loaded. */
  readonly findShown: (id: NotifId) => Notif | undefined
  /** Number of notifications that an action on all changes, without a scope. */
  readonly countAll: (mark: 'archived' | 'opened') => number
  /** Resolves with the version that the user sees, as soon as there is one or none can be read. */
  readonly getThrough: () => Promise<number | undefined> | number | undefined
  readonly now: () => number
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
  | 'pause'
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

  const performEach = async (patches: readonly InboxPatch[]): Promise<Outcome> =>
    (await Promise.all(patches.map(actions.perform)))[0]

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
      () => performEach(toInverse())
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

  /** Makes a type quiet and archives notifications; if the server refuses one of both, the other is taken back. */
  function makeQuiet(type: string, quiet: Quiet, given: readonly NotifId[] = []): Promise<Outcome> {
    const trackingIds = [given].flat().filter(id => wouldChange(id, { archived: now() }))
    const patch: InboxPatch = { archived: now(), trackingIds }
    const toInverse = invert(patch, trackingIds)
    const restoreItems = (): Promise<Outcome> => performEach(toInverse())
    const quieting = options.makeQuiet(type, quiet)
    const restoreChoices = async (): Promise<Outcome> => (await quieting).takeBack()
    const archiving = trackingIds.length > 0 ? actions.perform(patch) : undefined
    async function finish(): Promise<Outcome> {
      const [items, choices] = await Promise.allSettled([archiving, quieting.then(({ done }) => done)])
      if (items.status === 'fulfilled' && choices.status === 'fulfilled') return choices.value ?? items.value
      if (items.status === 'fulfilled') restoreItems().catch(() => {})
      if (choices.status === 'fulfilled') restoreChoices().catch(() => {})
      throw (choices.status === 'rejected' ? choices : (items as PromiseRejectedResult)).reason
    }
    return undo.offer(
      {
        action: quiet === 'off' ? 'mute' : 'digest',
        count: trackingIds.length,
        ids: trackingIds,
        type
      },
      finish(),
      async () => (await Promise.all([restoreChoices(), restoreItems()]))[0]
    )
  }

  return {
    digest: (type, ids) => makeQuiet(type, 'daily', ids),
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
    mute: (type, ids) => makeQuiet(type, 'off', ids),
    async pause(until) {
      if (until && !(until.getTime() > options.now())) throw new RangeError('A pause must end in the future.')
      const pause = { isOn: true, until: until && until.toISOString() }
      return undo.offer(
        { action: 'pause', count: 0, ids: [], until: pause.until },
        options.updateSettings({ pause }),
        () => options.updateSettings({ pause: { isOn: false } })
      )
    },
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
