// Counts notifications as the server does: for optimistic updates, inboxes in memory and tests.

import type { Counts } from './inbox.ts'
import type { Notif } from './notif.ts'

export function countItems(items: Iterable<Notif>): Counts {
  const counts = { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }
  for (const { archived, opened, seen, snoozedUntil } of items) {
    if (snoozedUntil) counts.snoozed++
    if (snoozedUntil || archived) continue
    counts.unarchived++
    if (opened) continue
    counts.unopened++
    if (!seen) counts.unseen++
  }
  return counts
}
