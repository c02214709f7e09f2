// Reads inboxes: pages, and the changes since a version. Items, version and counters of a result are of one snapshot.

import type { Counts, InboxChange, InboxPage, InboxReset, Notif } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { Fragment, DatabaseGroup, Query } from '../db/db.ts'
import { toNotification, type ItemRow } from './item.ts'
import { viewCondition, type View } from './views.sql.ts'

/** Columns of an item with their names in {@link ItemRow}, without `seq`. */
export const itemColumns = (query: Query) => query`
  id, notification_id as "notificationId", sub_id as "subId", content, expires_at as "expiresAt", changed, removed,
  seen_at as "seenAt", opened_at as "openedAt", clicked_at as "clickedAt", archived_at as "archivedAt",
  actioned1_at as "actioned1At", actioned2_at as "actioned2At", snoozed_until as "snoozedUntil", snoozed_at as "snoozedAt",
  replies`

/** Bytes of one page of an inbox, or of the changes since a version; one item always fits. A page is built in memory. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024

interface CountersRow extends Counts {
  readonly version: number
  /** Removed items below this version were deleted, so changes since an older version are not complete. */
  readonly floor: number
}

export const toCounts = ({ snoozed, unarchived, unopened, unseen }: Counts): Counts => ({
  snoozed,
  unarchived,
  unopened,
  unseen
})

export const NO_COUNTS: Counts = { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }

export interface ItemPage extends Omit<InboxPage, 'next'> {
  /** `seq` of the last item, if there are more. */
  readonly next?: number
}

export interface PageBounds {
  /** Only items with a smaller `seq`. Default: all. */
  readonly before?: number | undefined
  /** Of all contents together; a page has at least one item. Default: no limit. */
  readonly maxBytes?: number | undefined
  /** Default: all items. `snoozed` is sorted by the end of the snooze, and has one page. */
  readonly view?: View | undefined
  /** Default: all. */
  readonly types?: readonly string[] | undefined
}

/** Bytes of one content; only a compressed one is decompressed to count them. */
export const contentBytes = (query: Query) => query`
  case when pg_column_compression(content) is null then pg_column_size(content) else octet_length(content::text) end`

/** For one reader. A reader that missed more gets a reset; a change with more items is sent without them. */
export interface ChangeLimits {
  readonly maxItems: number
  /** Of all contents together. Default: no limit. */
  readonly maxBytes?: number | undefined
}

/** Items of a reader within the limits, and one more to tell whether there are more. At least one item. */
const itemsWithin = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  { maxBytes = Number.MAX_SAFE_INTEGER, maxItems }: ChangeLimits,
  range: Fragment,
  order: Fragment,
  outerOrder = order
): Fragment => query`
  select * from (
    select item.*, sum(${contentBytes(query)}) over (order by ${outerOrder}) as size,
      row_number() over (order by ${outerOrder}) as place, count(*) over ()::int as found
    from (
      select seq, ${itemColumns(query)} from inbox_items
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and ${range} and not removed
      order by ${order} limit ${maxItems + 1}) as item) as sized
  where place = 1 or size <= ${maxBytes}
  order by ${outerOrder}`

export async function readPage(
  query: Query,
  reader: UserKey,
  count: number,
  { before = Number.MAX_SAFE_INTEGER, maxBytes, types, view }: PageBounds = {}
): Promise<ItemPage> {
  const { bucket, envId, userId } = reader
  const isSnoozed = view === 'snoozed'
  const order = isSnoozed ? query`snoozed_until, seq` : query`seq desc`
  const rows = await query<(CountersRow & ItemRow & { seq: number | null; found: number })[]>`
    select h.version, h.floor, h.unopened, h.unarchived, h.unseen, h.snoozed, item.*
    from inbox_counters h left join lateral (
      ${itemsWithin(query, reader, { maxBytes, maxItems: count }, query`seq < ${before} and ${viewCondition(query, view, types)}`, order, isSnoozed ? query`"snoozedUntil", seq` : order)}) as item on true
    where h.bucket = ${bucket} and h.env_id = ${envId} and h.user_id = ${userId}`
  const [head] = rows
  if (!head) return { counts: NO_COUNTS, items: [], version: 0 }
  const items = rows.filter(row => row.seq !== null).slice(0, count)
  return {
    counts: toCounts(head),
    items: items.map(toNotification),
    version: head.version,
    ...(!isSnoozed && head.found > items.length && { next: items.at(-1)!.seq })
  }
}

export interface ReaderVersion extends UserKey {
  /** Inbox version of the reader; undefined reads only version and counters. */
  readonly since: number | undefined
}

export type MissedChanges =
  | { readonly kind: 'change'; readonly change: InboxChange }
  | { readonly kind: 'reset'; readonly reset: InboxReset }

export interface NewerItems {
  /** Oldest first. */
  readonly items: readonly Notif[]
  /** All items up to this version are in this page or in earlier ones. */
  readonly version: number
  readonly hasMore: boolean
}

