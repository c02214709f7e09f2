// The headless way in: the store of a place in the page, for code that is no element of ours.

import { ContextEvent } from '@lit/context'
import type { ReactiveElement } from 'lit'

import type { NotifStore } from '../store/index.ts'
import { rootProvider, scopeContext } from './scope.ts'
import { StoreController } from './store-controller.ts'

/** The store for an element: that of its closest provider, or the document's. Waits until there is one. */
export function getNotifContext(element: Element): Promise<NotifStore> {
  rootProvider()
  return new Promise(resolve => {
    element.dispatchEvent(
      new ContextEvent(
        scopeContext,
        // A provider takes no request that it seems to have sent itself.
        document.createElement('i'),
        (scope, unsubscribe) => {
          if (!scope?.store) return
          resolve(scope.store)
          unsubscribe?.()
        },
        true
      )
    )
  })
}

/** In a Lit element: `.store` of its place, and a new render whenever something in it changes. */
export function useNotifContext(host: ReactiveElement): { readonly store: NotifStore | undefined } {
  return new StoreController(host, (store, changed) => [
    store.$notifications.listen(changed),
    store.$counts.listen(changed),
    store.$loading.listen(changed),
    store.$connection.listen(changed)
  ])
}
