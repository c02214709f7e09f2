// Data that tests prepare in a database: items in inboxes, user ids in one bucket, and inserts that fail.

import { bucketOf } from '../../server/core/id.ts'
import type { InboxEvent } from '../../server/core/live-updates.ts'
import type { Query, Sql } from '../../server/db/db.ts'
import type { InboxCounters } from '../../server/inbox/change-items.sql.ts'
import { appendFragment, type NewItem } from '../../server/inbox/items.sql.ts'

/** Puts items at the top of their inboxes without a send. @returns one event for each inbox, to be published after the commit */
export async function insertInboxItems(query: Query, items: readonly NewItem[]): Promise<InboxEvent[]> {
  if (items.length === 0) return []
  const { toEvents, ctes } = appendFragment(query, items)
  return toEvents(await query<InboxCounters[]>`with ${ctes} select * from heads`)
}

/** @returns a user id that has the same bucket in all these environments, so that only the environment tells its users apart */
export function userIdInSameBucket(stem: string, ...environments: readonly string[]): string {
  for (let n = 0; ; n++) {
    const id = `${stem}-${n}`
    if (new Set(environments.map(envId => bucketOf(envId, id))).size === 1) return id
  }
}

/** Fails the first two inserts into a table as the losers of a deadlock fail. */
export async function failFirstTwoInserts(control: Sql, table: string): Promise<void> {
  // A sequence: the rollback of a failed insert does not take its number back.
  await control`create sequence losses`
  await control`
    create function lose() returns trigger language plpgsql as 'begin
      if nextval(''losses'') <= 2 then raise exception ''deadlock'' using errcode = ''40P01''; end if;
      return new; end'`
  await control`create trigger lose before insert on ${control(table)} for each row execute function lose()`
}

/** A day that is 30 days ahead, as `YYYY-MM-DD`: a fixed day would be in the past some time, and schedules are at most a year ahead. */
export const DAY_AHEAD = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
