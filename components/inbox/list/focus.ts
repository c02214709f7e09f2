// The list is one Tab stop: the row that was used last, else the first. When a focused row leaves the list, such as by archiving it with
// the keyboard, the row that takes its place has the focus.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

const isBefore = (one: Node, other: Node): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

export class RowFocus implements ReactiveController {
  readonly #host: ReactiveElement
  #index = -1
  /** The row that had the focus before the update. */
  #focused: HTMLElement | null | undefined
  /** The Tab stop. */
  #stop: HTMLElement | undefined
  /** The user was in the list. Until then the first row stays the Tab stop, also if another one arrives above it. */
  #wasUsed = false

  constructor(host: ReactiveElement) {
    this.#host = host
  }

  get #root(): ShadowRoot | undefined {
    return this.#host.renderRoot as ShadowRoot | undefined
  }

  get rows(): HTMLElement[] {
    return [...this.#root!.querySelectorAll<HTMLElement>('article.item')]
  }

  /** Focuses a row, and scrolls it into view. */
  focus(row: HTMLElement | undefined): void {
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }

  hostConnected(): void {
    this.#root?.addEventListener('focusin', this.#onFocus)
  }

  hostDisconnected(): void {
    this.#root?.removeEventListener('focusin', this.#onFocus)
  }

  hostUpdate(): void {
    this.#focused = this.#root?.activeElement?.closest<HTMLElement>('article.item, .undo-line')
    const place = this.#focused ?? this.#stop
    this.#index = place ? this.rows.filter(row => isBefore(row, place)).length : -1
  }

  hostUpdated(): void {
    const isStopGone = !this.#stop?.isConnected
    if (isStopGone || !this.#wasUsed) {
      const rows = isStopGone && this.#wasUsed ? this.rows : []
      this.#setStop(
        rows[Math.min(this.#index, rows.length - 1)] ??
          this.#root!.querySelector<HTMLElement>('article.item') ??
          undefined
      )
    }
    if (!this.#focused || this.#focused.isConnected) return
    const fallback = this.#root!.querySelector<HTMLElement>('[aria-pressed="true"]')
    this.focus(this.#stop ?? fallback ?? undefined)
  }

  #setStop(row: HTMLElement | undefined): void {
    if (row === this.#stop) return
    if (this.#stop) this.#stop.tabIndex = -1
    this.#stop = row
    if (row) row.tabIndex = 0
  }

  readonly #onFocus = ({ target }: Event): void => {
    const row = (target as Element).closest<HTMLElement>('article.item')
    if (!row) return
    this.#wasUsed = true
    this.#setStop(row)
  }
}
