// The default store of a document, for elements that stand in no provider.

import type { NotifStore } from '../store/index.ts'
import { isComplete, type KitConfig } from './config.ts'
import { loadStore } from './load-store.ts'
import { watchNews } from './news.ts'
import { rootProvider } from './scope.ts'

let end = (): void => {}
let turn = 0

/**
 * Gives every element outside of a provider its store, whether it is already on the page or comes later. Called again,
 * it replaces what was there; a store that it had made itself is destroyed then.
 *
 * @throws TypeError when it has neither a store nor a client id and a user id
 */
export async function configure(config: KitConfig): Promise<NotifStore> {
  if (!config.store && !isComplete(config)) {
    throw new TypeError('configure() needs clientId and userId, or a store.')
  }
  const mine = ++turn
  // A ready store needs no code of ours: elements have it at once.
  const store = config.store ?? (await loadStore(config))
  const destroy = (): void => {
    if (!config.store) store.destroy()
  }
  if (mine !== turn) {
    destroy()
    return store
  }
  end()
  const unwatch = watchNews(store, config, document)
  end = () => {
    unwatch()
    destroy()
  }
  const { lang, messages, webPushOptInMessage } = config
  rootProvider().setValue({ lang, messages, store, webPushOptInMessage })
  return store
}
