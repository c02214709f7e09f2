// Digests as rows: items, and their head in the outbox, which is the lock of its items. Whoever adds, moves or takes items
// holds the head until the commit, so an item is in one digest and no digest is composed twice.
//
// Lock order: heads by key, then items, then the log. Adding a head that another transaction takes waits for that one, and
// then makes a new head.

import type { Fragment, Group, Query, Tx } from '../db/sql.ts'
import { TRIES, type Claimed } from '../queue/outbox.ts'
import type { UserKey } from '../users/store.ts'
import { headKey, type DigestKey, type Due, type Part } from './digest.ts'

export interface NewHead extends DigestKey {
  /** uuidv7 of the user's place: of the row, where it is a new one. */
  readonly headId: string
  readonly due: Due
}

export interface NewItem extends NewHead {
  /** Tracking id. */
  readonly id: string
  readonly subId: string
  /** What the send itself said. */
  readonly zone: string | undefined
  readonly part: Part
}

/** Those that are there stay as they are, and are locked. */
export async function addHeads(tx: Tx, heads: readonly NewHead[]): Promise<void> {
  if (heads.length === 0) return
  await tx`
    insert into outbox (bucket, id, lane, run_at, tries_left, env_id, user_id, key, body)
    select distinct on (bucket, key) bucket, id, 'DIGEST', timestamptz 'epoch' + due * interval '1 millisecond',
      ${TRIES}, env_id, user_id, key, body::jsonb || jsonb_build_object('until', due)
    from (
      select r.*, case when at > extract(epoch from clock_timestamp()) * 1000 then at else later end as due
      from unnest(
        ${heads.map(head => head.bucket)}::smallint[],
        ${heads.map(head => head.headId)}::uuid[],
        ${heads.map(head => head.envId)}::text[],
        ${heads.map(head => head.userId)}::text[],
        ${heads.map(headKey)}::text[],
        ${heads.map(head => head.due.at)}::bigint[],
        ${heads.map(head => head.due.later)}::bigint[],
        ${heads.map(({ notificationId, channel, period, due: { zone } }) =>
          JSON.stringify({ channel, notificationId, period, zone })
        )}::text[]
      ) as r(bucket, id, env_id, user_id, key, at, later, body)) h
    order by bucket, key
    on conflict (bucket, key) where key is not null do update set env_id = outbox.env_id`
}

export async function addItems(tx: Tx, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return
  await addHeads(tx, items)
  await tx`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, sub_id, channel, zone, item)
    select bucket, key, id, env_id, user_id, notification_id, sub_id, channel, zone, item::jsonb
    from unnest(
      ${items.map(item => item.bucket)}::smallint[],
      ${items.map(headKey)}::text[],
      ${items.map(item => item.id)}::uuid[],
      ${items.map(item => item.envId)}::text[],
      ${items.map(item => item.userId)}::text[],
      ${items.map(item => item.notificationId)}::text[],
      ${items.map(item => item.subId)}::text[],
      ${items.map(item => item.channel)}::text[],
      ${items.map(item => item.zone ?? null)}::text[],
      ${items.map(item => JSON.stringify(item.part))}::text[]
    ) as r(bucket, key, id, env_id, user_id, notification_id, sub_id, channel, zone, item)`
}

/**
 * After what decides about a user's digests was changed, as a statement or a part of one: its heads are due at once, to be
 * looked at again. Whoever has one of them in hand loses it.
 *
 * @param zone - the user's zone is this one now; those that were worked out in it stay. Absent: something else was changed
 * @param where - a further condition; the heads are locked after it is known
 */
export const revisiting = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  zone?: string,
  where: Fragment = query`true`
): Fragment => query`
  update outbox o set run_at = now(), token = case token when 32767 then 1 else token + 1 end,
    tries_left = ${TRIES}, leased = false
  from (
    select bucket, id from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and lane = 'DIGEST'
      and (${zone ?? null}::text is null or body ->> 'zone' <> ${zone ?? null}) and ${where}
    order by bucket, key for update) mine
  where o.bucket = ${bucket} and o.bucket = mine.bucket and o.id = mine.id`

/** Removes the heads that are still ours, in key order; their items stay locked until the commit. @returns their ids */
export async function takeHeads(tx: Tx, group: Group, rows: readonly Claimed[]): Promise<Set<string>> {
  // All heads of these users, because items may move between them: those who change preferences lock them likewise.
  await tx`
    select from outbox o
    join (select distinct bucket, env_id, user_id from unnest(${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.envId)}::text[], ${rows.map(row => row.userId)}::text[]) as r(bucket, env_id, user_id)) u
      on o.bucket = u.bucket and o.env_id = u.env_id and o.user_id = u.user_id
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[])) and o.lane = 'DIGEST'
    order by o.bucket, o.key for update of o`
  const gone = await tx<{ id: string }[]>`
    with mine as materialized (
      select o.bucket, o.id
      from outbox o join unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
        ${rows.map(row => row.token)}::smallint[]) as f(bucket, id, token)
        on o.bucket = f.bucket and o.id = f.id and o.token = f.token
      where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      order by o.bucket, o.key for update of o)
    delete from outbox o using mine
    where (${group.buckets}::smallint[] is null or o.bucket = any(${group.buckets}::smallint[]))
      and o.bucket = mine.bucket and o.id = mine.id
    returning o.id`
  return new Set(gone.map(row => row.id))
}

