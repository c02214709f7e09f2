// The row of tabs with those of the page. What does not fit, Snoozed and Archived are in the menu More.

import type { ReactiveController } from '@lit/reactive-element'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { announceState } from '../../announce/announce-state.ts'
import { addEnglish } from '../../core/locale.ts'
import { tabMessages } from '../../messages/tabs.en.ts'
import type { NotifStore } from '../../store/types.ts'
import { BELL, renderEmptyState } from '../../view/empty-state.ts'
import { ARCHIVE, CLOCK, icon } from '../../view/icons.ts'
import { adoptStyles, repeat } from '../../view/render.ts'
import type { InboxTab } from '../base/inbox-element.ts'
import type { InboxView, TabRowView } from '../base/inbox-view.ts'
import { readFilter } from '../base/options.ts'
import { selectTabs, type Tab } from '../base/select-rows.ts'
import { renderTab } from '../header/header.ts'
import { openMenu, type MenuItem } from '../menu/open-menu.ts'
import { readTabs } from './read-tabs.ts'
import { tabRow as styles } from './tab-row.styles.ts'
import { TabViews } from './tab-views.ts'

const DOWN = 'm6.5 8.25 3.5 3.5 3.5-3.5'
const LIST = 'M3.75 5.75h12.5M3.75 10h12.5M3.75 14.25h8'

const PATHS: Partial<Readonly<Record<Tab, string>>> = { archived: ARCHIVE, snoozed: CLOCK }

export class TabRow implements ReactiveController, TabRowView {
  views: TabViews | undefined
  readonly #inbox: InboxView
  #store: NotifStore | undefined
  /** Of the page. */
  #own: readonly InboxTab[] = []
  #ownValue: unknown
  /** Tabs that do not fit into the row. */
  readonly #wrapped = new Set<Tab>()
  #observer: IntersectionObserver | undefined
  readonly #observed = new Set<Element>()

  constructor(inbox: InboxView) {
    this.#inbox = inbox
    addEnglish(tabMessages)
    adoptStyles(inbox.host, styles)
    inbox.host.addController(this)
  }