/** One page of the items that were added after `since` and were not removed. */
export async function readNewer(
  query: Query,
  reader: UserKey,
  since: number,
  limits: ChangeLimits
): Promise<NewerItems> {
  const { bucket, envId, userId } = reader
  const rows = await query<(CountersRow & ItemRow & { seq: number | null; found: number })[]>`
    select h.version, item.*
    from inbox_counters h left join lateral (
      ${itemsWithin(query, reader, limits, query`seq > ${since}`, query`seq`)}) as item on true
    where h.bucket = ${bucket} and h.env_id = ${envId} and h.user_id = ${userId}`
  const [head] = rows
  if (!head) return { items: [], hasMore: false, version: since }
  const items = rows.filter(row => row.seq !== null).slice(0, limits.maxItems)
  const hasMore = head.found > items.length
  return { items: items.map(toNotification), hasMore, version: hasMore ? items.at(-1)!.seq : head.version }
}

/** Reads the changes of many readers in one statement. @returns in the order of `readers` */
export async function readChanges(
  query: Query,
  buckets: DatabaseGroup['buckets'],
  readers: readonly ReaderVersion[],
  { maxBytes = Number.MAX_SAFE_INTEGER, maxItems }: ChangeLimits
): Promise<MissedChanges[]> {
  const rows = await query<(MissedRow & { reader: number })[]>`
    select r.reader::integer, coalesce(h.version, 0) as version, coalesce(h.floor, 0) as floor,
      coalesce(h.unopened, 0) as unopened, coalesce(h.unarchived, 0) as unarchived,
      coalesce(h.unseen, 0) as unseen, coalesce(h.snoozed, 0) as snoozed, item.*
    from unnest(
      ${readers.map(reader => reader.bucket)}::smallint[],
      ${readers.map(reader => reader.envId)}::text[],
      ${readers.map(reader => reader.userId)}::text[],
      ${readers.map(reader => reader.since ?? null)}::bigint[]
    ) with ordinality as r(bucket, env_id, user_id, since, reader)
    left join inbox_counters h on h.bucket = r.bucket and h.env_id = r.env_id and h.user_id = r.user_id
      and (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
    left join lateral (
      select * from (
        select missed.*, row_number() over () as place,
          count(*) over () > ${maxItems} or sum(${contentBytes(query)}) over () > ${maxBytes} as is_too_large
        from (
          (select seq, ${itemColumns(query)} from inbox_items i
            where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
              and i.bucket = r.bucket and i.env_id = r.env_id and i.user_id = r.user_id and i.seq > r.since
            order by i.seq limit ${maxItems + 1})
          union all
          (select seq, ${itemColumns(query)} from inbox_items i
            where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
              and i.bucket = r.bucket and i.env_id = r.env_id and i.user_id = r.user_id
              and i.changed > r.since and i.seq <= r.since
            order by i.changed limit ${maxItems + 1})) as missed) as sized
      where place = 1 or not is_too_large
    ) as item on (r.since >= h.floor or r.since = 0) and r.since < h.version
    order by r.reader, item.seq`
  const byReader = Map.groupBy(rows, row => row.reader)
  return readers.map(({ since }, i) => toMissedChanges(byReader.get(i + 1)!, since))
}

type MissedRow = CountersRow &
  ItemRow & { readonly seq: number | null; readonly is_too_large: boolean | null }

function toMissedChanges(rows: readonly MissedRow[], since: number | undefined): MissedChanges {
  const head = rows[0]!
  const { is_too_large: isTooLarge, version } = head
  // A reader with a higher version than the inbox: the database was restored from a backup.
  if (since !== undefined && (isIncomplete(since, head) || since > version || isTooLarge)) {
    return { kind: 'reset', reset: { reset: true, version } }
  }
  const items = rows.filter(row => row.seq !== null)
  return {
    change: {
      counts: toCounts(head),
      items: items.filter(row => !row.removed).map(toNotification),
      prev: since ?? version,
      removed: items.filter(row => row.removed).map(row => row.id),
      version
    },
    kind: 'change'
  }
}

/**
 * The changes since a version below the floor are not complete: removed items were deleted, or the user was erased and this is
 * a new inbox. A reader that knows an empty inbox needs neither.
 */
const isIncomplete = (since: number, { floor }: CountersRow): boolean => since < floor && since !== 0

/** @returns the versions in the order of the readers; 0 for an inbox that never had an item */
export async function readVersions(
  query: Query,
  buckets: DatabaseGroup['buckets'],
  readers: readonly UserKey[]
): Promise<number[]> {
  const rows = await query<{ version: number }[]>`
    select coalesce(h.version, 0) as version
    from unnest(
      ${readers.map(reader => reader.bucket)}::smallint[],
      ${readers.map(reader => reader.envId)}::text[],
      ${readers.map(reader => reader.userId)}::text[]
    ) with ordinality as r(bucket, env_id, user_id, reader)
    left join inbox_counters h on h.bucket = r.bucket and h.env_id = r.env_id and h.user_id = r.user_id
      and (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
    order by r.reader`
  return rows.map(row => row.version)
}
