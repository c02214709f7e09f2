// Applies actions of the user to the store and to the read state.

import { callSafely } from '../core/safe-call.ts'
import type { Notif, NotifId } from '../protocol/index.ts'
import type { NotifStore, Scope } from '../store/types.ts'
import type { NotifAction } from '../view/emit.ts'
import type { Filter, InboxElement } from './base/inbox-element.ts'
import type { ReadState } from './read-state.ts'

/** @returns undefined if the filter is not a function of the page */
const filterItems = (store: NotifStore, filter: Filter): readonly Notif[] | undefined =>
  typeof filter === 'function'
    ? store.$notifications.get().filter(item => callSafely(true, filter, item))
    : undefined

/**
 * Returns the notifications that count as opened when the element shows its inbox; undefined: all. A bell with the number of the
 * server counts all notifications, so opening it opens all, whatever its filter shows.
 */
export function findVisible(host: InboxElement, store: NotifStore): readonly Notif[] | undefined {
  const { count, unreadBadgeProps } = host as { count?: unknown; unreadBadgeProps?: { count?: unknown } }
  const isOwnCount = !('count' in host) || typeof (unreadBadgeProps?.count ?? count) === 'function'
  return isOwnCount ? filterItems(store, host.filter) : undefined
}

interface Target {
  readonly filter: Filter
  /** Undefined: all notifications that the filter shows. */
  readonly id?: NotifId | undefined
  /** Limits all. */
  readonly scope?: Scope | undefined
}

/** Rejects if the server refuses; the store has undone the change by then. */
export function applyAction(
  store: NotifStore,
  readState: ReadState,
  action: NotifAction,
  { filter, id, scope }: Target
): Promise<unknown> {
  if (action === 'unsnooze') return store.unsnooze([id!])
  // Only for one notification.
  if (action === 'unread') {
    readState.markUnread(id!)
    return store.markAsUnopened([id!])
  }
  const isInScope = ({ type }: Notif): boolean => scope?.types?.includes(type) ?? true
  const shown = filterItems(store, filter)?.filter(isInScope)
  const ids = id === undefined ? shown?.map(item => item.id) : [id]
  const all = scope && store.$notifications.get().filter(isInScope)
  const marked = ids ?? all?.map(item => item.id)
  if (marked) readState.markRead(...marked)
  else readState.markAllRead()
  if (action === 'unarchive') return store.markAsUnarchived(ids!)
  return action.startsWith('archive')
    ? store.markAsArchived(ids ?? 'ALL', scope)
    : store.markAsOpened(ids, scope)
}