  get #inRow(): readonly Tab[] {
    const own = this.#own.map((_, index) => index)
    const basic = selectTabs(readFilter(this.#inbox.host))
    return own.length > 0 ? ['all', 'unread', ...own] : basic
  }

  /** Always in the menu. */
  get #inMenu(): readonly Tab[] {
    const hasOwn = this.#own.length > 0
    const isSnoozed = hasOwn || (this.#store?.$snoozed.get() ?? 0) > 0 || this.#inbox.tab === 'snoozed'
    const isArchived = hasOwn && readFilter(this.#inbox.host) === 'ALL'
    return [...(isSnoozed ? ['snoozed' as const] : []), ...(isArchived ? ['archived' as const] : [])]
  }

  get tabs(): readonly Tab[] {
    return [...this.#inRow, 'snoozed', 'archived']
  }

  count(tab: Tab): number {
    return this.views?.count(tab) ?? 0
  }

  /** Opens the views of the tabs, and opens them again if the store or the tabs of the page are others. */
  update(store: NotifStore): void {
    const { host } = this.#inbox
    if (this.views && store === this.#store && host.tabs === this.#ownValue) return
    this.close()
    this.#store = store
    this.#ownValue = host.tabs
    this.#own = readTabs(host)
    this.views = new TabViews(store, this.#own, () => host.requestUpdate())
  }

  close(): void {
    this.views?.close()
    this.views = undefined
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    this.#observer = undefined
    this.#observed.clear()
  }

  hostUpdated(): void {
    const row = this.#inbox.host.renderRoot.querySelector('.tab-row')
    if (!row) return this.hostDisconnected()
    const observer = this.#observe(row)
    const found = new Set(row.querySelectorAll('.tab'))
    for (const tab of this.#observed) {
      if (found.has(tab)) continue
      observer.unobserve(tab)
      this.#observed.delete(tab)
    }
    for (const tab of found) {
      if (this.#observed.has(tab)) continue
      this.#observed.add(tab)
      observer.observe(tab)
    }
  }

  /** Compares with the row, not with the window: a row that is out of sight has its tabs as well. */
  #observe(row: Element): IntersectionObserver {
    if (this.#observer?.root === row) return this.#observer
    this.hostDisconnected()
    this.#observer = new IntersectionObserver(entries => this.#onFit(entries), { root: row, threshold: 0.5 })
    return this.#observer
  }

  render(unreadCount: number): TemplateResult {
    const inbox = this.#inbox
    return html`<div class="tab-row">
        ${repeat(
          this.#inRow,
          tab => tab,
          tab => renderTab(inbox, tab, tab === 'unread' ? unreadCount : this.count(tab), this.#nameOf(tab))
        )}
      </div>
      ${this.#renderMore()}`
  }

  renderEmpty(tab: Tab): TemplateResult | undefined {
    const { messages, store } = this.#inbox
    if (tab === 'snoozed')
      return renderEmptyState(BELL, messages.emptySnoozedTitle, messages.emptySnoozedText)
    if (typeof tab !== 'number') return undefined
    const others = store?.$unopened.get() ?? 0
    const showAll = html`<button class="btn" @click=${() => this.#choose('all')}>${messages.showAll}</button>`
    return renderEmptyState(
      BELL,
      messages.emptyTabTitle(this.#own[tab]!.label),
      others > 0 ? messages.othersUnread(others) : messages.emptyText,
      showAll
    )
  }

  #nameOf(tab: Tab): string {
    return typeof tab === 'number' ? this.#own[tab]!.label : this.#inbox.messages[tab]
  }

  /** Tabs of the menu: what does not fit, then what is always there. */
  #menuTabs(): readonly (readonly Tab[])[] {
    return [this.#inRow.filter(tab => this.#wrapped.has(tab)), this.#inMenu]
  }

  #renderMore(): TemplateResult | typeof nothing {
    const { messages, tab } = this.#inbox
    const tabs = this.#menuTabs().flat()
    if (tabs.length === 0) return nothing
    const isChosen = tabs.includes(tab)
    return html`<button
      class="tab tab-more"
      part="tab"
      tabindex=${isChosen ? 0 : -1}
      aria-haspopup="menu"
      aria-expanded="false"
      aria-pressed=${isChosen}
      @click=${() => void this.#openMenu()}
    >
      ${isChosen ? this.#nameOf(tab) : messages.moreTabs}${icon(DOWN, 'small')}
    </button>`
  }

  #openMenu(): Promise<void> {
    const { formats, host, messages } = this.#inbox
    return openMenu(this.#inbox, {
      items: () =>
        this.#menuTabs().flatMap((group, groupIndex, groups) =>
          group.map((tab, index): MenuItem => {
            const count = this.count(tab)
            return {
              hint: count > 0 ? formats.number(count) : undefined,
              name: this.#nameOf(tab),
              path: PATHS[tab] ?? LIST,
              run: () => this.#choose(tab),
              startsGroup: groupIndex > 0 && index === 0 && groups[0]!.length > 0
            }
          })
        ),
      label: messages.show,
      opener: () => host.renderRoot.querySelector<HTMLElement>('.tab-more')
    })
  }

  #choose(tab: Tab): void {
    this.#inbox.showTab(tab)
    void announceState(this.#inbox.host)
  }

  // A tab on the second line of the row is out of sight; there it takes neither focus nor clicks.
  #onFit(entries: readonly IntersectionObserverEntry[]): void {
    for (const { boundingClientRect, isIntersecting, target } of entries) {
      if (!target.isConnected || boundingClientRect.width === 0) continue
      const { tab } = (target as HTMLElement).dataset
      const name = (/^\d+$/.test(tab!) ? Number(tab) : tab) as Tab
      target.toggleAttribute('data-wrapped', !isIntersecting)
      if (isIntersecting) this.#wrapped.delete(name)
      else this.#wrapped.add(name)
    }
    this.#inbox.host.requestUpdate()
  }
}
