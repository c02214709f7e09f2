// How elements find their store and language: from the closest provider, or from the document.

import { ContextProvider, createContext } from '@lit/context'

import type { Messages } from '../messages/en.ts'
import type { NotifStore } from '../store/types.ts'

/** What a provider gives to everything inside it. */
export interface StoreContext {
  readonly store?: NotifStore | undefined
  /** Set if the code of the store could not be loaded: loads it immediately instead of after the back-off. */
  readonly retryLoad?: (() => void) | undefined
  /** BCP 47 tag; absent: the language of the page. */
  readonly lang?: string | undefined
  /** Texts in place of the built-in ones. */
  readonly messages?: Partial<Messages> | undefined
  /** `off` or false: users are not asked for web push. */
  readonly webPushOptInMessage?: 'auto' | 'off' | boolean | undefined
}

const KEY = Symbol.for('notif:scope')

export const storeContext = createContext<StoreContext | undefined>(KEY)

type RootProvider = ContextProvider<typeof storeContext>
type Root = Document & { [KEY]?: RootProvider }

/**
 * Returns the provider of the document, for elements that stand in no other. Kept on the document under a shared symbol:
 * two copies of the kit on one page must find the same one.
 */
export function rootProvider(): RootProvider {
  // A provider uses of its host only what every element has (@lit/context, ReactiveControllerHost is partial).
  return ((document as Root)[KEY] ??= new ContextProvider(document.documentElement, {
    context: storeContext
  }))
}
