// A store that begins with the counters and becomes the whole inbox when the page needs more than them.

import { atom, computed, onMount, onStart, onStop } from 'nanostores'

import { createInboxAtoms, NO_COUNTS, NO_NOTIFICATIONS, type InboxState } from '../store/inbox-state.ts'
import type { LoadedInbox } from '../store/inbox/create-inbox.ts'
import { lazyFunctions, lazyModule } from '../store/lazy.ts'
import { createStoreEvents, hold, publish } from '../store/publish.ts'
import type { LiveConnection } from '../store/receiver.ts'
import { createRetry } from '../store/retry.ts'
import type { NotifStore } from '../store/types.ts'
import { createConnection } from './connection.ts'
import { createCounts } from './counts.ts'
import { createLazyPreferences } from './lazy-preferences.ts'

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
  const $state = atom<InboxState>({
    counts: NO_COUNTS,
    loading: Object.freeze({ state: 'busy' }),
    notifications: NO_NOTIFICATIONS
  })
  const update = (part: Partial<InboxState>): void => publish(() => $state.set({ ...$state.get(), ...part }))
  const retry = createRetry(environment)
  let destroyed: { readonly forget?: boolean } | undefined

  const counts = createCounts({
    connection,
    onCounts: counts => update({ counts }),
    onGap: () => loadInbox(),
    onNew: events.reportNew
  })
  const $counting = atom(0)
  onStart($counting, () => {
    if (!destroyed) counts.start()
  })
  onStop($counting, counts.stop)

  const load = lazyModule('inbox', async () => {
    const { createInbox } = await import('../store/inbox/create-inbox.ts')
    const inbox = createInbox(connection, {
      choose: adopt,
      known: counts.get(),
      lost: events.reportRefusal,
      news: events.reportNew
    })
    if (destroyed) inbox.destroy(destroyed)
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
        if ($counting.lc > 0 && !destroyed) void loadInbox()
      })
    }
  }

  /** Keeps the counters current, and the inbox in their place once it is loaded. */
  function mount(work: 'connect' | 'synchronize', isList = false): () => void {
    let release = (): void => {}
    const unbind = $inbox.subscribe(inbox => {
      const releaseLast = release
      release = inbox ? inbox[work]() : hold($counting)
      // Only now: the inbox takes over an open connection.
      releaseLast()
    })
    if (isList) void loadInbox()
    return () => {
      unbind()
      release()
    }
  }
  const $connection: NotifStore['$connection'] = computed(connection.$connection, state => state)
  onMount($connection, () => mount('connect'))
  const { adopt, end, ...preferences } = createLazyPreferences(connection, $connection)

  return {
    ...preferences,
    ...lazyFunctions(load, [
      'loadMore',
      'markAsArchived',
      'markAsClicked',
      'markAsOpened',
      'markAsUnarchived',
      'markAsUnopened',
      'reload'
    ]),
    ...createInboxAtoms($state, isList => mount('synchronize', isList)),
    $connection,
    destroy(how = {}) {
      destroyed = how
      end()
      events.end()
      retry.cancel()
      counts.stop()
      counts.reset()
      const inbox = $inbox.get()
      if (inbox) inbox.destroy(how)
      // What an earlier page has left is forgotten, even if this page did not need it.
      else if (how.forget) void loadInbox()
    },
    getClient: () => transport,
    now: environment.now,
    onNewNotifications: events.onNewNotifications,
    onRefused: events.onRefused,
    setWebPushOptIn: isOn => transport.optIn(isOn)
  }
}
