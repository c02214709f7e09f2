// The header of an inbox: heading, buttons and tabs.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { announceState } from '../../announce/announce-state.ts'
import { renderIconButton } from '../../view/button.ts'
import { CHECK_ALL, CLOSE, icon, MORE } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { Tab } from '../base/select-rows.ts'

// A node of the page may have a `title` too, which is used as well.
export function getTitle({ host: { header }, messages }: InboxView): string {
  const title = (header as { title?: unknown } | undefined)?.title ?? header
  return (typeof title === 'string' && title !== 'none' && title) || messages.title
}

/** A title of the page is in the language of the page, even if the texts beside it are in English. */
export const getTitleLang = (inbox: InboxView): string => {
  const { lang, messagesLang } = inbox.host.language
  return getTitle(inbox) === inbox.messages.title ? messagesLang : lang
}

/** Before the first click, so that the menu opens at once. */
const preloadMenu = (): void => void import('../menu/header-menu.ts').catch(() => {})

let tabKeys: typeof import('./tab-keys.ts') | undefined

const loadTabKeys = async (): Promise<typeof import('./tab-keys.ts')> =>
  (tabKeys ??= await import('./tab-keys.ts'))

/** When the focus comes to the buttons before the tabs, and not when opening focuses the heading. */
function prepareTabKeys({ currentTarget, target }: Event): void {
  if ((target as Element).matches('.heading')) return
  loadTabKeys()
    .then(({ useTabStop }) => useTabStop(currentTarget as Element))
    .catch(() => {})
}

/**
 * The code may still be on its way when the first key is pressed: the key then waits for it, and does not scroll the page. Later keys move
 * the focus at once, because Enter may follow.
 */
function onTabKey(event: KeyboardEvent): void {
  const { altKey, ctrlKey, currentTarget, key, metaKey } = event
  if (altKey || ctrlKey || metaKey || !/^(?:Arrow(?:Left|Right)|End|Home)$/.test(key)) return
  event.preventDefault()
  const row = currentTarget as Element
  if (tabKeys) tabKeys.moveToTab(row, key)
  else
    loadTabKeys()
      .then(({ moveToTab }) => moveToTab(row, key))
      .catch(() => {})
}

function renderMenuButton(inbox: InboxView, close?: () => void): TemplateResult {
  const onClick = async ({ currentTarget }: Event): Promise<void> => {
    try {
      const { openHeaderMenu } = await import('../menu/header-menu.ts')
      await openHeaderMenu(inbox, currentTarget as HTMLElement, close)
    } catch (error) {
      console.warn('notif-kit: the menu could not be loaded.', error)
    }
  }
  return html`<button
    class="icon"
    data-act="menu"
    title=${inbox.messages.menu}
    aria-haspopup="menu"
    aria-expanded="false"
    @click=${onClick}
    @focus=${preloadMenu}
    @pointerenter=${preloadMenu}
  >
    ${icon(MORE)}
  </button>`
}

/** @param name - default: that of a tab which every inbox has */
export function renderTab(
  inbox: InboxView,
  tab: Tab,
  count: number,
  name: unknown = inbox.messages[tab as 'all']
): TemplateResult {
  const number = count > 0 ? html`<span class="num">${` ${inbox.formats.number(count)}`}</span>` : nothing
  const onClick = (): void => {
    inbox.showTab(tab)
    void announceState(inbox.host)
  }
  return html`<button
    class="tab"
    part="tab"
    data-tab=${tab}
    tabindex=${tab === inbox.tab ? 0 : -1}
    aria-pressed=${tab === inbox.tab}
    @click=${onClick}
  >
    ${name}${number}
  </button>`
}

/** @param close - closes the panel around the inbox; a feed has none */
export function renderHeader(
  inbox: InboxView,
  unreadCount: number,
  close?: () => void
): TemplateResult | typeof nothing {
  const { host, messages, tab, tabs } = inbox
  const readable = typeof tab === 'number' ? (tabs.row?.count(tab) ?? 0) : unreadCount
  if (host.header === false || host.header === 'none') return nothing
  return html`<div class="header" part="header" @focusin=${prepareTabKeys}>
    <slot name="header">
      <div class="headline">
        <h2 class="heading" part="heading" tabindex="-1" lang=${getTitleLang(inbox)}>${getTitle(inbox)}</h2>
        <div class="tools">
          ${renderIconButton(messages.readAll, icon(CHECK_ALL), () => inbox.act('read-all'), readable > 0)}
          ${renderMenuButton(inbox, close)}
          ${close ? renderIconButton(messages.close, icon(CLOSE), close, true, 'icon close') : nothing}
        </div>
      </div>
    </slot>
    <div
      class="tabs"
      part="tabs"
      role="toolbar"
      aria-label=${messages.show}
      @focusin=${prepareTabKeys}
      @keydown=${onTabKey}
    >
      ${tabs.row?.render(unreadCount) ?? tabs.all.map(tab => renderTab(inbox, tab, tab === 'unread' ? unreadCount : 0))}
    </div>
  </div>`
}
