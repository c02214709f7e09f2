// The menu of a row on touch screens.

import type { Notif } from '../../protocol/index.ts'
import type { NotifAction } from '../../view/emit.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { getRowActions } from '../item/item.ts'
import { findRowOpener } from './find-opener.ts'
import { openMenu } from './open-menu.ts'

/** @param openOther - opens the menu of an action; returns false if it has none */
export function openRowMenu(
  inbox: InboxView,
  { id }: Notif,
  openOther: (inbox: InboxView, act: string, item: Notif) => boolean
): Promise<void> {
  return openMenu(inbox, {
    items() {
      const item = inbox.view?.rows.find(one => one.id === id)
      if (!item) return []
      return getRowActions(inbox, item, inbox.isUnread(item)).map(({ action, name, path }) => ({
        name,
        path,
        run: () => openOther(inbox, action, item) || inbox.act(action as NotifAction, item)
      }))
    },
    label: inbox.messages.more,
    opener: () => findRowOpener(inbox, { id }, 'more')
  })
}
