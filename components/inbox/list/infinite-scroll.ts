// Loads more when the end of the list comes near, or when a page has room left and a tab no rows yet.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import { skipPaintWait } from '../../store/first-paint.ts'
import type { NotifStore } from '../../store/types.ts'
import type { Answer } from './select-rows.ts'

/** How near, as a margin around the scrolled area. */
const NEAR = '400px'

interface Growing {
  readonly host: ReactiveElement
  readonly store: NotifStore | undefined
  readonly view: Pick<Answer, 'short'> | undefined
}

export class Endless implements ReactiveController {
  readonly #inbox: Growing
  #observer: IntersectionObserver | undefined

  constructor(inbox: Growing) {
    this.#inbox = inbox
  }

  hostConnected(): void {
    // The first rows are wanted as soon as their place is on the page.
    skipPaintWait()
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    this.#observer = undefined
  }

  hostUpdated(): void {
    const { host, store, view } = this.#inbox
    if (!store || !view || store.$loading.get().state !== 'ready') return
    const end = host.renderRoot.querySelector('.sentinel')
    if (!end) {
      // A store that begins to load says so at once, and nothing may change while a host still updates.
      // As many again as are known: rows that are all old are not asked for page by page.
      if (view.short) queueMicrotask(() => void store.loadMore(store.$notifications.get().length))
      return
    }
    // The list where it scrolls by itself, else the window.
    const root = host.renderRoot.querySelector('.scrolls')
    // Observed anew, it answers at once also when the end was in sight before and still is.
    this.#observer?.disconnect()
    this.#observer = new IntersectionObserver(this.#reached, { root, rootMargin: NEAR })
    this.#observer.observe(end)
  }

  readonly #reached = (entries: readonly IntersectionObserverEntry[]): void => {
    if (entries.at(-1)?.isIntersecting) void this.#inbox.store?.loadMore()
  }
}
