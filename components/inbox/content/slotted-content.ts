// Custom content, drawn into light DOM, where the styles of the page work.

import type { ReactiveController } from '@lit/reactive-element'
import { render } from 'lit/html.js'

import type { Content, Drawing, Drawings, Renderable } from '../../core/inbox-element.ts'
import { callSafely, isPromise } from '../../core/safe-call.ts'

interface Drawn {
  readonly element: HTMLElement
  readonly item: unknown
  readonly renderer: unknown
  /** The renderer draws by itself, so nobody else knows what is in the element. */
  own: boolean
  unmount: (() => void) | undefined
}

/** One slot with what is drawn into it. The same item and renderer are not drawn twice. */
export interface Piece {
  readonly slot: string
  readonly item: unknown
  readonly draw: (element: HTMLElement) => Drawings
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
    // What was said before stays where it is until there is something else.
    const drawn: Drawn = { element, item, own: element !== before?.element, renderer, unmount: undefined }
    this.#drawn.set(slot, drawn)
    const result = draw(element)
    if (isPromise(result)) void result.then(said => this.#show(drawn, said))
    else this.#show(drawn, result)
  }

  #show(drawn: Drawn, result: Drawing): void {
    const { element } = drawn
    drawn.own = typeof result === 'function' || result === undefined || result === false
    drawn.unmount = typeof result === 'function' ? result : undefined
    const now = this.#drawn.get(element.slot)
    // Overtaken by a newer state, or taken away meanwhile.
    if (now !== drawn) return end(drawn, now)
    // What cannot be shown is as what throws.
    const shown = drawn.own
      ? result
      : callSafely<[], unknown>(false, () => render(result as Renderable, element))
    if (shown === false) element.remove()
    else if (!element.isConnected) this.#host.append(element)
  }

  #remove(slot: string): void {
    const drawn = this.#drawn.get(slot)
    this.#drawn.delete(slot)
    if (drawn) end(drawn)
  }
}

/** @param next - what stands in its place, perhaps in the same element */
function end({ element, unmount }: Drawn, next?: Drawn): void {
  if (unmount) callSafely(undefined, unmount)
  if (next?.element !== element) element.remove()
}

/** What a parameter holds, as it is drawn into a slot. */
export const pieceOf = (slot: string, content: Content): Piece => ({
  draw: element =>
    typeof content === 'function' ? callSafely<[HTMLElement], Drawings>(false, content, element) : content,
  item: content,
  renderer: slot,
  slot
})
