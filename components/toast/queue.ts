// Which notifications are shown as toasts, and for how long. Knows no document.

import type { Notif } from '../protocol/index.ts'

/** How long a toast is shown. */
export const TOAST_MS = 6000
export const MAX_TOASTS = 3

export interface Toast {
  readonly item: Notif
  /** Stays until it is closed. */
  readonly isUrgent: boolean
  readonly leftMs: number
  /** The animation that removes it runs. */
  readonly isLeaving?: boolean
}

export class ToastQueue {
  /** Oldest first, at most three, and those that leave. */
  #toasts: readonly Toast[] = []
  #moreLeftMs = 0
  #moreCount = 0

  /** Arrived while there was no space. They are counted only: the inbox has them. */
  get moreCount(): number {
    return this.#moreCount
  }

  get isEmpty(): boolean {
    return this.#toasts.length === 0 && this.#moreCount === 0
  }

  /** @param limit - toasts that fit on the screen; others wait for their turn, and their time does not run */
  getVisible(limit = MAX_TOASTS): readonly Toast[] {
    const waiting = new Set(this.#staying.slice(limit))
    return this.#toasts.filter(toast => !waiting.has(toast))
  }

  get #staying(): readonly Toast[] {
    return this.#toasts.filter(toast => !toast.isLeaving)
  }

  /** A notification that is shown already is replaced. An urgent one takes the place of the oldest that is not. */
  add(item: Notif, isUrgent: boolean): void {
    this.#toasts = this.#toasts.filter(toast => toast.item.id !== item.id)
    const oldest = this.#staying.find(toast => !toast.isUrgent)
    if (this.#staying.length >= MAX_TOASTS) {
      this.#moreCount += 1
      this.#moreLeftMs = TOAST_MS
      if (!isUrgent || !oldest) return
      this.#toasts = this.#toasts.filter(toast => toast !== oldest)
    }
    this.#toasts = [...this.#toasts, { isUrgent, item, leftMs: TOAST_MS }]
  }

  /** Returns the toasts whose time is over. @param limit - as in {@link getVisible} */
  advance(ms: number, limit?: number): readonly Toast[] {
    const running = new Set(
      this.getVisible(limit).filter(({ isLeaving, isUrgent }) => !isLeaving && !isUrgent)
    )
    this.#toasts = this.#toasts.map(toast =>
      running.has(toast) ? { ...toast, leftMs: toast.leftMs - ms } : toast
    )
    this.#moreLeftMs -= ms
    if (this.#moreLeftMs <= 0) this.#moreCount = 0
    return this.#staying.filter(({ leftMs }) => leftMs <= 0)
  }

  /** @returns false if it is not shown, or leaves already */
  startLeaving(id: string): boolean {
    const isShown = this.#staying.some(({ item }) => item.id === id)
    if (isShown) {
      this.#toasts = this.#toasts.map(toast => (toast.item.id === id ? { ...toast, isLeaving: true } : toast))
    }
    return isShown
  }

  /** Removes a toast that leaves. */
  remove(id: string): void {
    this.#toasts = this.#toasts.filter(({ isLeaving, item }) => item.id !== id || !isLeaving)
  }

  /** Returns what was shown. */
  clear(): readonly Toast[] {
    const shown = this.#staying
    this.#toasts = []
    this.#moreCount = 0
    return shown
  }
}
