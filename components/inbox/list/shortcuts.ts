// Keys that work anywhere in the inbox: `?` opens the help; `Z`, Ctrl+Z and Cmd+Z take the last action back.

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
    const { altKey, ctrlKey, key, metaKey, repeat, shiftKey } = event as KeyboardEvent
    const target = event.target as Element
    // A bell is the page's, and custom content may have keys of its own.
    if (event.defaultPrevented || target.closest('.bell') || isField(event.composedPath()[0])) return
    const isUndo = key.toLowerCase() === 'z' && !repeat && !altKey
    if (isUndo && (ctrlKey || metaKey) && !shiftKey) return this.#undo(event)
    if (!isPlain(event as KeyboardEvent) || !readKeyboard(this.#inbox.host)) return
    if (isUndo) return this.#undo(event)
    if (key === '?') {
      event.preventDefault()
      import('../help/help.ts').then(({ openHelp }) => openHelp(this.#inbox)).catch(console.warn)
    }
  }

  #undo(event: Event): void {
    if (!this.#inbox.undoing.canUndo) return
    event.preventDefault()
    this.#inbox.undo()
  }
}
