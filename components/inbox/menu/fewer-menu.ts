// The menu that makes the type of a notification quieter: off, once a day, or whatever its settings offer.

import { addEnglish } from '../../core/locale.ts'
import { snoozeMessages } from '../../messages/snooze.en.ts'
import type { Notif } from '../../protocol/index.ts'
import { findQuiet } from '../../store/preferences/quiet.ts'
import type { NotifStore } from '../../store/types.ts'
import { SETTINGS } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { BELL_OFF, STACK } from './fewer-icons.ts'
import { findRowOpener } from './find-opener.ts'
import { focusType } from './focus-type.ts'
import { openMenu, type MenuItem } from './open-menu.ts'
import { findTypeTitle, readPreferences } from './type-title.ts'

/** Without a network the menu offers everything, and the store finds out later what the user may choose. */
const MAX_WAIT_MS = 1000

/** Reads the preferences until the returned function is called. */
const followPreferences = ({ $preferences }: NotifStore, onChange: () => void): Promise<() => void> =>
  new Promise(resolve => {
    const stop = $preferences.listen(({ state }) => {
      onChange()
      if (state !== 'busy') resolve(stop)
    })
    if ($preferences.get().state === 'busy') setTimeout(resolve, MAX_WAIT_MS, stop)
    else resolve(stop)
  })

/** The line of the action is for this notification, which leaves the list. The page may prevent it. */
const choose = (inbox: InboxView, item: Notif, action: 'digest' | 'mute'): void =>
  inbox.act(action, item, store => store[action](item.type, [item.id]))

async function showSettings(inbox: InboxView, type: string): Promise<void> {
  const { showPreferences } = await import('./header-menu.ts')
  const dialog = await showPreferences(inbox, () => inbox.host.onLinkFollowed())
  if (dialog) focusType(dialog, type)
}

function listItems(inbox: InboxView, store: NotifStore, item: Notif): readonly MenuItem[] {
  const { messages } = inbox
  const preferences = readPreferences(store)
  const items = [
    {
      action: 'mute',
      name: messages.turnOff,
      path: BELL_OFF,
      quiet: 'off',
      text: messages.turnOffText
    },
    {
      action: 'digest',
      name: messages.onceADay,
      path: STACK,
      quiet: 'daily',
      text: messages.onceADayText
    }
  ] as const
  const offered = items.filter(({ quiet }) => !preferences || findQuiet(preferences, item.type, quiet))
  return [
    ...offered.map(({ action, name, path, text }) => ({
      name,
      path,
      run: () => choose(inbox, item, action),
      text
    })),
    {
      name: messages.typeSettings,
      path: SETTINGS,
      run: () => void showSettings(inbox, item.type).catch(console.warn),
      startsGroup: offered.length > 0
    }
  ]
}

export async function openFewerMenu(inbox: InboxView, item: Notif): Promise<void> {
  const { host, store } = inbox
  if (!store) return
  addEnglish(snoozeMessages)
  const stop = await followPreferences(store, () => host.requestUpdate())
  await openMenu(inbox, {
    get heading() {
      return findTypeTitle(store, item.type)
    },
    items: () => listItems(inbox, store, item),
    label: inbox.messages.fewer,
    onClose: stop,
    opener: () => findRowOpener(inbox, item, 'fewer')
  })
}
