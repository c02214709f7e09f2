// A store that has only the counters at first, and loads the inbox when the page needs more.

import { atom, computed, onMount, onStart, onStop } from 'nanostores'

import { createInboxAtoms, NO_COUNTS, NO_NOTIFICATIONS, type InboxState } from '../store/inbox-state.ts'
import type { LoadedInbox } from '../store/inbox/create-inbox.ts'
import { lazyFunctions, lazyModule } from '../store/lazy.ts'
import { createStoreEvents, hold, publish } from '../store/publish.ts'
import type { LiveConnection } from '../store/receiver.ts'
import { createRetry } from '../store/retry.ts'
import type { NotifStore, Undoable } from '../store/types.ts'
import { createConnection } from './connection.ts'
import { createCounts } from './counts.ts'
import { createLazyPreferences } from './lazy-preferences.ts'
import { createLazyView } from './lazy-view.ts'

/**
 * As `createNotifStore`, but the code of the inbox is loaded by the first listener to notifications or the first action.
 *
 * @param options - environment and transport, whose code is loaded beside this one
 */
export function createLazyStore(options: Pick<LiveConnection, 'environment' | 'transport'>): NotifStore {
  const events = createStoreEvents()
  const connection = createConnection(options)
  const { environment, transport } = connection
  const $inbox = atom<LoadedInbox | undefined>()
  const $undoable = atom<Undoable | undefined>()
  const $state = atom<InboxState>({
    counts: NO_COUNTS,
    loading: Object.freeze({ state: 'busy' }),
    notifications: NO_NOTIFICATIONS
  })
  const update = (part: Partial<InboxState>): void => publish(() => $state.set({ ...$state.get(), ...part }))
  const retry = createRetry(environment)
  let destroyOptions: { readonly forget?: boolean } | undefined

  const counts = createCounts({
    connection,
    onCounts: counts => update({ counts }),
    onGap: () => loadInbox(),
    onNew: events.reportNew
  })
  const $counting = atom(0)
  onStart($counting, () => {
    if (!destroyOptions) counts.start()
  })
  onStop($counting, counts.stop)

  const load = lazyModule('inbox', async () => {
    const { createInbox } = await import('../store/inbox/create-inbox.ts')
    const inbox = createInbox(connection, {
      $undoable,
      initialCounts: counts.get(),
      onNew: events.reportNew,
      onRefused: events.reportRefusal,
      makeQuiet,
      restoreChoices: restore,
      updateSettings: preferences.updateSettings
    })
    if (destroyOptions) inbox.destroy(destroyOptions)
    else {
      inbox.$state.subscribe(update)
      $inbox.set(inbox)
    }
    return inbox
  })
  async function loadInbox(): Promise<void> {
    try {
      await load()
      retry.reset()
    } catch (error) {
      update({ loading: Object.freeze({ error, state: 'failed' }) })
      retry.schedule(() => {
        if ($counting.lc > 0 && !destroyOptions) void loadInbox()
      })
    }
  }

  /** Keeps the counters current, and the inbox in their place once it is loaded. */
  function mount(work: 'connect' | 'synchronize', isList = false): () => void {
    let release = (): void => {}
    const unsubscribe = $inbox.subscribe(inbox => {
      const releaseLast = release
      release = inbox ? inbox[work]() : hold($counting)
      // After the inbox has taken over the connection, so that it stays open.
      releaseLast()
    })
    if (isList) void loadInbox()
    return () => {
      unsubscribe()
      release()
    }
  }
  const $connection: NotifStore['$connection'] = computed(connection.$connection, state => state)
  onMount($connection, () => mount('connect'))
  const { end, makeQuiet, restore, ...preferences } = createLazyPreferences(connection, $connection)

  return {
    ...preferences,
    ...lazyFunctions(load, [
      'act',
      'digest',
      'loadMore',
      'markAsArchived',
      'markAsClicked',
      'markAsOpened',
      'markAsSeen',
      'markAsUnarchived',
      'markAsUnopened',
      'mute',
      'pause',
      'reload',
      'reply',
      'snooze',
      'undo',
      'unsnooze'
    ]),
    ...createInboxAtoms($state, isList => mount('synchronize', isList)),
    $connection,
    $undoable,
    destroy(options = {}) {
      destroyOptions = options
      end()
      events.end()
      retry.cancel()
      counts.stop()
      counts.reset()
      const inbox = $inbox.get()
      if (inbox) inbox.destroy(options)
      // The inbox deletes the data of earlier pages, even if this page did not need it.
      else if (options.forget) void loadInbox()
    },
    getClient: () => transport,
    now: environment.now,
    onNewNotifications: events.onNewNotifications,
    onRefused: events.onRefused,
    openView: query => createLazyView(load, query),
    setWebPushOptIn: isOn => transport.setWebPushOptIn(isOn)
  }
}
