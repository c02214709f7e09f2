// The one statement that changes items: it changes their columns, the versions of their inboxes and the counters together.

import type { Counts, Notif } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Tx } from '../db/db.ts'
import type { AllWrite } from './all-writes.ts'
import { toNotification, type ItemRow } from './item.ts'
import { contentBytes, itemColumns, toCounts, type ChangeLimits } from './read-inbox.sql.ts'

/** Version and counters of one inbox: a row of `inbox_counters`. */
export interface InboxCounters extends UserKey, Counts {
  /** Version before the last change. */
  readonly previous: number
  readonly version: number
}

export const inboxKey = ({ bucket, envId, userId }: UserKey): string => `${bucket}\0${envId}\0${userId}`

export const toInboxEvent = (
  counters: InboxCounters,
  items: readonly Notif[],
  removed: readonly string[] = []
): InboxEvent => ({
  change: {
    counts: toCounts(counters),
    items,
    prev: counters.previous,
    removed,
    version: counters.version
  },
  envId: counters.envId,
  userId: counters.userId
})

export interface ItemTarget extends UserKey {
  /** One item; absent: all items that fulfil the condition of the change. */
  readonly id?: string
}

/** Columns that clients see; a change of another one gives the inbox no new version. */
const VISIBLE_COLUMNS = [
  'seen_at',
  'opened_at',
  'clicked_at',
  'archived_at',
  'actioned1_at',
  'actioned2_at',
  'snoozed_until',
  'snoozed_at',
  'replies'
] as const
const COLUMNS = [...VISIBLE_COLUMNS, 'write_times', 'updates'] as const

export interface ItemChange {
  /** Condition on the item `i` and its target `t`. */
  readonly condition: Fragment
  /** New values of columns of the item `i`. An absent column stays as it is. */
  readonly newValues: {
    readonly [Column in (typeof COLUMNS)[number] | 'content' | 'removed']?: Fragment
  }
  /** The items get new positions at the top of their inbox, in the order that they have. Default: they keep their position. */
  readonly resurfaces?: boolean
  /** Changes only items that clients see differently afterwards, and no times of writes alone. Default: false. */
  readonly isVisibleOnly?: boolean
  /** Of the event of one inbox. An event for more carries no items, so that clients read the changes. */
  readonly limits: ChangeLimits
}

