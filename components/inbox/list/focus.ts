// When a focused row leaves the list, such as by archiving it with the keyboard, focuses the row that takes its place.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

export class FocusKeeper implements ReactiveController {
  readonly #host: ReactiveElement
  #index = -1
  #row: HTMLElement | null | undefined

  constructor(host: ReactiveElement) {
    this.#host = host
  }

  get #rows(): HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('article')]
  }

  hostUpdate(): void {
    this.#row = (this.#host.renderRoot as ShadowRoot | undefined)?.activeElement?.closest('article')
    this.#index = this.#row ? this.#rows.indexOf(this.#row) : -1
  }

  hostUpdated(): void {
    if (!this.#row || this.#row.isConnected) return
    const rows = this.#rows
    const next = rows[Math.min(this.#index, rows.length - 1)]
    ;(next ?? this.#host.renderRoot.querySelector<HTMLElement>('[aria-pressed="true"]'))?.focus()
  }
}
