// The one statement that changes items: it changes their columns, the versions of their inboxes and the counters together.

import type { Notif } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Tx } from '../db/db.ts'
import { toNotification, type ItemRow } from './item.ts'
import { contentBytes, itemColumns, type ChangeLimits } from './read-inbox.sql.ts'

/** Version and counters of one inbox: a row of `inbox_counters`. */
export interface InboxCounters extends UserKey {
  /** Version before the last change. */
  readonly previous: number
  readonly version: number
  readonly unopened: number
  readonly unarchived: number
}

export const inboxKey = ({ bucket, envId, userId }: UserKey): string => `${bucket}\0${envId}\0${userId}`

export const toInboxEvent = (
  { envId, previous, unarchived, unopened, userId, version }: InboxCounters,
  items: readonly Notif[],
  removed: readonly string[] = []
): InboxEvent => ({
  change: { counts: { unarchived, unopened }, items, prev: previous, removed, version },
  envId,
  userId
})

export interface ItemTarget extends UserKey {
  /** One item; absent: all items that fulfil the condition of the change. */
  readonly id?: string
}

interface Change {
  /** Condition on the item `i` and its target `t`. */
  readonly condition: Fragment
  /** New columns of the item: opened_at, clicked_at, archived_at, actioned1_at, actioned2_at, replies, removed. */
  readonly newColumns: Fragment
  /** Of the event of one inbox. An event for more carries no items, so that clients read the changes. */
  readonly limits: ChangeLimits
}

/**
 * Locks the `inbox_counters` rows of the targets in key order. An inbox without any item ever has none.
 *
 * @returns the rows as they are; `previous` equals `version`
 */
export const lockInboxes = (
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  targets: readonly ItemTarget[]
): Promise<InboxCounters[]> =>
  tx<InboxCounters[]>`
  select bucket, env_id as "envId", user_id as "userId", version as previous, version, unopened, unarchived
  from inbox_counters
  where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
    and (bucket, env_id, user_id) in (
      select * from unnest(${targets.map(target => target.bucket)}::smallint[],
        ${targets.map(target => target.envId)}::text[], ${targets.map(target => target.userId)}::text[]))
  order by bucket, env_id, user_id for update`

/**
 * Locks the inboxes of the targets, then changes their items. Targets whose inbox does not exist yet are left out: an inbox that
 * is created between the two statements would be changed without its lock, against the lock order.
 *
 * @returns the counters before the change, and one event for each inbox that changed
 */
export async function changeItems(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  targets: readonly ItemTarget[],
  change: Change
): Promise<{ readonly before: readonly InboxCounters[]; readonly events: readonly InboxEvent[] }> {
  const before = await lockInboxes(tx, buckets, targets)
  const locked = new Set(before.map(inboxKey))
  const existing = targets.filter(target => locked.has(inboxKey(target)))
  return { before, events: existing.length === 0 ? [] : await applyChange(tx, buckets, existing, change) }
}

/**
 * Changes items whose inboxes are locked. Each changed inbox gets one new version for all of its items, and its counters move by
 * the difference between the old and the new items.
 *
 * The update finds items by `seq` and `id`: each has an index, and if most inboxes are short, Postgres may choose the index whose
 * last column is not named, and read a long inbox once for each of its items.
 */
async function applyChange(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  targets: readonly ItemTarget[],
  { condition, newColumns, limits: { maxBytes = Number.MAX_SAFE_INTEGER, maxItems } }: Change
): Promise<InboxEvent[]> {
  const rows = await tx<(InboxCounters & ItemRow & { size: number; is_too_large: boolean | null })[]>`
    with target as materialized (
      select * from unnest(${targets.map(target => target.bucket)}::smallint[],
        ${targets.map(target => target.envId)}::text[], ${targets.map(target => target.userId)}::text[],
        ${targets.map(target => target.id ?? null)}::uuid[]) as t(bucket, env_id, user_id, id)),
    step as materialized (
      select bucket, env_id, user_id,
        greatest(version + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as version
      from inbox_counters
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and (bucket, env_id, user_id) in (select bucket, env_id, user_id from target)),
    due as materialized (
      select i.bucket, i.env_id, i.user_id, i.seq, i.id, b.*,
        i.opened_at is null and i.archived_at is null as was_unopened, i.archived_at is null as was_unarchived
      from target t
      join inbox_items i on i.bucket = t.bucket and i.env_id = t.env_id and i.user_id = t.user_id and ${condition}
      cross join lateral (select ${newColumns}) as b
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[])) and not i.removed
        and (b.removed or (i.opened_at, i.clicked_at, i.archived_at, i.actioned1_at, i.actioned2_at, i.replies)
          is distinct from (b.opened_at, b.clicked_at, b.archived_at, b.actioned1_at, b.actioned2_at, b.replies))),
    done as (
      update inbox_items i set changed = s.version, opened_at = d.opened_at, clicked_at = d.clicked_at,
        archived_at = d.archived_at, actioned1_at = d.actioned1_at, actioned2_at = d.actioned2_at,
        replies = d.replies, removed = d.removed, content = case when d.removed then '{}' else i.content end
      from due d join step s on s.bucket = d.bucket and s.env_id = d.env_id and s.user_id = d.user_id
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
        and i.bucket = d.bucket and i.env_id = d.env_id and i.user_id = d.user_id and i.seq = d.seq and i.id = d.id
      returning i.*, d.was_unopened, d.was_unarchived),
    tally as (
      select bucket, env_id, user_id, count(*)::integer as size,
        sum((opened_at is null and archived_at is null and not removed)::integer - was_unopened::integer) as unopened,
        sum((archived_at is null and not removed)::integer - was_unarchived::integer) as unarchived
      from done group by bucket, env_id, user_id),
    head as (
      update inbox_counters h set previous = h.version, version = s.version, unopened = h.unopened + t.unopened,
        unarchived = h.unarchived + t.unarchived
      from tally t join step s on s.bucket = t.bucket and s.env_id = t.env_id and s.user_id = t.user_id
      where (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
        and h.bucket = t.bucket and h.env_id = t.env_id and h.user_id = t.user_id
      returning h.*, t.size)
    select h.bucket, h.env_id as "envId", h.user_id as "userId", h.previous, h.version, h.unopened, h.unarchived,
      h.size, item.*
    from head h left join lateral (
      select * from (
        select seq, ${itemColumns(tx)}, row_number() over () as place,
          sum(${contentBytes(tx)}) over () > ${maxBytes} as is_too_large
        from done d where d.bucket = h.bucket and d.env_id = h.env_id and d.user_id = h.user_id
          and h.size <= ${maxItems}) as sized
      where place = 1 or not is_too_large
      order by seq) as item on true`
  return [...Map.groupBy(rows, inboxKey).values()].map(inboxRows => {
    const counters = inboxRows[0]!
    const isTooLarge = counters.size > maxItems || counters.is_too_large === true
    // No client has the version `prev` of this event, so all of them read the changes, and get a reset.
    if (isTooLarge) return toInboxEvent({ ...counters, previous: counters.version }, [])
    return toInboxEvent(
      counters,
      inboxRows.filter(row => !row.removed).map(toNotification),
      inboxRows.filter(row => row.removed).map(row => row.id)
    )
  })
}
