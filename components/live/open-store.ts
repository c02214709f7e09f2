// Creates the store of a page from its configuration.

import type { Address, Identity } from '../store/transport.ts'
import type { NotifStore } from '../store/types.ts'
import { createEnvironment } from './browser.ts'
import { openTransport } from './create-transport.ts'
import { createLazyStore } from './lazy-store.ts'

/** What a page configures about its server and user. */
interface PageConfig extends Omit<Address, 'clientId' | 'serviceWorkerPath' | 'userId'> {
  readonly clientId?: string | undefined
  readonly userId?: string | undefined
  readonly user?: (Identity & { readonly id: string }) | undefined
  readonly customServiceWorkerPath?: string | undefined
}

/**
 * Creates the store. Contact details of `user` are sent immediately; if the server refuses them, the page is only warned.
 *
 * @param home - address of the server if `config` has none
 */
export function openStore(config: PageConfig, home: string): NotifStore {
  const { auth, clientId = '', user, wsUrl } = config
  const address = {
    apiUrl: config.apiUrl || home,
    // Calls the newest function: frameworks create another one at each render.
    auth: auth && (() => (config.auth ?? auth)()),
    clientId,
    // Frameworks pass null instead of undefined.
    serviceWorkerPath: config.customServiceWorkerPath || undefined,
    userHash: config.userHash || undefined,
    userId: config.userId || user?.id || '',
    wsUrl
  }
  const environment = createEnvironment()
  const store = createLazyStore({ environment, transport: openTransport(address, environment) })
  const { id: _, ...details } = user ?? { id: '' }
  const identify = (identity: Identity): Promise<void> | undefined =>
    Object.keys(identity).length > 0 ? store.getClient().identify(identity) : undefined
  const warn = (error: unknown): void => console.warn('notif-kit: the user could not be identified.', error)
  identify(details)?.catch((error: unknown) => {
    warn(error)
    // The environment takes contact details from back ends only. The time zone is none.
    const { email: _e, number: _n, ...rest } = details
    if (Object(error).status === 403) void identify(rest)?.catch(warn)
  })
  return store
}
