// The texts of an inbox, which load when an inbox opens.

import { bellMessages } from './bell.en.ts'
import { countMessages } from './count.en.ts'

export const inboxMessages = {
  ...bellMessages,
  ...countMessages,

  show: 'Show',
  all: 'All',
  unread: 'Unread',
  archived: 'Archived',
  readAll: 'Mark all as read',
  archiveAll: 'Archive all',
  preferences: 'Notification preferences',
  close: 'Close',
  read: 'Mark as read',
  markUnread: 'Mark as unread',
  archive: 'Archive',
  unarchive: 'Move to inbox',
  more: 'More',
  snooze: 'Snooze',
  /** Makes the type of a notification quieter. */
  fewer: 'Fewer like this',
  /** Screen readers hear this after the title of a link. */
  newTab: '(opens in a new tab)',
  /** Screen readers hear this before the time of an unread notification. */
  unreadFlag: 'Unread.',

  now: 'now',
  today: 'Today',
  earlier: 'Earlier',
  end: 'No more notifications',
  loading: 'Loading',
  emptyTitle: 'All caught up',
  emptyText: 'New notifications appear here automatically.',
  emptyUnreadTitle: 'Nothing unread',
  emptyUnreadText: 'New notifications appear here until you read them.',
  emptyArchivedTitle: 'Nothing archived',
  emptyArchivedText: 'Notifications you archive appear here.',
  errorTitle: 'Your notifications did not load',
  errorText: 'Try again. If that does not help, check your connection.',
  moreErrorTitle: 'Some notifications did not load',
  refusedTitle: 'Your notifications cannot be shown',
  refusedText: 'Reload the page, or sign in again.',
  retry: 'Try again',
  offlineTitle: 'Offline.',
  unreachableTitle: 'Not connected.',
  offlineText: (time: string) => `As of ${time}.`,
  notSaved: 'Your change could not be saved and was undone.',

  /** Name of the button that opens the menu of the inbox. */
  menu: 'Menu',
  /** Heading of what came since the last look. */
  newSection: 'New',
  /** Screen readers hear this before the time of a notification that was not in sight yet. */
  newFlag: 'New.',
  earlierToday: 'Earlier today',
  /** The button that scrolls to notifications which arrived above the visible rows. */
  newItems: countMessages.counterNew,
  /** The button that scrolls to new notifications below the visible rows. */
  moreNew: (n: string) => `${n} more new`,

  pages: 'Pages',
  page: (n: string) => `Page ${n}`,
  previous: 'Previous page',
  next: 'Next page',
  range: (from: string, to: string) => `${from}–${to}`,
  rangeOf: (from: string, to: string, total: string) => `${from}–${to} of ${total}`
}
