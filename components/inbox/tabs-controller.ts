// The tabs of an inbox and the one that is chosen. The code of tabs beside All, Unread and Archived is loaded when there are some.

import type { ReactiveController } from '@lit/reactive-element'

import type { Notif } from '../protocol/index.ts'
import type { NotifStore, Scope, View } from '../store/types.ts'
import type { InboxView } from './base/inbox-view.ts'
import { readFilter } from './base/options.ts'
import { selectTabs, type Tab } from './base/select-rows.ts'
import type { TabRow } from './tabs/tab-row.ts'

export class TabsController implements ReactiveController {
  /** Undefined: no other tabs than those of `selectTabs`. */
  row: TabRow | undefined
  readonly #inbox: InboxView
  #chosen: Tab = 'all'
  #isViewed = false
  #isLoading = false

  constructor(inbox: InboxView) {
    this.#inbox = inbox
    inbox.host.addController(this)
  }

  get all(): readonly Tab[] {
    return this.row?.tabs ?? selectTabs(readFilter(this.#inbox.host))
  }

  get current(): Tab {
    return this.all.includes(this.#chosen) ? this.#chosen : 'all'
  }

  /** The view of the chosen tab; undefined: it shows the list of the store. */
  get view(): View | undefined {
    return this.row?.views?.get(this.current)
  }

  /** What "all" means in the chosen tab. */
  get scope(): Scope | undefined {
    return typeof this.current === 'number' ? { types: this.view?.$types.get() ?? [] } : undefined
  }

  get viewItems(): readonly Notif[] | undefined {
    return this.view?.$items.get()
  }

  choose(tab: Tab): void {
    this.#chosen = tab
  }

  /** Loads the next rows of the chosen tab. */
  loadMore(minItems?: number): void {
    void (this.view?.loadMore() ?? this.#inbox.store?.loadMore(minItems))
  }

  /** Repeats the request of the chosen tab that failed. */
  reload(store: NotifStore): void {
    void (this.view?.loadMore() ?? store.reload())
  }

  start(): void {
    this.#isViewed = true
  }

  stop(): void {
    this.#isViewed = false
    this.row?.close()
  }

  hostUpdate(): void {
    const { host, options, store } = this.#inbox
    if (!store || options.sourceItems || !this.#isViewed) return this.row?.close()
    if (this.row) this.row.update(store)
    else if (!this.#isLoading && (host.tabs || store.$snoozed.get() > 0)) void this.#load()
  }

  hostDisconnected(): void {
    this.row?.close()
  }

  /** If the code cannot be loaded, the inbox works without these tabs, and the next update tries again. */
  async #load(): Promise<void> {
    this.#isLoading = true
    try {
      const { TabRow } = await import('./tabs/tab-row.ts')
      this.row = new TabRow(this.#inbox)
      this.#inbox.host.requestUpdate()
    } catch {
      this.#isLoading = false
    }
  }
}
