// What is read from inboxes: pages, and what changed since a version. Every answer is of one snapshot with its head.

import type { InboxChange, InboxPage, InboxReset, Notif } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { Fragment, Group, Query } from '../db/db.ts'
import { toNotif, type ItemRow } from './item.ts'

/** Columns of an item by their names in {@link ItemRow}, less `seq`. */
export const itemColumns = (query: Query) => query`
  id, notification_id as "notificationId", sub_id as "subId", content, expires_at as "expiresAt", changed, removed,
  opened_at as "openedAt", clicked_at as "clickedAt", archived_at as "archivedAt", actioned1_at as "actioned1At",
  actioned2_at as "actioned2At", replies`

interface HeadRow {
  readonly version: number
  readonly floor: number
  readonly unopened: number
  readonly unarchived: number
}

const countsOf = ({ unopened, unarchived }: HeadRow) => ({ unarchived, unopened })

/** A page and the place where the next one starts. */
export interface Page extends Omit<InboxPage, 'next'> {
  /** `seq` of the last item, when there are more. */
  readonly next?: number
}

export interface Bounds {
  /** Only those with a smaller version of making. Default: all. */
  readonly before?: number | undefined
  /** Of all contents together; one item always comes. Default: any. */
  readonly bytes?: number | undefined
}

/** What one content has, without unpacking those that are not packed. */
export const sizeOf = (query: Query) => query`
  case when pg_column_compression(content) is null then pg_column_size(content) else octet_length(content::text) end`

/** Of one reader. Whoever missed more must start again, page by page; who has made more asks what it was. */
export interface Most {
  readonly items: number
  /** Of all contents together. Default: any. */
  readonly bytes?: number | undefined
}

/** Items of a reader in an order, one more than wanted so that it is known, within the bytes: one always comes. */
const fitting = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  { bytes = Number.MAX_SAFE_INTEGER, items }: Most,
  range: Fragment,
  order: Fragment
): Fragment => query`
  select * from (
    select item.*, sum(${sizeOf(query)}) over (order by ${order}) as size,
      row_number() over (order by ${order}) as place, count(*) over ()::int as found
    from (
      select seq, ${itemColumns(query)} from inbox_items
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and ${range} and not removed
      order by ${order} limit ${items + 1}) as item) as sized
  where place = 1 or size <= ${bytes}
  order by ${order}`

/** Items newest first: so many at most. */
export async function readPage(
  query: Query,
  reader: UserKey,
  count: number,
  { before = Number.MAX_SAFE_INTEGER, bytes }: Bounds = {}
): Promise<Page> {
  const { bucket, envId, userId } = reader
  const rows = await query<(HeadRow & ItemRow & { seq: number | null; found: number })[]>`
    select h.version, h.floor, h.unopened, h.unarchived, item.*
    from inbox_heads h left join lateral (
      ${fitting(query, reader, { bytes, items: count }, query`seq < ${before}`, query`seq desc`)}) as item on true
    where h.bucket = ${bucket} and h.env_id = ${envId} and h.user_id = ${userId}`
  const [head] = rows
  if (!head) return { counts: { unarchived: 0, unopened: 0 }, items: [], version: 0 }
  const items = rows.filter(row => row.seq !== null).slice(0, count)
  return {
    counts: countsOf(head),
    items: items.map(toNotif),
    version: head.version,
    ...(head.found > items.length && { next: items.at(-1)!.seq })
  }
}

export interface Since extends UserKey {
  /** Version that the reader knows; undefined asks only for the head. */
  readonly since: number | undefined
}

/** What one reader has missed. */
export type Missed =
  | { readonly kind: 'change'; readonly change: InboxChange }
  | { readonly kind: 'reset'; readonly reset: InboxReset }

/** A part of what was made after a version. */
export interface Newer {
  /** The oldest first. */
  readonly items: readonly Notif[]
  /** All that was made until here is told. */
  readonly version: number
  readonly more: boolean
}

