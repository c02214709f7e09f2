// The menu in the header of an inbox.

import { PAUSED_BELL_PATH } from '../../core/bell-path.ts'
import { addEnglish } from '../../core/locale.ts'
import { getSound, setSound } from '../../core/on-demand/sound-choice.ts'
import { snoozeMessages } from '../../messages/snooze.en.ts'
import type { NotifPreferencesPopup } from '../../preferences-popup/preferences-popup.ts'
import { ARCHIVE, SETTINGS } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { readKeyboard } from '../base/options.ts'
import { readUserKey } from '../base/user-key.ts'
import { openMenu, type MenuItem } from './open-menu.ts'

const UNDO = 'M7 4.75 3.5 8.25 7 11.75M3.75 8.25h8a4.25 4.25 0 0 1 0 8.5H8.5'
const KEYBOARD =
  'M4.25 4.75h11.5a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H4.25a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2ZM5.4 8.1h.01M8.45 8.1h.01M11.55 8.1h.01M14.6 8.1h.01M6.5 11.9h7'
const SOUND = 'M3 8v4h2.75l4 3.25V4.75L5.75 8ZM12.75 7.4a3.7 3.7 0 0 1 0 5.2M15 5.25a6.75 6.75 0 0 1 0 9.5'

const HOUR_MS = 3_600_000

/** @returns the dialog; undefined if its code could not be loaded, or it is open */
export async function showPreferences(
  { host }: InboxView,
  close?: () => void
): Promise<NotifPreferencesPopup | undefined> {
  try {
    const { openPreferences } = await import('../../preferences-popup/open.ts')
    // First, so that the focus returns to the bell and not into a hidden panel.
    close?.()
    return openPreferences(host)
  } catch (error) {
    console.warn('notif-kit: the preferences could not be loaded.', error)
    return undefined
  }
}

async function showHelp(inbox: InboxView): Promise<void> {
  try {
    const { openHelp } = await import('../help/help.ts')
    await openHelp(inbox)
  } catch (error) {
    console.warn('notif-kit: the help could not be loaded.', error)
  }
}

/**
 * "Archive all" archives all that the server has, so it is offered only where the list shows all of it: in All, and in a tab
 * for some types, whose others stay.
 *
 * @returns undefined: not offered
 */
function createArchiveAll(inbox: InboxView): MenuItem | undefined {
  const { host, messages, store, tab, tabs, view } = inbox
  const isOfTypes = Boolean(tabs.scope?.types?.length)
  if (typeof host.filter === 'function' || (tab !== 'all' && !isOfTypes)) return undefined
  return {
    isDisabled: isOfTypes ? !view?.rows.length : !store || store.$unarchived.get() === 0,
    name: messages.archiveAll,
    path: ARCHIVE,
    run: () => inbox.act('archive-all')
  }
}

function createSound(inbox: InboxView): MenuItem | undefined {
  const user = readUserKey(inbox.host)
  if (!user) return undefined
  const isOn = getSound(user.key, user.config.playSoundOnNewNotification)
  return {
    isChecked: isOn,
    name: inbox.messages.sound,
    path: SOUND,
    run: () => setSound(user.key, !isOn)
  }
}

/** @returns undefined while notifications are paused, and where the pause is not known */
function createPause(inbox: InboxView): MenuItem | undefined {
  const { messages, now, store } = inbox
  // A store that the page wrote itself may have no pause.
  if (store?.$pause?.get()?.isOn !== false) return undefined
  return {
    hint: messages.forOneHour,
    name: messages.pause,
    path: PAUSED_BELL_PATH,
    run: () => inbox.act('pause', undefined, store => store.pause(new Date(now + HOUR_MS)))
  }
}

/** @param close - closes the panel around the inbox; a feed has none */
export function openHeaderMenu(inbox: InboxView, opener: HTMLElement, close?: () => void): Promise<void> {
  // For the line that takes a pause back.
  addEnglish(snoozeMessages)
  return openMenu(inbox, {
    items() {
      const { messages } = inbox
      const archive = createArchiveAll(inbox)
      const options: readonly (MenuItem | undefined)[] = [
        createSound(inbox),
        createPause(inbox),
        {
          name: messages.menuPreferences,
          path: SETTINGS,
          run: () => void showPreferences(inbox, close)
        }
      ]
      const help: MenuItem = {
        key: '?',
        name: messages.keyboard,
        path: KEYBOARD,
        run: () => void showHelp(inbox)
      }
      const undo: MenuItem = {
        key: readKeyboard(inbox.host) ? 'Z' : undefined,
        name: messages.undo,
        path: UNDO,
        run: () => inbox.undo()
      }
      const groups = [
        [inbox.undoing.canUndo ? undo : undefined, archive],
        options,
        readKeyboard(inbox.host) ? [help] : []
      ].map(group => group.filter(item => item !== undefined))
      return groups
        .filter(group => group.length > 0)
        .flatMap((group, groupIndex) =>
          group.map((item, index) => ({ ...item, startsGroup: groupIndex > 0 && index === 0 }))
        )
    },
    label: inbox.messages.menu,
    opener: () => opener
  })
}