/** A locked row of `inbox_counters`. */
export interface LockedInbox extends InboxCounters {
  readonly allWrites: readonly AllWrite[] | null
  /** Time of the database in milliseconds since 1970. */
  readonly nowMs: number
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
): Promise<LockedInbox[]> =>
  tx<LockedInbox[]>`
  select bucket, env_id as "envId", user_id as "userId", version as previous, version, unopened, unarchived, unseen, snoozed,
    all_writes as "allWrites", floor(extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs"
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
 * @returns one event for each inbox that changed
 */
export async function changeItems(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  targets: readonly ItemTarget[],
  change: ItemChange
): Promise<readonly InboxEvent[]> {
  const locked = new Set((await lockInboxes(tx, buckets, targets)).map(inboxKey))
  const existing = targets.filter(target => locked.has(inboxKey(target)))
  return existing.length === 0 ? [] : changeLockedItems(tx, buckets, existing, change)
}

const joined = (tx: Tx, parts: readonly Fragment[]): Fragment =>
  parts.reduce((all, part) => tx`${all}, ${part}`)

/** How an item `x` counts, as columns of 0 and 1. */
const countsOf = (tx: Tx, x: Fragment): Readonly<Record<keyof Counts, Fragment>> => {
  const isInInbox = tx`${x}archived_at is null and ${x}snoozed_until is null`
  return {
    snoozed: tx`(${x}snoozed_until is not null)::integer`,
    unarchived: tx`(${isInInbox})::integer`,
    unopened: tx`(${isInInbox} and ${x}opened_at is null)::integer`,
    unseen: tx`(${isInInbox} and ${x}opened_at is null and ${x}seen_at is null)::integer`
  }
}

/**
 * Changes items whose inboxes are locked. Each changed inbox gets one new version for all of its items, and its counters move by
 * the difference between the old and the new items.
 *
 * The update finds items by `seq` and `id`: each has an index, and if most inboxes are short, Postgres may choose the index whose
 * last column is not named, and read a long inbox once for each of its items.
 */
export async function changeLockedItems(
  tx: Tx,
  buckets: DatabaseGroup['buckets'],
  targets: readonly ItemTarget[],
  {
    condition,
    isVisibleOnly = false,
    limits: { maxBytes = Number.MAX_SAFE_INTEGER, maxItems },
    newValues,
    resurfaces = false
  }: ItemChange
): Promise<InboxEvent[]> {
  const columns = joined(
    tx,
    COLUMNS.map(name => tx`${newValues[name] ?? tx`i.${tx(name)}`} as ${tx(name)}`)
  )
  const assignments = joined(
    tx,
    COLUMNS.map(name => tx`${tx(name)} = d.${tx(name)}`)
  )
  const visible = (x: Fragment): Fragment =>
    joined(
      tx,
      VISIBLE_COLUMNS.map(name => tx`${x}${tx(name)}`)
    )
  const [before, after] = [countsOf(tx, tx`i.`), countsOf(tx, tx`b.`)]
  const delta = (name: keyof Counts): Fragment =>
    tx`case when b.removed then 0 else ${after[name]} end - ${before[name]} as ${tx(name)}`
  const { content, removed = tx`false` } = newValues
  const rows = await tx<(InboxCounters & ItemRow & { size: number; is_too_large: boolean | null })[]>`
    with target as materialized (
      select * from unnest(${targets.map(target => target.bucket)}::smallint[],
        ${targets.map(target => target.envId)}::text[], ${targets.map(target => target.userId)}::text[],
        ${targets.map(target => target.id ?? null)}::uuid[]) as t(bucket, env_id, user_id, id)),
    due as materialized (
      select i.bucket, i.env_id, i.user_id, i.seq, i.id, b.*,
        ${delta('unopened')}, ${delta('unarchived')}, ${delta('unseen')}, ${delta('snoozed')},
        ${resurfaces ? tx`row_number() over (partition by i.bucket, i.env_id, i.user_id order by i.seq desc) - 1 as place,` : tx``}
        ${resurfaces}::boolean or b.removed or ${content ? tx`i.content is distinct from b.content` : tx`false`}
          or (${visible(tx`i.`)}) is distinct from (${visible(tx`b.`)}) as is_visible
      from target t
      join inbox_items i on i.bucket = t.bucket and i.env_id = t.env_id and i.user_id = t.user_id and ${condition}
      cross join lateral (select ${columns}, ${removed} as removed ${content ? tx`, ${content} as content` : tx``}) as b
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[])) and not i.removed),
    step as materialized (
      select h.bucket, h.env_id, h.user_id, greatest(
        h.version + ${resurfaces ? tx`(select count(*) from due d where d.bucket = h.bucket and d.env_id = h.env_id and d.user_id = h.user_id)` : tx`1`},
        floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as version
      from inbox_counters h
      where (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
        and (h.bucket, h.env_id, h.user_id) in (select bucket, env_id, user_id from target)),
    done as (
      update inbox_items i set changed = case when d.is_visible then s.version else i.changed end,
        ${resurfaces ? tx`seq = s.version - d.place,` : tx``} ${assignments}, removed = d.removed,
        content = case when d.removed then '{}' else ${content ? tx`d.content` : tx`i.content`} end
      from due d join step s on s.bucket = d.bucket and s.env_id = d.env_id and s.user_id = d.user_id
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
        and (d.is_visible or not ${isVisibleOnly}::boolean and i.write_times is distinct from d.write_times)
        and i.bucket = d.bucket and i.env_id = d.env_id and i.user_id = d.user_id and i.seq = d.seq and i.id = d.id
      returning i.*, d.is_visible, d.unopened, d.unarchived, d.unseen, d.snoozed),
    tally as (
      select bucket, env_id, user_id, count(*)::integer as size, sum(unopened) as unopened, sum(unarchived) as unarchived,
        sum(unseen) as unseen, sum(snoozed) as snoozed
      from done where is_visible group by bucket, env_id, user_id),
    head as (
      update inbox_counters h set previous = h.version, version = s.version, unopened = h.unopened + t.unopened,
        unarchived = h.unarchived + t.unarchived, unseen = h.unseen + t.unseen, snoozed = h.snoozed + t.snoozed
      from tally t join step s on s.bucket = t.bucket and s.env_id = t.env_id and s.user_id = t.user_id
      where (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
        and h.bucket = t.bucket and h.env_id = t.env_id and h.user_id = t.user_id
      returning h.*, t.size)
    select h.bucket, h.env_id as "envId", h.user_id as "userId", h.previous, h.version, h.unopened, h.unarchived, h.unseen,
      h.snoozed, h.size, item.*
    from head h left join lateral (
      select * from (
        select seq, ${itemColumns(tx)}, row_number() over () as place,
          sum(${contentBytes(tx)}) over () > ${maxBytes} as is_too_large
        from done d where d.bucket = h.bucket and d.env_id = h.env_id and d.user_id = h.user_id
          and d.is_visible and h.size <= ${maxItems}) as sized
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
