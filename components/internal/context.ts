// The headless way in: the context of a place in the page, for code that is no element of ours.

import { ContextEvent } from '@lit/context'

import { contextOf, type NotifContext } from '../store/context.ts'
import { rootProvider, scopeContext } from './scope.ts'

/** The context of an element: of its closest provider, or of the document. Waits until there is one. */
export function getNotifContext(element: Element): Promise<NotifContext> {
  rootProvider()
  return new Promise(resolve => {
    let leave: (() => void) | undefined
    element.dispatchEvent(
      new ContextEvent(
        scopeContext,
        element,
        (scope, unsubscribe) => {
          // A provider that is defined later answers instead of the document, whose user is another one.
          if (leave !== unsubscribe) leave?.()
          leave = unsubscribe
          if (!scope?.store) return
          resolve(contextOf(scope.store))
          leave?.()
        },
        true
      )
    )
  })
}
