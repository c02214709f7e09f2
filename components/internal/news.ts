// What happens when notifications arrive live: the page is told at once, then a voice speaks and a sound may play.

import type { NotifStore } from '../store/index.ts'
import type { KitConfig } from './config.ts'
import { tell } from './emit.ts'

/** Listens until the returned function is called. `config` is read at every arrival; `target` fires the event. */
export const watchNews = (
  store: NotifStore,
  config: KitConfig,
  target: Document | HTMLElement
): (() => void) =>
  store.onNewNotifications(async notifications => {
    config.onNewNotifications?.(notifications)
    tell(target, 'notif-new-notifications', { notifications })
    try {
      const { proclaim } = await import('./herald.ts')
      proclaim(notifications, config, target)
    } catch {
      // The code of the voice did not come: the news itself is on the page.
    }
  })
