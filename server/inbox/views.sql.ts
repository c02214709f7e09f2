// The views of an inbox: which items a tab shows, and exact numbers of unread items by type.

import type { UserKey } from '../core/id.ts'
import type { Fragment, Query } from '../db/db.ts'

export const VIEWS = ['all', 'inbox', 'unread', 'archived', 'snoozed'] as const
export type View = (typeof VIEWS)[number]

/** Condition on an item. Each view but `all` has an index that holds exactly its items. */
export function viewCondition(query: Query, view: View = 'all', types?: readonly string[]): Fragment {
  const conditions: Readonly<Record<View, Fragment>> = {
    all: query`true`,
    archived: query`archived_at is not null and snoozed_until is null`,
    inbox: query`archived_at is null and snoozed_until is null`,
    snoozed: query`snoozed_until is not null`,
    unread: query`opened_at is null and archived_at is null and snoozed_until is null`
  }
  return types
    ? query`${conditions[view]} and notification_id = any(${[...types]}::text[])`
    : conditions[view]
}

/** Counts unread items by type, from the index of unread items. @param types - default: all */
export async function countByType(
  query: Query,
  { bucket, envId, userId }: UserKey,
  types?: readonly string[]
): Promise<{ readonly version: number; readonly byType: Readonly<Record<string, number>> }> {
  const rows = await query<{ version: number; type: string | null; count: number }[]>`
    select h.version, c.type, c.count
    from inbox_counters h left join lateral (
      select notification_id as type, count(*)::integer as count from inbox_items
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and not removed
        and ${viewCondition(query, 'unread', types)}
      group by notification_id) as c on true
    where h.bucket = ${bucket} and h.env_id = ${envId} and h.user_id = ${userId}`
  const found = Object.fromEntries(rows.flatMap(({ count, type }) => (type === null ? [] : [[type, count]])))
  const none = Object.fromEntries((types ?? []).map(type => [type, 0]))
  return { byType: { ...none, ...found }, version: rows[0]?.version ?? 0 }
}
