// Custom content, drawn into light DOM, where the styles of the page work.

import type { ReactiveController } from '@lit/reactive-element'
import { render, type nothing, type TemplateResult } from 'lit/html.js'

import { ask } from '../internal/ask.ts'

/** A string is always text, never markup. */
export type Renderable = Node | TemplateResult | string | typeof nothing

/** What a renderer says: what to show, a cleanup of what it drew by itself, or `false` for what is shown without it. */
export type Drawing = Renderable | (() => void) | false | void

/** Returns what to show, or draws into `element` itself and returns a cleanup. Called once for each state of an item. */
export type Renderer<Item> = (item: Item, element: HTMLElement) => Drawing

/** One piece of content: what to show, or what draws it and returns a cleanup. */
export type Content = Renderable | ((element: HTMLElement) => Drawing)

interface Drawn {
  readonly element: HTMLElement
  readonly item: unknown
  readonly renderer: unknown
  /** The renderer drew by itself, so nobody else knows what is in the element. */
  readonly own: boolean
  readonly unmount: (() => void) | undefined
}

/** One slot with what is drawn into it. The same item and renderer are not drawn twice. */
export interface Piece {
  readonly slot: string
  readonly item: unknown
  readonly draw: (element: HTMLElement) => Drawing
  readonly renderer: unknown
}

/** Keeps one `<div slot>` for each piece. */
export class LightContent implements ReactiveController {
  readonly #drawn = new Map<string, Drawn>()
  readonly #host: HTMLElement
  readonly #read: () => readonly Piece[]

  constructor(host: HTMLElement, read: () => readonly Piece[]) {
    this.#host = host
    this.#read = read
  }

  hostUpdated(): void {
    // An update that was on its way when the host went: nobody would take away what is drawn now.
    if (!this.#host.isConnected) return
    const pieces = this.#read()
    const wanted = new Map(pieces.map(piece => [piece.slot, piece]))
    for (const [slot, { renderer }] of this.#drawn) {
      if (wanted.get(slot)?.renderer !== renderer) this.#remove(slot)
    }
    for (const piece of pieces) this.#draw(piece)
  }

  hostDisconnected(): void {
    for (const slot of this.#drawn.keys()) this.#remove(slot)
  }

  #draw({ draw, item, renderer, slot }: Piece): void {
    const before = this.#drawn.get(slot)
    if (before?.item === item) return
    // What a renderer drew by itself only it can take away: the next state gets an element of its own.
    if (before?.own) this.#remove(slot)
    const element = before && !before.own ? before.element : document.createElement('div')
    element.slot = slot
    const result = draw(element)
    const own = typeof result === 'function' || result === undefined || result === false
    if (!own) ask(undefined, () => void render(result, element))
    const unmount = typeof result === 'function' ? result : undefined
    this.#drawn.set(slot, { element, item, own, renderer, unmount })
    if (result === false) element.remove()
    else if (!element.isConnected) this.#host.append(element)
  }

  #remove(slot: string): void {
    const drawn = this.#drawn.get(slot)
    this.#drawn.delete(slot)
    if (drawn?.unmount) ask(undefined, drawn.unmount)
    drawn?.element.remove()
  }
}

/** What a parameter holds, as it is drawn into a slot. */
export const pieceOf = (slot: string, content: Content): Piece => ({
  draw: element =>
    typeof content === 'function' ? ask<[HTMLElement], Drawing>(false, content, element) : content,
  item: content,
  renderer: slot,
  slot
})
