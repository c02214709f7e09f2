// Loads more when the end of the list comes near the window, or when a page or a tab lacks rows.

import type { ReactiveController } from '@lit/reactive-element'

import { skipPaintWait } from '../../store/first-paint.ts'
import type { InboxView } from '../base/inbox-view.ts'

/** Distance of the end from the scrolled area at which more is loaded. */
const ROOT_MARGIN = '400px'

export class InfiniteScroll implements ReactiveController {
  readonly #inbox: InboxView
  #observer: IntersectionObserver | undefined

  constructor(inbox: InboxView) {
    this.#inbox = inbox
  }

  hostConnected(): void {
    // The page shows that rows are loading, so they are requested immediately.
    skipPaintWait()
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    this.#observer = undefined
  }

  hostUpdated(): void {
    const { host, loading, store, tabs, view } = this.#inbox
    if (!store || !view || loading.state !== 'ready') return
    const end = host.renderRoot.querySelector('.sentinel')
    if (!end) {
      // In a microtask, because loading changes the store, and the host may not change during its update. As many rows as are known
      // already: if all of them are too old for a tab, single pages would need many requests.
      if (view.isShort) queueMicrotask(() => tabs.loadMore(store.$notifications.get().length))
      return
    }
    // The list if it scrolls, else the window.
    const root = host.renderRoot.querySelector('.scrolls')
    // A new observer also reports an end that was visible before and still is.
    this.#observer?.disconnect()
    this.#observer = new IntersectionObserver(this.#onIntersection, { root, rootMargin: ROOT_MARGIN })
    this.#observer.observe(end)
  }

  readonly #onIntersection = (entries: readonly IntersectionObserverEntry[]): void => {
    if (entries.at(-1)?.isIntersecting) this.#inbox.tabs.loadMore()
  }
}
