// The menu of a row on touch screens.

import type { InboxView } from '../base/inbox-view.ts'
import { getRowActions } from '../item/item.ts'
import { openMenu } from './open-menu.ts'

export function openRowMenu(inbox: InboxView, itemId: string): Promise<void> {
  const root = inbox.host.renderRoot as ShadowRoot
  return openMenu(inbox, {
    items() {
      const item = inbox.view?.rows.find(({ id }) => id === itemId)
      const actions = item ? getRowActions(inbox.messages, item, inbox.isUnread(item)) : []
      return actions.map(({ action, name, path }) => ({ name, path, run: () => inbox.act(action, item) }))
    },
    label: inbox.messages.more,
    opener: () => root.getElementById(itemId)?.querySelector<HTMLElement>('[data-act="more"]')
  })
}
