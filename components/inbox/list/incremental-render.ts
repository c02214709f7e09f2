// Renders a long list in steps: one or two screens immediately, the rest when the browser is idle. In the end all rows are on the
// page, so that its search and screen readers find them.

import type { ReactiveController } from '@lit/reactive-element'

import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'

/** A tall window shows as many; the rest is below it. */
const FIRST_ROW_COUNT = 30
/** Few enough that a key is answered within one or two frames. */
const STEP_ROW_COUNT = 400
/** On a busy page the next step does not wait longer for an idle moment. */
const MAX_DELAY_MS = 100

/** @returns cancels the call */
function runWhenIdle(run: () => void): () => void {
  // Not every browser has idle callbacks.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, MAX_DELAY_MS / 4)
    return () => clearTimeout(timer)
  }
  const callback = requestIdleCallback(run, { timeout: MAX_DELAY_MS })
  return () => cancelIdleCallback(callback)
}

export class IncrementalRender implements ReactiveController {
  hasMore = false
  readonly #inbox: InboxView
  #cancel: (() => void) | undefined
  #rowCount = 0
  /** Tab and page of the rows. */
  #listKey = ''

  constructor(inbox: InboxView) {
    this.#inbox = inbox
    inbox.host.addController(this)
  }

  /** Returns the view with the rows to render now. Each time they are more, so that a live notification removes none. */
  limit(view: ListView): ListView {
    const { page, rows } = view
    const listKey = `${this.#inbox.tab} ${page}`
    const renderedCount = listKey === this.#listKey ? this.#rowCount : 0
    this.#listKey = listKey
    this.#rowCount = Math.min(rows.length, renderedCount ? renderedCount + STEP_ROW_COUNT : FIRST_ROW_COUNT)
    this.hasMore = this.#rowCount < rows.length
    return this.hasMore ? { ...view, rows: rows.slice(0, this.#rowCount) } : view
  }

  // The template of a closed panel does not call `limit`.
  hostUpdate(): void {
    this.hasMore = false
  }

  hostUpdated(): void {
    this.#cancel?.()
    this.#cancel = this.hasMore ? runWhenIdle(() => this.#inbox.host.requestUpdate()) : undefined
  }

  hostDisconnected(): void {
    this.#cancel?.()
  }
}
