// Sets position and set size of rows for screen readers. Every arrival moves all rows, so this is done later, not in the frame that
// shows what arrived.

import type { ReactiveController } from '@lit/reactive-element'

import type { InboxView } from '../base/inbox-view.ts'

const DELAY_MS = 250

export class AriaPositions implements ReactiveController {
  readonly #inbox: InboxView
  #isScheduled = false

  constructor(inbox: InboxView) {
    this.#inbox = inbox
  }

  hostUpdated(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#setPositions(), DELAY_MS)
  }

  #setPositions(): void {
    this.#isScheduled = false
    const { hasRowsToRender, host, view } = this.#inbox
    // The update that renders the last rows schedules this again.
    if (!view || hasRowsToRender) return
    const size = String(view.total ?? -1)
    for (const [index, row] of host.renderRoot.querySelectorAll('article.item').entries()) {
      const position = String(view.first + index + 1)
      if (row.ariaPosInSet !== position) row.ariaPosInSet = position
      if (row.ariaSetSize !== size) row.ariaSetSize = size
    }
  }
}
