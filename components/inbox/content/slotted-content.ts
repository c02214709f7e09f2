// Renders custom content into light DOM, where the styles of the page apply.

import type { ReactiveController } from '@lit/reactive-element'
import { render } from 'lit/html.js'

import { callSafely, isPromise } from '../../core/safe-call.ts'
import type { EventualResult, Renderable, RenderResult } from '../base/inbox-element.ts'

/** The content of one slot. The same item is not rendered again by the same renderer. */
export interface SlotContent {
  readonly slot: string
  readonly item: unknown
  readonly render: (element: HTMLElement) => EventualResult
  readonly renderer: unknown
}

interface Rendered {
  readonly element: HTMLElement
  readonly item: unknown
  readonly renderer: unknown
  /** The renderer rendered into the element itself, so its content is unknown. */
  isForeign: boolean
  unmount: (() => void) | undefined
}

/** Keeps one `<div slot>` for each content. */
export class SlottedContent implements ReactiveController {
  readonly #rendered = new Map<string, Rendered>()
  readonly #host: HTMLElement
  readonly #collect: () => readonly SlotContent[]

  constructor(host: HTMLElement, collect: () => readonly SlotContent[]) {
    this.#host = host
    this.#collect = collect
  }

  hostUpdated(): void {
    // An update may still run after the host was removed, and nothing would remove its content.
    if (!this.#host.isConnected) return
    const contents = this.#collect()
    const bySlot = new Map(contents.map(content => [content.slot, content]))
    for (const [slot, { renderer }] of this.#rendered) {
      if (bySlot.get(slot)?.renderer !== renderer) this.#remove(slot)
    }
    for (const content of contents) this.#render(content)
  }

  hostDisconnected(): void {
    for (const slot of this.#rendered.keys()) this.#remove(slot)
  }

  #render({ item, render, renderer, slot }: SlotContent): void {
    const before = this.#rendered.get(slot)
    if (before?.item === item) return
    // Only the renderer can clean up what it rendered itself: the next state gets another element.
    if (before?.isForeign) this.#remove(slot)
    const element = before && !before.isForeign ? before.element : document.createElement('div')
    element.slot = slot
    // The previous content stays until there is a result.
    const rendered: Rendered = {
      element,
      isForeign: element !== before?.element,
      item,
      renderer,
      unmount: undefined
    }
    this.#rendered.set(slot, rendered)
    const result = render(element)
    if (isPromise(result)) void result.then(value => this.#show(rendered, value))
    else this.#show(rendered, result)
  }

  #show(rendered: Rendered, result: RenderResult): void {
    const { element } = rendered
    rendered.isForeign = typeof result === 'function' || result === undefined || result === false
    rendered.unmount = typeof result === 'function' ? result : undefined
    const current = this.#rendered.get(element.slot)
    // A newer state replaced it, or it was removed meanwhile.
    if (current !== rendered) return discard(rendered, current)
    // A result that cannot be rendered is handled like an error of the renderer.
    const shown = rendered.isForeign
      ? result
      : callSafely<[], unknown>(false, () => render(result as Renderable, element))
    if (shown === false) element.remove()
    else if (!element.isConnected) this.#host.append(element)
  }

  #remove(slot: string): void {
    const rendered = this.#rendered.get(slot)
    this.#rendered.delete(slot)
    if (rendered) discard(rendered)
  }
}

/** @param successor - of the same slot, perhaps in the same element */
function discard({ element, unmount }: Rendered, successor?: Rendered): void {
  if (unmount) callSafely(undefined, unmount)
  if (successor?.element !== element) element.remove()
}
