// Reports notifications that arrive live: an event and a callback for the page, then the screen reader and the sound.

import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'

/**
 * Listens until the returned function is called.
 *
 * @param config - read at every arrival
 * @param target - fires the event
 */
export function watchNewNotifications(
  store: NotifStore,
  config: KitConfig,
  target: Document | HTMLElement
): () => void {
  const unwatch = store.onNewNotifications(notifications => {
    target.dispatchEvent(new CustomEvent('notif-new-notifications', { detail: { notifications } }))
    // Without this code the notification itself is still on the page.
    import('./on-demand/arrival.ts').then(
      ({ announceArrival }) => announceArrival(notifications, config, target, store),
      () => {}
    )
    // Last: an error of the callback must not keep the others from running.
    config.onNewNotifications?.(notifications)
  })
  // Keeps the connection open even if the page shows no element.
  const leave = store.$unopened.listen(() => {})
  return () => {
    leave()
    unwatch()
  }
}
