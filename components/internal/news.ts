// What happens when notifications arrive live: the page is told at once, then a voice speaks and a sound may play.

import type { NotifStore } from '../store/index.ts'
import type { KitConfig } from './config.ts'

/** Listens until the returned function is called. `config` is read at every arrival; `target` fires the event. */
export const watchNews = (
  store: NotifStore,
  config: KitConfig,
  target: Document | HTMLElement
): (() => void) => {
  const unwatch = store.onNewNotifications(notifications => {
    target.dispatchEvent(new CustomEvent('notif-new-notifications', { detail: { notifications } }))
    // Without the code of the voice the news itself is on the page.
    import('./herald.ts').then(
      ({ proclaim }) => proclaim(notifications, config, target),
      () => {}
    )
    // Last: what it throws is the page's own to hear, and keeps nobody else from the news.
    config.onNewNotifications?.(notifications)
  })
  // Reason enough to be connected: perhaps nothing on the page shows anything else.
  const leave = store.$unopened.listen(() => {})
  return () => {
    leave()
    unwatch()
  }
}
