// The menu that snoozes a notification: three times, and a field for any other.

import { addEnglish, toLanguageTag } from '../../core/locale.ts'
import { snoozeMessages } from '../../messages/snooze.en.ts'
import type { Notif } from '../../protocol/index.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { formatUntil, selectSnoozeTimes } from '../base/snooze-times.ts'
import { findRowOpener } from './find-opener.ts'
import { openMenu, type MenuItem } from './open-menu.ts'

const LATER =
  'M2.5 15.25h15M5.5 15.25a4.5 4.5 0 0 1 9 0M10 3.5v3.75M8.1 5.6 10 7.5l1.9-1.9M3.6 9.9l.9.9M16.4 9.9l-.9.9'
const TOMORROW =
  'M2.5 15.25h15M5.5 15.25a4.5 4.5 0 0 1 9 0M10 7.5V3.75M8.1 5.4 10 3.5l1.9 1.9M3.6 9.9l.9.9M16.4 9.9l-.9.9'
const CALENDAR =
  'M4.75 4.25h10.5a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-8.5a2 2 0 0 1 2-2ZM2.75 8.25h14.5M6.5 2.5v3.25M13.5 2.5v3.25'
const WEEK = `${CALENDAR}M7.25 12.5h5.25M10.75 10.75l1.75 1.75-1.75 1.75`

/** The line of the action is for this notification. The page may prevent it. */
function snooze(inbox: InboxView, item: Notif, until: Date): void {
  inbox.act('snooze', item, store => store.snooze([item.id], until))
}

export function openSnoozeMenu(inbox: InboxView, item: Notif): Promise<void> {
  addEnglish(snoozeMessages)
  const pick = async (): Promise<void> => {
    try {
      const { openPicker } = await import('./snooze-picker.ts')
      await openPicker(inbox, item, until => snooze(inbox, item, until))
    } catch (error) {
      console.warn('notif-kit: the fields of a snooze could not be loaded.', error)
    }
  }
  return openMenu(inbox, {
    get heading() {
      return inbox.messages.snoozeUntil
    },
    items() {
      const { messages, now } = inbox
      const { later, nextWeek, tomorrow } = selectSnoozeTimes(now)
      const lang = toLanguageTag(inbox.host.language.messagesLang)
      const toItem = (name: string, path: string, until: Date | undefined): readonly MenuItem[] =>
        until
          ? [{ hint: formatUntil(until, now, lang), name, path, run: () => snooze(inbox, item, until) }]
          : []
      return [
        ...toItem(messages.laterToday, LATER, later),
        ...toItem(messages.tomorrow, TOMORROW, tomorrow),
        ...toItem(messages.nextWeek, WEEK, nextWeek),
        { name: messages.pickTime, path: CALENDAR, run: () => void pick(), startsGroup: true }
      ]
    },
    label: inbox.messages.snooze,
    opener: () => findRowOpener(inbox, item, 'snooze')
  })
}
