// The menu of a row on touch screens (WAI-ARIA menu button pattern): one Tab stop, arrow keys move within it, and the focus returns
// to the button that opened it.

import { html, type TemplateResult } from 'lit/html.js'

import type { NotifAction } from '../../view/emit.ts'
import { icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'
import { getRowActions } from '../item/item.ts'
import { menu as styles } from './menu.styles.ts'

const getMenuItems = (menu: Element): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role=menuitem]')
]

/** @param button - opens the menu, and has the focus again when it closes */
export async function openMenu(inbox: InboxView, itemId: string, button: HTMLElement): Promise<void> {
  const { host } = inbox
  adoptStyles(host, styles)
  inbox.renderMenu = view => renderMenu(inbox, view, itemId)
  host.requestUpdate()
  await host.updateComplete
  const menu = host.renderRoot.querySelector<HTMLElement>('.menu')
  if (!menu) return
  menu.showPopover({ source: button } as Parameters<HTMLElement['showPopover']>[0])
  getMenuItems(menu)[0]?.focus()
}

// Chromium returns the focus, but not into a shadow root.
function returnFocus({ currentTarget }: Event): void {
  const menu = currentTarget as HTMLElement
  const root = menu.getRootNode() as ShadowRoot
  if (!menu.contains(root.activeElement)) return
  root.getElementById(menu.dataset['of']!)?.querySelector<HTMLElement>('[data-act="more"]')?.focus()
}

function onKeydown(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement
  const items = getMenuItems(menu)
  const index = items.indexOf(event.target as HTMLElement)
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    End: -1,
    Home: 0
  }
  // Closing returns the focus to the button, and Tab continues from there.
  if (event.key === 'Tab') return menu.hidePopover()
  if (!(event.key in targets)) return
  event.preventDefault()
  items.at(targets[event.key]! % items.length)?.focus()
}

function renderMenu(inbox: InboxView, { rows }: ListView, itemId: string): TemplateResult {
  const item = rows.find(({ id }) => id === itemId)
  const onClick = (event: Event): void => {
    const action = (event.target as Element).closest<HTMLElement>('[data-act]')?.dataset['act']
    ;(event.currentTarget as HTMLElement).hidePopover()
    if (item && action) inbox.act(action as NotifAction, item)
  }
  const actions = item ? getRowActions(inbox.messages, item, inbox.isUnread(item)) : []
  return html`<div
    class="menu"
    part="menu"
    popover
    role="menu"
    aria-label=${inbox.messages.more}
    data-of=${itemId}
    @click=${onClick}
    @keydown=${onKeydown}
    @beforetoggle=${returnFocus}
  >
    ${actions.map(
      ({ action, name, path }) =>
        html`<button role="menuitem" tabindex="-1" data-act=${action}>${icon(path)}${name}</button>`
    )}
  </div>`
}
