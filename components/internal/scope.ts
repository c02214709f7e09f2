// How elements find their store and language: the nearest provider, and last of all the document.

import { ContextProvider, createContext } from '@lit/context'

import type { Messages } from '../messages/en.ts'
import type { NotifStore } from '../store/index.ts'

/** What a provider gives to everything inside it. */
export interface Scope {
  readonly store?: NotifStore | undefined
  /** BCP 47 tag; absent: the language of the page. */
  readonly lang?: string | undefined
  /** Own words in place of the built-in ones. */
  readonly messages?: Partial<Messages> | undefined
}

const KEY = Symbol.for('notif:scope')

export const scopeContext = createContext<Scope | undefined>(KEY)

type Root = Document & { [KEY]?: ContextProvider<typeof scopeContext> }

/**
 * The document as the last provider, so that elements need no provider element and always get an answer at once.
 * Kept on the document under a shared symbol, because two copies of the kit on one page must find each other.
 */
export function rootProvider(): ContextProvider<typeof scopeContext> {
  const root = document as Root
  return (root[KEY] ??= new ContextProvider(document.documentElement, { context: scopeContext }))
}
