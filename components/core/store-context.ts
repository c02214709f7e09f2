// How elements find their store and language: the nearest provider, and last of all the document.

import { ContextEvent, createContext, type ContextCallback } from '@lit/context'

import type { Messages } from '../messages/en.ts'
import type { NotifStore } from '../store/types.ts'

/** What a provider gives to everything inside it. */
export interface Scope {
  readonly store?: NotifStore | undefined
  /** There: the code of the store did not come; asks for it at once, as is done by itself after a while. */
  readonly again?: (() => void) | undefined
  /** BCP 47 tag; absent: the language of the page. */
  readonly lang?: string | undefined
  /** Own words in place of the built-in ones. */
  readonly messages?: Partial<Messages> | undefined
  /** `off` or false: nobody is asked for web push. */
  readonly webPushOptInMessage?: 'auto' | 'off' | boolean | undefined
}

const KEY = Symbol.for('notif:scope')

export const scopeContext = createContext<Scope | undefined>(KEY)

type Answer = ContextCallback<Scope | undefined>

/**
 * Gives a scope to whoever asks below an element, by the events of the community protocol, as ContextProvider of
 * @lit/context does. The document has one, too, and that is on every page: so this is the only one.
 */
export class ScopeProvider {
  readonly #asking = new Map<Answer, { readonly element: Element; readonly leave: () => void }>()
  #scope: Scope | undefined

  constructor(root: HTMLElement) {
    root.addEventListener('context-request', event => {
      if (event.context !== scopeContext) return
      event.stopPropagation()
      const answer = event.callback as Answer
      if (!event.subscribe) return answer(this.#scope)
      const one = this.#asking.get(answer) ?? {
        element: event.contextTarget,
        leave: () => this.#asking.delete(answer)
      }
      this.#asking.set(answer, one)
      answer(this.#scope, one.leave)
    })
    // A provider was defined after the elements in it: whoever it answers leaves us.
    root.addEventListener('context-provider', event => {
      if ((event as Event & { context?: unknown }).context !== scopeContext) return
      for (const [answer, { element }] of this.#asking) {
        element.dispatchEvent(new ContextEvent(scopeContext, element, answer, true))
      }
    })
  }

  setValue(scope: Scope): void {
    this.#scope = scope
    for (const [answer, { leave }] of this.#asking) answer(scope, leave)
  }
}

type Root = Document & { [KEY]?: ScopeProvider }

/**
 * The document as the last provider, so that elements need no provider element and always get an answer at once.
 * Kept on the document under a shared symbol, because two copies of the kit on one page must find each other.
 */
export function rootProvider(): ScopeProvider {
  return ((document as Root)[KEY] ??= new ScopeProvider(document.documentElement))
}

/** Hears at once what the scope of an element is, and whenever it is another one, until the returned function is called. */
export function followScope(element: Element, hear: (scope: Scope | undefined) => void): () => void {
  let leave: (() => void) | undefined
  // Asked for before it can be needed, so that there is always somebody who answers.
  rootProvider()
  const answer: Answer = (scope, unsubscribe) => {
    // A provider that is defined later takes over the requests below it: then the first one is left.
    if (leave !== unsubscribe) leave?.()
    leave = unsubscribe
    hear(scope)
  }
  element.dispatchEvent(new ContextEvent(scopeContext, element, answer, true))
  return () => leave?.()
}
