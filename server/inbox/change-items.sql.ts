// The one statement that changes items: their columns, the clock of their inboxes and the counters move together.

import type { Notif } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/inbox-event.ts'
import type { Fragment, Group, Tx } from '../db/db.ts'
import { toNotif, type ItemRow } from './item.ts'
import { itemColumns, sizeOf, type Most } from './read-inbox.sql.ts'

export interface Head extends UserKey {
  readonly previous: number
  readonly version: number
  readonly unopened: number
  readonly unarchived: number
}

export const nameOf = ({ bucket, envId, userId }: UserKey): string => `${bucket}\0${envId}\0${userId}`

export const eventOf = (
  head: Head,
  items: readonly Notif[],
  removed: readonly string[] = []
): InboxEvent => ({
  change: {
    counts: { unarchived: head.unarchived, unopened: head.unopened },
    items,
    prev: head.previous,
    removed,
    version: head.version
  },
  envId: head.envId,
  userId: head.userId
})

/** Whose items to change. */
export interface Target extends UserKey {
  /** One item; absent: all that the change is about. */
  readonly id?: string
}

interface Change {
  /** Condition on the item `i` and its target `t`. */
  readonly which: Fragment
  /** Columns that the item gets: opened_at, clicked_at, archived_at, actioned1_at, actioned2_at, replies, removed. */
  readonly become: Fragment
  /** What of one inbox is read back for its event; when there is more it says only that much has changed. */
  readonly most: Most
}

/**
 * Locks heads in key order. An inbox that has never held anything has none.
 *
 * @returns them as they are: `previous` is the version
 */
export const lockHeads = (tx: Tx, buckets: Group['buckets'], targets: readonly Target[]): Promise<Head[]> =>
  tx<Head[]>`
  select bucket, env_id as "envId", user_id as "userId", version as previous, version, unopened, unarchived
  from inbox_heads
  where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
    and (bucket, env_id, user_id) in (
      select * from unnest(${targets.map(target => target.bucket)}::smallint[],
        ${targets.map(target => target.envId)}::text[], ${targets.map(target => target.userId)}::text[]))
  order by bucket, env_id, user_id for update`

/**
 * Locks the heads of the targets, then changes the items of those that have one. The second step waits for the first:
 * an inbox that is born between the two would be changed without its lock, items before head, against the order of all.
 *
 * @returns the heads as they were, and an event for each inbox of which something changed
 */
export async function changeItems(
  tx: Tx,
  buckets: Group['buckets'],
  targets: readonly Target[],
  wanted: Change
): Promise<{ readonly heads: readonly Head[]; readonly events: readonly InboxEvent[] }> {
  const heads = await lockHeads(tx, buckets, targets)
  const locked = new Set(heads.map(nameOf))
  const owned = targets.filter(target => locked.has(nameOf(target)))
  return { events: owned.length === 0 ? [] : await change(tx, buckets, owned, wanted), heads }
}

/**
 * Changes items whose heads are locked: each inbox takes one step of its clock for all of its items, and its counters
 * move by what the items were and what they are. An inbox of which nothing changes stays as it is.
 *
 * An item is found again by `seq` and `id`: each has an index, and where most inboxes are short Postgres may take the one whose
 * last column is not named, and read a long inbox once for each of its items.
 */
async function change(
  tx: Tx,
  buckets: Group['buckets'],
  targets: readonly Target[],
  { which, become, most: { bytes = Number.MAX_SAFE_INTEGER, items } }: Change
): Promise<InboxEvent[]> {
  const rows = await tx<(Head & ItemRow & { size: number; much: boolean | null })[]>`
    with target as materialized (
      select * from unnest(${targets.map(target => target.bucket)}::smallint[],
        ${targets.map(target => target.envId)}::text[], ${targets.map(target => target.userId)}::text[],
        ${targets.map(target => target.id ?? null)}::uuid[]) as t(bucket, env_id, user_id, id)),
    step as materialized (
      select bucket, env_id, user_id,
        greatest(version + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as version
      from inbox_heads
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and (bucket, env_id, user_id) in (select bucket, env_id, user_id from target)),
    due as materialized (
      select i.bucket, i.env_id, i.user_id, i.seq, i.id, b.*,
        i.opened_at is null and i.archived_at is null as was_unopened, i.archived_at is null as was_unarchived
      from target t
      join inbox_items i on i.bucket = t.bucket and i.env_id = t.env_id and i.user_id = t.user_id and ${which}
      cross join lateral (select ${become}) as b
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
      update inbox_heads h set previous = h.version, version = s.version, unopened = h.unopened + t.unopened,
        unarchived = h.unarchived + t.unarchived
      from tally t join step s on s.bucket = t.bucket and s.env_id = t.env_id and s.user_id = t.user_id
      where (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
        and h.bucket = t.bucket and h.env_id = t.env_id and h.user_id = t.user_id
      returning h.*, t.size)
    select h.bucket, h.env_id as "envId", h.user_id as "userId", h.previous, h.version, h.unopened, h.unarchived,
      h.size, item.*
    from head h left join lateral (
      select * from (
        select seq, ${itemColumns(tx)}, row_number() over () as place, sum(${sizeOf(tx)}) over () > ${bytes} as much
        from done d where d.bucket = h.bucket and d.env_id = h.env_id and d.user_id = h.user_id
          and h.size <= ${items}) as sized
      where place = 1 or not much
      order by seq) as item on true`
  return [...Map.groupBy(rows, nameOf).values()].map(group => {
    const head = group[0]!
    // Nobody can be at this `prev`, so everybody asks for what happened since, and is told to start again.
    if (head.size > items || head.much) return eventOf({ ...head, previous: head.version }, [])
    return eventOf(
      head,
      group.filter(row => !row.removed).map(toNotif),
      group.filter(row => row.removed).map(row => row.id)
    )
  })
}
