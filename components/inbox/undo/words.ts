// What the line of an action says. Further actions add their words here.

import type { Undoable } from '../../store/types.ts'
import { ARCHIVE, CHECK, CHECK_ALL, MAIL, UNARCHIVE } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'

interface Description {
  readonly icon: string
  readonly words: string
}

export function describe({ formats, messages }: InboxView, { action, count }: Undoable): Description {
  const number = formats.number(count)
  switch (action) {
    case 'archive':
      return { icon: ARCHIVE, words: messages.didArchive }
    case 'archive-all':
      return { icon: ARCHIVE, words: count === 1 ? messages.didArchive : messages.didArchiveAll(number) }
    case 'read-all':
      return { icon: CHECK_ALL, words: count === 1 ? messages.didRead : messages.didReadAll(number) }
    case 'unarchive':
      return { icon: UNARCHIVE, words: messages.didUnarchive }
    case 'unread':
      return { icon: MAIL, words: messages.didUnread }
    default:
      return { icon: CHECK, words: messages.didRead }
  }
}
