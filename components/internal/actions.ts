// What a person's action means for the store, and for what still looks unread.

import type { NotifId } from '../protocol/index.ts'
import type { NotifStore } from '../store/index.ts'
import { ask } from './ask.ts'
import type { NotifAction } from './emit.ts'
import type { Filter } from './inbox-element.ts'
import type { Seen } from './seen.ts'

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

/** As {@link actOn}. A filter of the page's own hides the rest, and nobody means what he cannot see. */
export function actOnAll(
  store: NotifStore,
  seen: Seen,
  action: NotifAction,
  filter: Filter
): Promise<unknown> {
  const ids =
    typeof filter === 'function'
      ? store.$notifications
          .get()
          .filter(item => ask(true, filter, item))
          .map(({ id }) => id)
      : undefined
  if (ids) seen.read(...ids)
  else seen.readAll()
  return action === 'archive-all' ? store.markAsArchived(ids ?? 'ALL') : store.markAsOpened(ids)
}
