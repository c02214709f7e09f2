// Finds the store of an element of the page, for code outside of the kit's elements.

import { ContextEvent } from '@lit/context'

import { rootProvider, storeContext } from '../core/store-context.ts'
import { toContext, type NotifContext } from './context.ts'

/** Returns the context of an element: that of its closest provider, or of the document. Waits until it has a store. */
export function getNotifContext(element: Element): Promise<NotifContext> {
  // Before the request, because a context request without a provider is lost.
  rootProvider()
  // A provider of @lit/context does not answer its own element, so the request comes from inside the element.
  const origin = element.shadowRoot?.firstElementChild ?? element.firstElementChild ?? element
  return new Promise(resolve => {
    let leave: (() => void) | undefined
    origin.dispatchEvent(
      new ContextEvent(
        storeContext,
        origin,
        (context, unsubscribe) => {
          // A provider that is defined later takes over the requests of its elements.
          if (leave !== unsubscribe) leave?.()
          leave = unsubscribe
          if (!context?.store) return
          leave?.()
          resolve(toContext(context.store))
        },
        true
      )
    )
  })
}
