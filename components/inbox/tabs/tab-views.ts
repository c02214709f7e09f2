// The views behind the tabs of the page and behind Snoozed: their rows and their numbers.

import type { Notif } from '../../protocol/index.ts'
import type { NotifStore, View } from '../../store/types.ts'
import type { InboxTab } from '../base/inbox-element.ts'
import type { Tab } from '../base/select-rows.ts'

export class TabViews {
  readonly tabs: readonly InboxTab[]
  readonly #store: NotifStore
  readonly #onChange: () => void
  readonly #views = new Map<Tab, View>()
  readonly #ends: (() => void)[] = []

  /** @param onChange - called after each change of rows or numbers */
  constructor(store: NotifStore, tabs: readonly InboxTab[], onChange: () => void) {
    this.tabs = tabs
    this.#store = store
    this.#onChange = onChange
    for (const [index, { tags, types }] of tabs.entries()) {
      // Only their numbers, until a tab is chosen.
      this.#open(index, store.openView({ initialItems: 0, tags, types, view: 'inbox' }))
    }
  }

  /** Returns the view of a tab; undefined: the tab shows the list of the store. */
  get(tab: Tab): View | undefined {
    if (tab === 'snoozed' && !this.#views.has(tab)) this.#open(tab, this.#store.openView({ view: 'snoozed' }))
    return this.#views.get(tab)
  }

  /** Unread notifications of a tab of the page, or snoozed ones. */
  count(tab: Tab): number {
    return tab === 'snoozed' ? this.#store.$snoozed.get() : (this.#views.get(tab)?.$count.get() ?? 0)
  }

  items(tab: Tab): readonly Notif[] | undefined {
    return this.get(tab)?.$items.get()
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#views.clear()
  }

  #open(tab: Tab, view: View): void {
    this.#views.set(tab, view)
    const { $count, $items, $loading, $types } = view
    for (const $value of [$count, $items, $loading, $types]) this.#ends.push($value.listen(this.#onChange))
    this.#ends.push(() => view.close())
  }
}
