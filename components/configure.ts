// The default store of a document, for elements that stand in no provider.

import { isComplete, toUserKey, type KitConfig } from './core/config.ts'
import { loadStore } from './core/load-store.ts'
import { watchNewNotifications } from './core/new-notifications.ts'
import { showOutsideCount } from './core/outside-count.ts'
import { rootProvider, type StoreContext } from './core/store-context.ts'
import type { NotifStore } from './store/types.ts'

let endPrevious: (next: KitConfig) => void = () => {}
let callCount = 0

/**
 * Sets the store of all elements outside of providers, also of elements that are added later. The next call replaces it: a
 * store that the kit created is destroyed then, and if the user is another one, the data of the last user is deleted.
 *
 * @throws TypeError if `config` has neither a store nor a client id and a user id
 */
export async function configure(config: KitConfig = {}): Promise<NotifStore> {
  if (!(config.store ? config.store.$counts : isComplete(config))) {
    throw new TypeError('notif-kit needs clientId and userId, or a store.')
  }
  const ownCall = ++callCount
  const publish = (state: Pick<StoreContext, 'retryLoad' | 'store'>): void =>
    rootProvider().setValue({ ...config, ...state })
  const store =
    config.store ??
    (await loadStore(config, retryLoad => {
      if (ownCall === callCount) publish({ retryLoad })
      return true
    }))!
  const destroy = (next: KitConfig): void => {
    if (!config.store) store.destroy({ forget: toUserKey(config) !== toUserKey(next) })
  }
  if (ownCall !== callCount) {
    destroy(config)
    return store
  }
  endPrevious(config)
  const unwatch = watchNewNotifications(store, config, document)
  const hideCount = showOutsideCount(store, config)
  endPrevious = next => {
    unwatch()
    hideCount()
    destroy(next)
  }
  publish({ store })
  return store
}
