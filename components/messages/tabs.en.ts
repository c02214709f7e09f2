// The texts of tabs for some types and of snoozed notifications.

import { plural } from './plural.ts'

export const tabMessages = {
  snoozed: 'Snoozed',
  /** The button that opens the menu of the other tabs. */
  moreTabs: 'More',
  /** The title of an empty tab that the page names. */
  emptyTabTitle: (label: string) => `Nothing in “${label}”`,
  /** Other notifications than those of an empty tab. */
  othersUnread: plural('en', { one: '# other is unread.', other: '# others are unread.' }),
  showAll: 'Show all',
  emptySnoozedTitle: 'Nothing snoozed',
  emptySnoozedText: 'Notifications you snooze wait here.',
  /** Tools of a snoozed row. */
  unsnooze: 'Bring back now',
  /** Changes the time of a snooze. */
  snoozeAgain: 'Another time'
}
