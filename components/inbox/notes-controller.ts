// Loads the line about a pause while there is one, and the row about web push where it can be offered.

import type { ReactiveController } from '@lit/reactive-element'

import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'
import type { InboxView } from './base/inbox-view.ts'
import type { PushRow } from './notes/push-row.ts'

export class NotesController implements ReactiveController {
  /** Undefined until there is a pause. */
  renderPaused: (() => unknown) | undefined
  /** Undefined unless web push can be offered. */
  pushRow: PushRow | undefined
  readonly #inbox: InboxView
  #isViewed = false
  #hasLooked = false
  #isLoading = false
  #store: NotifStore | undefined

  constructor(inbox: InboxView) {
    this.#inbox = inbox
    inbox.host.addController(this)
    // A store that the page wrote itself may have no pause.
    inbox.host.source.add(({ $pause }, onChange) => ($pause ? [$pause.listen(onChange)] : []))
  }

  startViewing(): void {
    this.#isViewed = true
  }

  stopViewing(): void {
    this.#isViewed = this.#hasLooked = false
  }

  hostUpdate(): void {
    const { store } = this.#inbox
    if (store !== this.#store) this.#forget(store)
    if (store?.$pause?.get()?.isOn && !this.renderPaused && !this.#isLoading) void this.#loadPaused()
    if (!store || !this.#isViewed || this.#hasLooked || !this.#hasNews(store)) return
    this.#hasLooked = true
    void this.#offerPush(store)
  }

  /** Not before the connection is open: what the browser stored is older. */
  #hasNews(store: NotifStore): boolean {
    // What opening has marked just now still looks unread.
    const isNews = (item: Notif): boolean =>
      !item.archived && (item.opened ? this.#inbox.isUnread(item) : !item.seen)
    return (
      store.$connection.get().state === 'online' &&
      store.$loading.get().state === 'ready' &&
      store.$notifications.get().some(isNews)
    )
  }

  /** Another user. */
  #forget(store: NotifStore | undefined): void {
    this.#store = store
    this.pushRow = undefined
    this.#hasLooked = false
  }

  /** If the code cannot be loaded, the inbox works without the line, and the next update tries again. */
  async #loadPaused(): Promise<void> {
    this.#isLoading = true
    try {
      const { createPausedNote } = await import('./notes/paused.ts')
      this.renderPaused = createPausedNote(this.#inbox)
      this.#inbox.host.requestUpdate()
    } catch {
      this.#isLoading = false
    }
  }

  async #offerPush(store: NotifStore): Promise<void> {
    const { host } = this.#inbox
    if (globalThis.Notification?.permission !== 'default') return
    if (/off|false/.test(`${host.source.context?.webPushOptInMessage}`)) return
    try {
      const { PushRow } = await import('./notes/push-row.ts')
      this.pushRow ??= new PushRow(this.#inbox)
      await this.pushRow.look(store)
    } catch {
      // If the code cannot be loaded, the inbox works without the row.
    }
  }
}
