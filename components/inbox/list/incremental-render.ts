// A long list is drawn in slices: a screen or two at once, the rest whenever the browser has nothing better to do. In the
// end every row is in the page, so that whoever searches it or has it read aloud gets all of them.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import { later } from './on-idle.ts'
import type { Answer, Tab } from './select-rows.ts'

/** A tall window has room for as many: what a person sees first waits for no more. The rest of a page fills blocks. */
const FIRST = 30
/** So few that a key pressed meanwhile is answered within a frame or two. */
const NEXT = 400

interface Long {
  readonly host: ReactiveElement
  readonly tab: Tab
}

export class Slices implements ReactiveController {
  /** Rows are still to be drawn. */
  more = false
  readonly #inbox: Long
  #cancel: (() => void) | undefined
  #drawn = 0
  #place = ''

  constructor(inbox: Long) {
    this.#inbox = inbox
    inbox.host.addController(this)
  }

  /** With the rows to draw now: each time more of them, so that one that comes live pushes none out again. */
  cut(view: Answer): Answer {
    const { page, rows } = view
    const place = `${this.#inbox.tab} ${page}`
    // Another list begins anew.
    const before = place === this.#place ? this.#drawn : 0
    this.#place = place
    this.#drawn = Math.min(rows.length, before ? before + NEXT : FIRST)
    this.more = this.#drawn < rows.length
    return this.more ? { ...view, rows: rows.slice(0, this.#drawn) } : view
  }

  // Nobody asks while a panel is closed.
  hostUpdate(): void {
    this.more = false
  }

  hostUpdated(): void {
    this.#cancel?.()
    this.#cancel = this.more ? later(() => this.#inbox.host.requestUpdate()) : undefined
  }

  hostDisconnected(): void {
    this.#cancel?.()
  }
}
