// Creates a store: inbox and preferences of one user on one live connection.

import { atom, computed, onMount } from 'nanostores'

import { createEnvironment } from '../live/browser.ts'
import { createConnection } from '../live/connection.ts'
import { createLazyPreferences } from '../live/lazy-preferences.ts'
import { createLazyView } from '../live/lazy-view.ts'
import type { Environment } from '../store/environment.ts'
import { whenPainted } from '../store/first-paint.ts'
import { createInboxAtoms } from '../store/inbox-state.ts'
import { createInbox } from '../store/inbox/create-inbox.ts'
import { createStoreEvents } from '../store/publish.ts'
import type { NotifStore, StoreConfig, Undoable } from '../store/types.ts'
import { toContext, type NotifContext } from './context.ts'
import { lazyTransport } from './lazy-transport.ts'

/**
 * Creates the store of one user. It does nothing before one of its atoms has a listener; one second after the last
 * listener left, the connection closes.
 */
export function createNotifStore(config: StoreConfig): NotifContext {
  const environment: Environment = { ...createEnvironment(), ready: whenPainted, ...config.environment }
  const transport = config.transport ?? lazyTransport(config, environment)
  const connection = createConnection({ ...config, environment, transport })
  const events = createStoreEvents()
  const $undoable = atom<Undoable | undefined>()
  const { $state, connect, destroy, synchronize, viewSources, ...actions } = createInbox(connection, {
    $undoable,
    makeQuiet: (type, quiet) => makeQuiet(type, quiet),
    onNew: events.reportNew,
    onRefused: events.reportRefusal,
    pageSize: config.pageSize,
    restoreChoices: stored => restore(stored),
    updateSettings: patch => preferences.updateSettings(patch)
  })
  const $connection: NotifStore['$connection'] = computed(connection.$connection, state => state)
  onMount($connection, connect)
  const { end, makeQuiet, restore, ...preferences } = createLazyPreferences(connection, $connection)
  return toContext({
    ...createInboxAtoms($state, synchronize),
    ...actions,
    ...preferences,
    $connection,
    $undoable,
    destroy(how) {
      end()
      events.end()
      destroy(how)
    },
    getClient: () => ({ identify: identity => transport.identify(identity) }),
    now: environment.now,
    onNewNotifications: events.onNewNotifications,
    onRefused: events.onRefused,
    openView: query => createLazyView(() => ({ viewSources }), query),
    setWebPushOptIn: isOn => transport.setWebPushOptIn(isOn)
  })
}