interface HeadOf {
  readonly bucket: number
  readonly key: string
}

/** Items of one head and one sub-notification. */
export interface Bundle extends HeadOf {
  readonly subId: string
  /** Of the newest item of the head. */
  readonly zone: string | null
}

export const readBundles = (tx: Tx, group: Group, heads: readonly HeadOf[]): Promise<Bundle[]> => tx<
  Bundle[]
>`
  select i.bucket, i.key, i.sub_id as "subId", z.zone
  from (
    select d.bucket, d.key, d.sub_id
    from digest_items d join unnest(${heads.map(head => head.bucket)}::smallint[], ${heads.map(head => head.key)}::text[])
      as h(bucket, key) on d.bucket = h.bucket and d.key = h.key
    where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
    group by d.bucket, d.key, d.sub_id) i
  left join lateral (
    select d.zone from digest_items d
    where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
      and d.bucket = i.bucket and d.key = i.key
    order by d.added_at desc, d.id desc limit 1) z on true`

export interface StoredItem extends HeadOf {
  /** Tracking id. */
  readonly id: string
  readonly part: Part
  /** How many there are under the head. */
  readonly all: number
}

type Chosen = Pick<Bundle, 'bucket' | 'key' | 'subId'>

const bundleColumns = (bundles: readonly Chosen[]) => ({
  buckets: bundles.map(bundle => bundle.bucket),
  keys: bundles.map(bundle => bundle.key),
  subs: bundles.map(bundle => bundle.subId)
})

/** Oldest first, of each head as many as fit into one digest; at least one. */
export function readItems(
  tx: Tx,
  group: Group,
  chosen: readonly Chosen[],
  { items, bytes }: { readonly items: number; readonly bytes: number }
): Promise<StoredItem[]> {
  const { buckets, keys, subs } = bundleColumns(chosen)
  return tx<StoredItem[]>`
    select bucket, key, id, item as part, "all"
    from (
      select d.bucket, d.key, d.id, d.item, row_number() over oldest as n,
        sum(octet_length(d.item::text)) over oldest as size, count(*) over (partition by d.bucket, d.key)::int as "all"
      from digest_items d
      join unnest(${buckets}::smallint[], ${keys}::text[], ${subs}::text[]) as b(bucket, key, sub_id)
        on d.bucket = b.bucket and d.key = b.key and d.sub_id = b.sub_id
      where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
      window oldest as (partition by d.bucket, d.key order by d.added_at, d.id)) i
    where n <= ${items} and (n = 1 or size <= ${bytes})
    order by bucket, key, n`
}

export async function deleteItems(
  tx: Tx,
  group: Group,
  items: readonly Pick<StoredItem, 'bucket' | 'key' | 'id'>[]
): Promise<void> {
  if (items.length === 0) return
  await tx`
    delete from digest_items d
    using unnest(${items.map(item => item.bucket)}::smallint[], ${items.map(item => item.key)}::text[],
      ${items.map(item => item.id)}::uuid[]) as r(bucket, key, id)
    where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
      and d.bucket = r.bucket and d.key = r.key and d.id = r.id`
}

export type Dropped = Pick<StoredItem, 'bucket' | 'key' | 'id'> & { readonly subId: string }

export async function dropBundles(tx: Tx, group: Group, chosen: readonly Chosen[]): Promise<Dropped[]> {
  if (chosen.length === 0) return []
  const { buckets, keys, subs } = bundleColumns(chosen)
  return tx<Dropped[]>`
    delete from digest_items d
    using unnest(${buckets}::smallint[], ${keys}::text[], ${subs}::text[]) as b(bucket, key, sub_id)
    where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
      and d.bucket = b.bucket and d.key = b.key and d.sub_id = b.sub_id
    returning d.bucket, d.key, d.id, d.sub_id as "subId"`
}

/** Under other heads, which the caller has added. */
export async function moveBundles(
  tx: Tx,
  group: Group,
  moves: readonly (Chosen & { readonly to: string })[]
): Promise<void> {
  if (moves.length === 0) return
  const { buckets, keys, subs } = bundleColumns(moves)
  await tx`
    update digest_items d set key = b.target
    from unnest(${buckets}::smallint[], ${keys}::text[], ${subs}::text[], ${moves.map(move => move.to)}::text[])
      as b(bucket, key, sub_id, target)
    where (${group.buckets}::smallint[] is null or d.bucket = any(${group.buckets}::smallint[]))
      and d.bucket = b.bucket and d.key = b.key and d.sub_id = b.sub_id`
}
