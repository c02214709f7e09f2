// The default store of a document, for elements that stand in no provider.

import { isComplete, userOf, type KitConfig } from './core/config.ts'
import { loadStore } from './core/load-store.ts'
import { watchNewNotifications } from './core/new-notifications.ts'
import { rootProvider, type StoreContext } from './core/store-context.ts'
import type { NotifStore } from './store/types.ts'

let end: (next: KitConfig) => void = () => {}
let turn = 0

/**
 * Gives every element outside of a provider its store, whether it is already on the page or comes later. Called again,
 * it replaces what was there; a store that it had made itself is destroyed then, and what the browser has kept of another
 * user is forgotten.
 *
 * @throws TypeError when it has neither a store nor a client id and a user id
 */
export async function configure(config: KitConfig = {}): Promise<NotifStore> {
  if (!(config.store ? config.store.$counts : isComplete(config))) {
    throw new TypeError('notif-kit needs clientId and userId, or a store.')
  }
  const mine = ++turn
  // A ready store needs no code of ours: elements have it at once.
  const publish = (what: Pick<StoreContext, 'again' | 'store'>): void =>
    rootProvider().setValue({ ...config, ...what })
  const store =
    config.store ??
    (await loadStore(config, again => {
      if (mine === turn) publish({ again })
      return true
    }))!
  const destroy = (next: KitConfig): void => {
    if (!config.store) store.destroy({ forget: userOf(config) !== userOf(next) })
  }
  if (mine !== turn) {
    destroy(config)
    return store
  }
  end(config)
  const unwatch = watchNewNotifications(store, config, document)
  end = next => {
    unwatch()
    destroy(next)
  }
  publish({ store })
  return store
}
