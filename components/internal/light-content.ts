// Custom content of notifications, drawn into light DOM, where the styles of the page work.

import { nothing, render, type ReactiveController, type TemplateResult } from 'lit'

/** A string is always text, never markup. */
export type Renderable = Node | TemplateResult | string | typeof nothing

/** Returns what to show, or draws into `element` itself and returns a cleanup. Called once for each state of an item. */
export type Renderer<Item> = (item: Item, element: HTMLElement) => Renderable | (() => void) | void

interface Drawn<Item> {
  readonly element: HTMLElement
  readonly item: Item
  readonly renderer: Renderer<Item>
  readonly unmount: (() => void) | undefined
}

interface Content<Item> {
  readonly items: readonly Item[]
  readonly renderer: Renderer<Item> | undefined
}

/** Keeps one `<div slot="item-{id}">` for each shown item while there is a renderer. */
export class LightContent<Item extends { readonly id: string }> implements ReactiveController {
  readonly #drawn = new Map<string, Drawn<Item>>()
  readonly #host: HTMLElement
  readonly #read: () => Content<Item>

  constructor(host: HTMLElement, read: () => Content<Item>) {
    this.#host = host
    this.#read = read
  }

  hostUpdated(): void {
    const { items, renderer } = this.#read()
    const shown = new Map(renderer ? items.map(item => [item.id, item]) : [])
    for (const [id, drawn] of this.#drawn) {
      if (drawn.renderer !== renderer || !shown.has(id)) this.#remove(id, drawn)
    }
    if (renderer) for (const item of shown.values()) this.#draw(item, renderer)
  }

  hostDisconnected(): void {
    for (const [id, drawn] of this.#drawn) this.#remove(id, drawn)
  }

  #draw(item: Item, renderer: Renderer<Item>): void {
    const before = this.#drawn.get(item.id)
    if (before?.item === item) return
    const element = before?.element ?? document.createElement('div')
    element.slot = `item-${item.id}`
    before?.unmount?.()
    const result = renderer(item, element)
    const unmount = typeof result === 'function' ? result : undefined
    if (typeof result !== 'function' && result !== undefined) render(result, element)
    this.#drawn.set(item.id, { element, item, renderer, unmount })
    if (!before) this.#host.append(element)
  }

  #remove(id: string, { element, unmount }: Drawn<Item>): void {
    unmount?.()
    element.remove()
    this.#drawn.delete(id)
  }
}
