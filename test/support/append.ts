// Items in inboxes without a send.

import type { InboxEvent } from '../../server/core/live-updates.ts'
import type { Query } from '../../server/db/db.ts'
import type { InboxCounters } from '../../server/inbox/change-items.sql.ts'
import { appendFragment, type NewItem } from '../../server/inbox/items.sql.ts'

/** Puts items at the top of their inboxes. @returns one event for each inbox, to be published after the commit */
export async function append(query: Query, items: readonly NewItem[]): Promise<InboxEvent[]> {
  if (items.length === 0) return []
  const { toEvents, ctes } = appendFragment(query, items)
  return toEvents(await query<InboxCounters[]>`with ${ctes} select * from heads`)
}
