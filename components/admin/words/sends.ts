// The texts of the log of sends.

import { plural } from '../words.ts'

export const sendsWords = {
  clear: 'Clear the filter',
  columns: [
    ['time', 'Time'],
    ['status', 'Status'],
    ['type', 'Type'],
    ['user', 'User'],
    ['channels', 'Channels'],
    ['why', 'Why'],
    ['id', 'Tracking id']
  ],
  copyLink: 'Copy link',
  faults: {
    channel: 'Unknown channel. Expected INAPP_WEB, EMAIL, SMS, CALL, PUSH, WEB_PUSH or SLACK after channel:',
    since: 'Unknown time. Expected 30m, 24h, 7d, 09:00 or a date after since:',
    status: 'Unknown status. Expected failure, waiting, discarded or success after status:'
  },
  decisions: 'Decisions and rules',
  fields: 'Fields',
  filter: 'Filter sends',
  keys: {
    channel: 'Channel',
    decision: 'Rule or decision, such as preference-off',
    id: 'Tracking id',
    since: 'Time',
    status: 'Status',
    to: 'Email address or number',
    type: 'Type',
    user: 'User id',
    where: 'Condition on the request'
  },
  live: 'Live tail',
  new: (count: number) => `${count} new`,
  newer: 'Newer',
  noMatch: 'No send matches',
  noMatchWhy: 'Nothing with ',
  nothingYet: 'Nothing has been sent here',
  nothingYetWhy: 'The first send appears by itself, within seconds.',
  older: 'Older',
  open: 'Open',
  pageEnd: (count: number, end: string | undefined, hasMore: boolean) =>
    count === 0
      ? 'Nothing found so far; older sends may match.'
      : `${plural(count, 'send')}, the newest first. ${hasMore ? `This page ends at ${end}.` : 'This is the end of the log.'}`,
  peek: 'Look at it here',
  placeholder: 'Email address, user id, type:…, status:failure, since:24h, or request.parameters.item = "…"',
  remove: (key: string, value: string) => `Remove ${key} ${value}`,
  searchAll: 'Search all of the log',
  status: 'Status',
  statuses: { '': 'All', discarded: 'Discarded', failure: 'Failed', waiting: 'Waiting' },
  suggestions: 'Suggestions',
  today: 'Today',
  values: {
    '1h': 'the last hour',
    '24h': 'the last day',
    '30d': 'the last 30 days',
    '7d': 'the last 7 days',
    discarded: 'a rule left it out',
    failure: 'at least one channel failed',
    success: 'every channel took it',
    waiting: 'not out yet'
  } as Readonly<Record<string, string | undefined>>
} as const
