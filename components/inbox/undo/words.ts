// What the line of an action says. Further actions add their words here.

import { PAUSED_BELL_PATH } from '../../core/bell-path.ts'
import { addEnglish, toLanguageTag } from '../../core/locale.ts'
import { snoozeMessages } from '../../messages/snooze.en.ts'
import type { Undoable } from '../../store/types.ts'
import { ARCHIVE, CHECK, CHECK_ALL, CLOCK, MAIL, UNARCHIVE } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { describeUntil } from '../base/snooze-times.ts'
import { BELL_OFF, STACK } from '../menu/fewer-icons.ts'
import { findTypeTitle } from '../menu/type-title.ts'

interface Description {
  readonly icon: string
  readonly words: string
}

function describeEnd({ host, messages, now }: InboxView, until: string): string {
  const lang = toLanguageTag(host.language.messagesLang)
  return describeUntil(new Date(until), now, lang, messages.dayAndTime)
}

export function describe(inbox: InboxView, { action, count, type, until }: Undoable): Description {
  addEnglish(snoozeMessages)
  const { formats, messages } = inbox
  const number = formats.number(count)
  switch (action) {
    case 'archive':
      return { icon: ARCHIVE, words: messages.didArchive }
    case 'archive-all':
      return { icon: ARCHIVE, words: count === 1 ? messages.didArchive : messages.didArchiveAll(number) }
    case 'pause':
      return { icon: PAUSED_BELL_PATH, words: messages.didPause(describeEnd(inbox, until!)) }
    case 'read-all':
      return { icon: CHECK_ALL, words: count === 1 ? messages.didRead : messages.didReadAll(number) }
    case 'digest':
      return { icon: STACK, words: messages.didDigest }
    case 'mute':
      return { icon: BELL_OFF, words: messages.didMute(findTypeTitle(inbox.store!, type!)) }
    case 'snooze':
      return { icon: CLOCK, words: messages.didSnooze(describeEnd(inbox, until!)) }
    case 'unarchive':
      return { icon: UNARCHIVE, words: messages.didUnarchive }
    case 'unread':
      return { icon: MAIL, words: messages.didUnread }
    default:
      return { icon: CHECK, words: messages.didRead }
  }
}
