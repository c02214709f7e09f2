// What an inbox hears from its store, and what it notes of it.

import { announceState, OFFLINE_BANNER } from '../announce/announce-state.ts'
import type { InboxElement } from '../core/inbox-element.ts'
import { warnBy } from '../core/validate.ts'
import type { NotifId } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'
import type { ClockController } from './clock.ts'

/** How far a list may be scrolled and still count as being at its top, in pixels. */
export const TOP = 24

interface Noted {
  above: number
  offlineSince: number | undefined
  readonly arrived: Set<NotifId>
  readonly clock: Pick<ClockController, 'now'>
  readonly host: InboxElement
  readonly list: HTMLElement | null
}

interface Then {
  /** Something else is to be seen. */
  changed(): void
  /** Notifications may be others now. */
  look(): void
  /** An action of an earlier page was refused. */
  refused(error: unknown): void
}

export function hear(
  inbox: Noted,
  store: NotifStore,
  { changed, look, refused }: Then
): readonly (() => void)[] {
  const others = (): void => {
    look()
    changed()
  }
  const gone = new AbortController()
  // The server is away, or the whole network: that is told apart.
  for (const type of ['online', 'offline']) addEventListener(type, changed, { signal: gone.signal })
  return [
    () => gone.abort(),
    store.$notifications.listen(others),
    store.$loading.listen((_, before) => {
      others()
      // Until then nobody knew that there is nothing.
      if (before!.state === 'busy') void announceState(inbox.host)
    }),
    store.$counts.listen(changed),
    store.$connection.subscribe(connection => {
      changed()
      const { state } = connection
      if (state === 'online') inbox.offlineSince = undefined
      else if (state === 'refused') warnBy(({ serverRefused }) => serverRefused(connection))
      else if (state === 'offline') {
        inbox.offlineSince ??= inbox.clock.now
        void announceState(inbox.host, OFFLINE_BANNER)
      }
    }),
    store.onRefused(refused),
    store.onNewNotifications(items => {
      for (const { id } of items) inbox.arrived.add(id)
      if ((inbox.list?.scrollTop ?? 0) > TOP) inbox.above += items.length
      changed()
    })
  ]
}
