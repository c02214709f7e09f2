// Which notifications look unread.
//
// A notification is read when the user follows it, acts on it or marks it. With `mark-opened="open"` the server marks all as opened
// when the inbox opens; rows that were new keep their mark until it closes, so that the user sees what is new.

import type { Notif, NotifId } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'

export class ReadState {
  /** Opened during this view, still shown as unread. */
  readonly #newlyOpened = new Set<NotifId>()
  /** Marked as unread by the user, so this view does not open them again. */
  readonly #markedUnread = new Set<NotifId>()
  /** The user can see the inbox. If it is out of sight for a while, what was new stays new. */
  isViewed = false
  #areAllOpened = false

  reset(): void {
    this.#areAllOpened = false
    this.markAllRead()
  }

  /** What marks follow. */
  fact: 'read' | 'seen' = 'read'

  isUnread = ({ archived, id, opened, seen, snoozedUntil }: Notif): boolean =>
    !archived && !snoozedUntil && (!(opened || (this.fact === 'seen' && seen)) || this.#newlyOpened.has(id))

  /** Returns how many notifications the server knows as opened and the user sees as unread. */
  countNewlyOpened(items: readonly Notif[]): number {
    return items.filter(item => item.opened && this.isUnread(item)).length
  }

  /**
   * Marks what the user sees as opened. The first time in a view these are all notifications, loaded or not.
   *
   * @param visible - if only these are shown
   */
  async openVisible(store: NotifStore, visible?: readonly Notif[]): Promise<void> {
    if (!this.isViewed || document.hidden || store.$loading.get().state !== 'ready') return
    const unopened = (visible ?? store.$notifications.get()).filter(
      ({ archived, id, opened, snoozedUntil }) =>
        !opened && !archived && !snoozedUntil && !this.#newlyOpened.has(id) && !this.#markedUnread.has(id)
    )
    for (const { id } of unopened) this.#newlyOpened.add(id)
    const ids = visible || this.#areAllOpened ? unopened.map(({ id }) => id) : undefined
    this.#areAllOpened = true
    if (ids?.length !== 0) await store.markAsOpened(ids)
  }

  markRead(...ids: readonly NotifId[]): void {
    for (const id of ids) {
      this.#newlyOpened.delete(id)
      this.#markedUnread.delete(id)
    }
  }

  markAllRead(): void {
    this.#newlyOpened.clear()
    this.#markedUnread.clear()
  }

  markUnread(id: NotifId): void {
    this.#newlyOpened.delete(id)
    this.#markedUnread.add(id)
  }
}
