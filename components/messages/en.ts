// Every word that the kit says. Other languages are made to this shape; missing ones fall back to these.

import { bellWords } from './bell.en.ts'
import { countWords } from './count.en.ts'
import { preferenceWords } from './preference.en.ts'

export const en = {
  ...bellWords,
  ...countWords,
  ...preferenceWords,

  show: 'Show',
  all: 'All',
  unread: 'Unread',
  archived: 'Archived',
  readAll: 'Mark all as read',
  archiveAll: 'Archive all',
  close: 'Close',
  read: 'Mark as read',
  markUnread: 'Mark as unread',
  archive: 'Archive',
  unarchive: 'Move to inbox',
  more: 'More',
  /** Spoken after the title of a link. */
  newTab: '(opens in a new tab)',
  /** Spoken before the time of an unread notification. */
  unreadFlag: 'Unread.',

  now: 'now',
  today: 'Today',
  earlier: 'Earlier',
  end: 'You have reached the first one',
  loading: 'Loading',
  emptyTitle: 'You are all caught up',
  emptyText: 'New notifications will appear here by themselves.',
  emptyUnreadTitle: 'Nothing unread',
  emptyUnreadText: 'You have seen everything.',
  emptyArchivedTitle: 'Nothing archived',
  emptyArchivedText: 'What you archive is kept here.',
  errorTitle: 'The notifications did not load',
  errorText: 'The connection broke off. Nothing is lost.',
  refusedTitle: 'This inbox cannot be opened',
  retry: 'Try again',
  offlineTitle: 'You are offline.',
  unreachableTitle: 'The server cannot be reached.',
  offlineText: (time: string) => `Showing what was saved at ${time}.`,
  notSaved: 'That could not be saved and was taken back.',

  optInTitle: 'Know it even when this page is closed',
  optInText: 'Let this browser show notifications. You choose which ones.',
  optInYes: 'Turn on',
  optInNo: 'Not now',

  pages: 'Pages',
  page: (n: string) => `Page ${n}`,
  previous: 'Previous page',
  next: 'Next page',
  range: (from: string, to: string) => `${from}–${to}`,
  rangeOf: (from: string, to: string, total: string) => `${from}–${to} of ${total}`
}

export type Messages = typeof en