/** What was made since and is still there, a page at a time: one item always comes. */
export async function readNewer(query: Query, reader: UserKey, since: number, most: Most): Promise<Newer> {
  const { bucket, envId, userId } = reader
  const rows = await query<(HeadRow & ItemRow & { seq: number | null; found: number })[]>`
    select h.version, item.*
    from inbox_heads h left join lateral (
      ${fitting(query, reader, most, query`seq > ${since}`, query`seq`)}) as item on true
    where h.bucket = ${bucket} and h.env_id = ${envId} and h.user_id = ${userId}`
  const [head] = rows
  if (!head) return { items: [], more: false, version: since }
  const items = rows.filter(row => row.seq !== null).slice(0, most.items)
  const more = head.found > items.length
  return { items: items.map(toNotif), more, version: more ? items.at(-1)!.seq : head.version }
}

/** What changed since, for many readers in one statement and in their order. */
export async function readChanges(
  query: Query,
  buckets: Group['buckets'],
  readers: readonly Since[],
  { bytes = Number.MAX_SAFE_INTEGER, items }: Most
): Promise<Missed[]> {
  const rows = await query<(MissedRow & { reader: number })[]>`
    select r.reader::integer, coalesce(h.version, 0) as version, coalesce(h.floor, 0) as floor,
      coalesce(h.unopened, 0) as unopened, coalesce(h.unarchived, 0) as unarchived, item.*
    from unnest(
      ${readers.map(reader => reader.bucket)}::smallint[],
      ${readers.map(reader => reader.envId)}::text[],
      ${readers.map(reader => reader.userId)}::text[],
      ${readers.map(reader => reader.since ?? null)}::bigint[]
    ) with ordinality as r(bucket, env_id, user_id, since, reader)
    left join inbox_heads h on h.bucket = r.bucket and h.env_id = r.env_id and h.user_id = r.user_id
      and (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
    left join lateral (
      select * from (
        select missed.*, row_number() over () as place,
          count(*) over () > ${items} or sum(${sizeOf(query)}) over () > ${bytes} as much
        from (
          (select seq, ${itemColumns(query)} from inbox_items i
            where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
              and i.bucket = r.bucket and i.env_id = r.env_id and i.user_id = r.user_id and i.seq > r.since
            order by i.seq limit ${items + 1})
          union all
          (select seq, ${itemColumns(query)} from inbox_items i
            where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
              and i.bucket = r.bucket and i.env_id = r.env_id and i.user_id = r.user_id
              and i.changed > r.since and i.seq <= r.since
            order by i.changed limit ${items + 1})) as missed) as sized
      where place = 1 or not much
    ) as item on (r.since >= h.floor or r.since = 0) and r.since < h.version
    order by r.reader, item.seq`
  const byReader = Map.groupBy(rows, row => row.reader)
  return readers.map(({ since }, i) => missedOf(byReader.get(i + 1)!, since))
}

type MissedRow = HeadRow & ItemRow & { readonly seq: number | null; readonly much: boolean | null }

function missedOf(rows: readonly MissedRow[], since: number | undefined): Missed {
  const head = rows[0]!
  const { much, version } = head
  // A reader ahead of the clock knows an inbox that is no more: its database was set back.
  if (since !== undefined && (isForgotten(since, head) || since > version || much)) {
    return { kind: 'reset', reset: { reset: true, version } }
  }
  const items = rows.filter(row => row.seq !== null)
  return {
    change: {
      counts: countsOf(head),
      items: items.filter(row => !row.removed).map(toNotif),
      prev: since ?? version,
      removed: items.filter(row => row.removed).map(row => row.id),
      version
    },
    kind: 'change'
  }
}

/**
 * What happened since is not all there any more, or happened to an inbox before this one: its user was erased. Whoever
 * knows an empty inbox misses nothing of either.
 */
const isForgotten = (since: number, { floor }: HeadRow): boolean => since < floor && since !== 0

/** Versions of many inboxes, in the order of the readers; 0 for one that has never held anything. */
export async function readVersions(
  query: Query,
  buckets: Group['buckets'],
  readers: readonly UserKey[]
): Promise<number[]> {
  const rows = await query<{ version: number }[]>`
    select coalesce(h.version, 0) as version
    from unnest(
      ${readers.map(reader => reader.bucket)}::smallint[],
      ${readers.map(reader => reader.envId)}::text[],
      ${readers.map(reader => reader.userId)}::text[]
    ) with ordinality as r(bucket, env_id, user_id, reader)
    left join inbox_heads h on h.bucket = r.bucket and h.env_id = r.env_id and h.user_id = r.user_id
      and (${buckets}::smallint[] is null or h.bucket = any(${buckets}::smallint[]))
    order by r.reader`
  return rows.map(row => row.version)
}
