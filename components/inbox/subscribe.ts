// Subscribes an inbox to its store.

import { announceState, OFFLINE_BANNER } from '../announce/announce-state.ts'
import type { NotifStore } from '../store/types.ts'
import type { InboxView } from './base/inbox-view.ts'

/** A list that is scrolled less counts as being at its top. */
export const TOP_TOLERANCE_PX = 24

interface Inbox extends InboxView {
  newAboveCount: number
  offlineSince: number | undefined
  readonly list: HTMLElement | null
}

interface Callbacks {
  /** The template has to be rendered again. */
  onChange(): void
  /** There may be other notifications. */
  onNotifications(): void
  /** The server refused a change of an earlier page. */
  onRefused(error: unknown): void
}

export function subscribeInbox(
  inbox: Inbox,
  store: NotifStore,
  { onChange, onNotifications, onRefused }: Callbacks
): readonly (() => void)[] {
  const update = (): void => {
    onNotifications()
    onChange()
  }
  const ended = new AbortController()
  // The banner says whether the server or the network is unavailable.
  for (const type of ['online', 'offline']) addEventListener(type, onChange, { signal: ended.signal })
  return [
    () => ended.abort(),
    store.$notifications.listen(update),
    store.$loading.listen((_, before) => {
      update()
      // Only now it is known whether the list is empty.
      if (before!.state === 'busy') void announceState(inbox.host)
    }),
    store.$counts.listen(onChange),
    store.$connection.subscribe(({ state }) => {
      onChange()
      if (state === 'online') inbox.offlineSince = undefined
      else if (state === 'offline') {
        inbox.offlineSince ??= inbox.now
        void announceState(inbox.host, OFFLINE_BANNER)
      }
    }),
    store.onRefused(onRefused),
    store.onNewNotifications(items => {
      for (const { id } of items) inbox.arrived.add(id)
      if ((inbox.list?.scrollTop ?? 0) > TOP_TOLERANCE_PX) inbox.newAboveCount += items.length
      onChange()
    })
  ]
}
