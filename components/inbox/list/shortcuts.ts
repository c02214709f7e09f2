// Keys that work anywhere in the inbox: `?` opens the help.

import type { ReactiveController } from '@lit/reactive-element'

import type { InboxView } from '../base/inbox-view.ts'
import { readKeyboard } from '../base/options.ts'
import { isField, isPlain } from './keyboard.ts'

export class Shortcuts implements ReactiveController {
  readonly #inbox: InboxView

  constructor(inbox: InboxView) {
    this.#inbox = inbox
  }

  get #root(): DocumentFragment | HTMLElement | undefined {
    return this.#inbox.host.renderRoot
  }

  hostConnected(): void {
    this.#root?.addEventListener('keydown', this.#onKeydown)
  }

  hostDisconnected(): void {
    this.#root?.removeEventListener('keydown', this.#onKeydown)
  }

  readonly #onKeydown = (event: Event): void => {
    const { key } = event as KeyboardEvent
    const target = event.target as Element
    // A bell is the page's, and custom content may have keys of its own.
    if (event.defaultPrevented || target.closest('.bell') || isField(event.composedPath()[0])) return
    if (!isPlain(event as KeyboardEvent) || !readKeyboard(this.#inbox.host)) return
    if (key === '?') {
      event.preventDefault()
      import('../help/help.ts').then(({ openHelp }) => openHelp(this.#inbox)).catch(console.warn)
    }
  }
}
