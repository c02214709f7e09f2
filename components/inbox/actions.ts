// What a person's action means for the store, and for what still looks unread.

import type { Filter, InboxElement } from '../core/inbox-element.ts'
import { callSafely } from '../core/safe-call.ts'
import type { Notif, NotifId } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'
import type { NotifAction } from '../view/emit.ts'
import type { Seen } from './read-state.ts'

/** Rejects when the server refuses; the store has taken the change back by then. */
export function actOn(store: NotifStore, seen: Seen, action: NotifAction, id: NotifId): Promise<unknown> {
  if (action === 'unread') {
    seen.unread(id)
    return store.markAsUnopened([id])
  }
  seen.read(id)
  if (action === 'archive') return store.markAsArchived([id])
  if (action === 'unarchive') return store.markAsUnarchived([id])
  return store.markAsOpened([id])
}

/** What a filter of the page's own shows; undefined: it is none. */
const shownBy = (store: NotifStore, filter: Filter): readonly Notif[] | undefined =>
  typeof filter === 'function'
    ? store.$notifications.get().filter(item => callSafely(true, filter, item))
    : undefined

interface Counting {
  readonly count?: unknown
}

type Bell = Counting & { readonly unreadBadgeProps?: Counting | undefined }

/** What somebody sees in an element, as `shownBy`. The server's number on a bell is of everything: who opens it has seen that. */
export function seenIn(host: InboxElement, store: NotifStore): readonly Notif[] | undefined {
  const { count, unreadBadgeProps } = host as Bell
  const own = !('count' in host) || typeof (unreadBadgeProps?.count ?? count) === 'function'
  return own ? shownBy(store, host.filter) : undefined
}

/** As {@link actOn}. A filter of the page's own hides the rest, and nobody means what he cannot see. */
export function actOnAll(
  store: NotifStore,
  seen: Seen,
  action: NotifAction,
  filter: Filter
): Promise<unknown> {
  const ids = shownBy(store, filter)?.map(({ id }) => id)
  if (ids) seen.read(...ids)
  else seen.readAll()
  return action === 'archive-all' ? store.markAsArchived(ids ?? 'ALL') : store.markAsOpened(ids)
}
