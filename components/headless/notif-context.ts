// The headless way in: the context of a place in the page, for code that is no element of ours.

import { followScope } from '../core/store-context.ts'
import { contextOf, type NotifContext } from './context.ts'

/** The context of an element: of its closest provider, or of the document. Waits until there is one. */
export function getNotifContext(element: Element): Promise<NotifContext> {
  let leave: (() => void) | undefined
  return new Promise<NotifContext>(resolve => {
    leave = followScope(element, scope => {
      if (scope?.store) resolve(contextOf(scope.store))
    })
  }).finally(() => leave?.())
}
