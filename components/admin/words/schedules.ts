// The texts of schedules and digests.

import { words } from '../words.ts'

export const scheduleWords = {
  columns: ['When', 'Type', 'User', 'Tracking id', words.actions],
  delete: 'Delete',
  digestColumns: ['When', 'Type', 'User', 'Channel', 'Items'],
  digests: 'Digests',
  digestsWhy: 'What waits to be sent together, the next first.',
  empty: 'Nothing is scheduled',
  emptyWhy: 'A send with `schedule` waits here until its time.',
  next: 'Next page',
  first: 'First page',
  noDigests: 'No digest waits.',
  why: 'Sends that your back end gave a time, the next first.'
} as const
