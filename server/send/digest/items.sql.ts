// What waits in digests. Whoever is here holds the heads of the items: heads.sql.ts.

import type { Group, Tx } from '../../db/db.ts'
import { headKey, type Part } from './digest.ts'
import { addHeads, type NewHead } from './heads.sql.ts'

export interface NewItem extends NewHead {
  /** Tracking id. */
  readonly id: string
  readonly subId: string
  /** What the send itself said. */
  readonly zone: string | undefined
  readonly part: Part
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
