// What counts as opened, and what still looks unread.
//
// Opening an inbox tells the server that everything in it was opened, so the badge is empty at once. The rows that
// were new to the person keep their marks until the inbox closes: otherwise nobody could see what is new.

import type { Notif, NotifId } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'

export class Seen {
  /** Opened by this very look, still shown as unread. */
  readonly #fresh = new Set<NotifId>()
  /** Set to unread by hand: not to be opened again by the same look. */
  readonly #kept = new Set<NotifId>()
  /** Somebody looks at the inbox. */
  looking = false
  #all = false

  /** Somebody looks at the inbox from now on. */
  start(): void {
    this.looking = true
  }

  /** Nobody sees it for a while: what was new to him still is when he does. */
  pause(): void {
    this.looking = false
  }

  end(): void {
    this.pause()
    this.renew()
  }

  /** Looked at is something else from now on. */
  renew(): void {
    this.#all = false
    this.readAll()
  }

  isUnread = (item: Notif): boolean => !item.archived && (!item.opened || this.#fresh.has(item.id))

  /** Those that the server holds for opened and the person still sees as unread. */
  count(items: readonly Notif[]): number {
    return items.filter(item => item.opened && this.isUnread(item)).length
  }

  /**
   * Tells the server what is on the screen now; the first time of a look that is everything, loaded or not.
   *
   * @param own - that is all that is looked at
   */
  async look(store: NotifStore, own?: readonly Notif[]): Promise<void> {
    if (!this.looking || document.hidden || store.$loading.get().state !== 'ready') return
    const news = (own ?? store.$notifications.get()).filter(
      ({ archived, id, opened }) => !opened && !archived && !this.#fresh.has(id) && !this.#kept.has(id)
    )
    for (const { id } of news) this.#fresh.add(id)
    const ids = own || this.#all ? news.map(({ id }) => id) : undefined
    this.#all = true
    if (ids?.length !== 0) await store.markAsOpened(ids)
  }

  /** Marks by hand. */
  read(...ids: readonly NotifId[]): void {
    for (const id of ids) {
      this.#fresh.delete(id)
      this.#kept.delete(id)
    }
  }

  readAll(): void {
    this.#fresh.clear()
    this.#kept.clear()
  }

  unread(id: NotifId): void {
    this.#fresh.delete(id)
    this.#kept.add(id)
  }
}
