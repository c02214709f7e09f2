// The menu of a row on touch screens (WAI-ARIA menu button pattern): one stop of Tab, arrows go round in it, and the focus
// comes back to the button that opened it.

import { html, type TemplateResult } from 'lit/html.js'

import type { Notif } from '../../protocol/index.ts'
import { icon } from '../../view/icons.ts'
import type { Inbox } from '../controller.ts'
import { actionsOf } from '../item/item.ts'
import type { Answer } from '../list/select-rows.ts'

const itemsOf = (menu: Element): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role=menuitem]')
]

export function openMenu(inbox: Inbox, { id }: Notif, button: HTMLElement): void {
  const menu = inbox.host.renderRoot.querySelector<HTMLElement>('.menu')
  if (!menu) return
  inbox.menuFor = id
  inbox.host.requestUpdate()
  menu.showPopover({ source: button } as Parameters<HTMLElement['showPopover']>[0])
  void inbox.host.updateComplete.then(() => itemsOf(menu)[0]?.focus())
}

// Chromium gives the focus back by itself, but not into a shadow root.
function leaveMenu({ currentTarget }: Event): void {
  const menu = currentTarget as HTMLElement
  const root = menu.getRootNode() as ShadowRoot
  if (!menu.contains(root.activeElement)) return
  root.getElementById(menu.dataset['of']!)?.querySelector<HTMLElement>('[data-act="more"]')?.focus()
}

function onKey(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement
  const items = itemsOf(menu)
  const at = items.indexOf(event.target as HTMLElement)
  const next: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    End: -1,
    Home: 0
  }
  // Tab goes on from the button, which has the focus again by then.
  if (event.key === 'Tab') return menu.hidePopover()
  if (!(event.key in next)) return
  event.preventDefault()
  items.at(next[event.key]! % items.length)?.focus()
}

export function menuTemplate(inbox: Inbox, { rows }: Answer): TemplateResult {
  const item = rows.find(({ id }) => id === inbox.menuFor)
  const act = (event: Event): void => {
    const action = (event.target as Element).closest<HTMLElement>('[data-act]')?.dataset['act']
    ;(event.currentTarget as HTMLElement).hidePopover()
    if (item && action) inbox.act(action as Parameters<Inbox['act']>[0], item)
  }
  const actions = item ? actionsOf(inbox.words, item, inbox.seen.isUnread(item)) : []
  return html`<div
    class="menu"
    part="menu"
    popover
    role="menu"
    aria-label=${inbox.words.more}
    data-of=${inbox.menuFor ?? ''}
    @click=${act}
    @keydown=${onKey}
    @beforetoggle=${leaveMenu}
  >
    ${actions.map(
      ({ act, name, path }) =>
        html`<button role="menuitem" tabindex="-1" data-act=${act}>${icon(path)}${name}</button>`
    )}
  </div>`
}
