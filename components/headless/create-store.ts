// Puts a store together: an inbox and the preferences of one person, on one line.

import { surroundings } from '../live/browser.ts'
import { openLine } from '../live/connection.ts'
import { latePreferences } from '../live/lazy-preferences.ts'
import type { Notif } from '../protocol/index.ts'
import type { Environment } from '../store/environment.ts'
import { ready } from '../store/first-paint.ts'
import { createInbox } from '../store/inbox/create-inbox.ts'
import { createListeners } from '../store/listeners.ts'
import type { StoreConfig } from '../store/types.ts'
import { contextOf, type NotifContext } from './context.ts'
import { lazyTransport } from './lazy-transport.ts'

/**
 * One person's inbox. Nothing happens before somebody listens to one of its stores, and a second after the last listener
 * left the connection ends.
 */
export function createNotifStore(config: StoreConfig): NotifContext {
  const environment: Environment = { ...surroundings, ready, ...config.environment }
  const transport = config.transport ?? lazyTransport(config, environment)
  const line = openLine({ ...config, environment, transport })
  const news = createListeners<readonly Notif[]>()
  const refusals = createListeners<unknown>()
  const { destroy, ...inbox } = createInbox(line, {
    choose: left => adopt(left),
    lost: refusals.tell,
    news: news.tell,
    pageSize: config.pageSize
  })
  const { adopt, end, ...preferences } = latePreferences(line, inbox.$connection)
  return contextOf({
    ...inbox,
    ...preferences,
    destroy(how) {
      end()
      news.clear()
      refusals.clear()
      destroy(how)
    },
    getClient: () => ({ identify: identity => transport.identify(identity) }),
    onNewNotifications: news.add,
    onRefused: refusals.add,
    setWebPushOptIn: on => transport.optIn(on)
  })
}
