// Position and size of the set, for screen readers. Every arrival moves all rows by one, so they are numbered anew when
// there is time for it, and not in the frame that has to show what arrived.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import type { Answer } from './select-rows.ts'

/** Longest time that numbers may be behind, in milliseconds. */
const LATEST = 250

interface Numbered {
  readonly host: ReactiveElement
  readonly slices: { readonly more: boolean }
  readonly view: Pick<Answer, 'first' | 'total'> | undefined
}

export class Numbers implements ReactiveController {
  readonly #inbox: Numbered
  #planned = false

  constructor(inbox: Numbered) {
    this.#inbox = inbox
  }

  hostUpdated(): void {
    if (this.#planned) return
    this.#planned = true
    setTimeout(() => this.#number(), LATEST)
  }

  #number(): void {
    this.#planned = false
    const { host, slices, view } = this.#inbox
    // A list that is still being drawn comes by here once more when all of it is there.
    if (!view || slices.more) return
    const size = String(view.total ?? -1)
    for (const [index, row] of host.renderRoot.querySelectorAll('article').entries()) {
      const position = String(view.first + index + 1)
      if (row.ariaPosInSet !== position) row.ariaPosInSet = position
      if (row.ariaSetSize !== size) row.ariaSetSize = size
    }
  }
}
