// From what a page says about its user to a store.

import type * as Live from '../live/index.ts'
import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'

/**
 * Makes the store. Contact details of `user` are sent once it is there; that they are refused is only a warning.
 *
 * @param home - address of the server where `config` names none
 */
export function openStore(
  config: KitConfig,
  home: string,
  { createLateStore, openTransport, surroundings }: typeof Live
): NotifStore {
  const { auth, clientId = '', user, wsUrl } = config
  const address = {
    apiUrl: config.apiUrl || home,
    // The newest one: frameworks make another at each render.
    auth: auth && (() => (config.auth ?? auth)()),
    clientId,
    // Frameworks say null for nothing.
    serviceWorkerPath: config.customServiceWorkerPath || undefined,
    userHash: config.userHash || undefined,
    userId: config.userId || user?.id || '',
    wsUrl
  }
  const store = createLateStore({
    environment: surroundings,
    transport: openTransport(address, surroundings)
  })
  const { id: _, ...details } = user ?? { id: '' }
  if (Object.keys(details).length > 0) {
    store
      .getClient()
      .identify(details)
      .catch((error: unknown) => console.warn('notif-kit: the user could not be identified.', error))
  }
  return store
}
