// The chosen row of a list: moves by keys, stays in sight, and is remembered by its id.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

import { words } from '../words.ts'
import type { Keys } from './keys.ts'

type Host = ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment }

export class RowCursor implements ReactiveController {
  /** Of the chosen row; undefined if none is chosen. Rows have it as `data-id`. */
  id: string | undefined

  readonly #host: Host
  readonly #ids: () => readonly string[]
  #hasMoved = false

  constructor(host: Host, ids: () => readonly string[]) {
    this.#host = host
    this.#ids = ids
    host.addController(this)
  }

  hostUpdated(): void {
    if (!this.#hasMoved || this.id === undefined) return
    this.#hasMoved = false
    const row = this.#host.renderRoot.querySelector(`[data-id="${CSS.escape(this.id)}"]`)
    row?.scrollIntoView({ block: 'nearest' })
  }

  move(step: number): void {
    const ids = this.#ids()
    const index = this.id === undefined ? -1 : ids.indexOf(this.id)
    const next = Math.min(ids.length - 1, Math.max(0, index + step))
    this.id = ids[next]
    this.#hasMoved = true
    this.#host.requestUpdate()
  }

  clear(): void {
    this.id = undefined
    this.#host.requestUpdate()
  }
}

/** `j`, `k`, arrows and Enter. */
export const listKeys = (cursor: RowCursor, open: () => void): Keys => [
  { key: 'j', run: () => cursor.move(1), text: words.keys.nextRow },
  { key: 'ArrowDown', run: () => cursor.move(1), text: words.keys.nextRow },
  { key: 'k', run: () => cursor.move(-1), text: words.keys.previousRow },
  { key: 'ArrowUp', run: () => cursor.move(-1), text: words.keys.previousRow },
  ...(cursor.id === undefined ? [] : [{ key: 'Enter', run: open, text: words.keys.openRow }])
]
