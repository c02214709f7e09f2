// Reads and writes the items of digests. Every statement here requires the lock of the digest row (digest-rows.sql.ts).

import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { inGroup, unnest } from '../../db/sql-helpers.ts'
import { addDigests, type NewDigest } from './digest-rows.sql.ts'
import { digestRowKey, type DigestPart } from './digest.ts'

export interface NewDigestItem extends NewDigest {
  /** Tracking id. */
  readonly id: string
  readonly subId: string
  readonly zone: string | undefined
  readonly part: DigestPart
}

export async function addDigestItems(tx: Tx, items: readonly NewDigestItem[]): Promise<void> {
  if (items.length === 0) return
  await addDigests(tx, items)
  const columns = {
    bucket: 'smallint',
    id: 'uuid',
    env_id: 'text',
    user_id: 'text',
    notification_id: 'text',
    sub_id: 'text',
    channel: 'text',
    zone: 'text'
  } as const
  await tx`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, sub_id, channel, zone, item)
    select bucket, key, id, env_id, user_id, notification_id, sub_id, channel, zone, item::jsonb
    from ${unnest(tx, 'r', items, columns, { item: ['json', item => item.part], key: ['text', digestRowKey] })}`
}

interface RowKey {
  readonly bucket: number
  /** Key of the digest row. */
  readonly key: string
}

/** The items of one digest and one sub-notification. */
export interface ItemGroup extends RowKey {
  readonly subId: string
  /** Time zone of the newest item of the digest. */
  readonly zone: string | null
}

const ROW_KEY_COLUMNS = { bucket: 'smallint', key: 'text' } as const
const GROUP_KEY_COLUMNS = { ...ROW_KEY_COLUMNS, sub_id: 'text' } as const

export const readItemGroups = (
  tx: Tx,
  group: DatabaseGroup,
  digests: readonly RowKey[]
): Promise<ItemGroup[]> => tx<ItemGroup[]>`
  select i.bucket, i.key, i.sub_id as "subId", z.zone
  from (
    select d.bucket, d.key, d.sub_id
    from digest_items d join ${unnest(tx, 'r', digests, ROW_KEY_COLUMNS)} on d.bucket = r.bucket and d.key = r.key
    where ${inGroup(group, 'd')}
    group by d.bucket, d.key, d.sub_id) i
  left join lateral (
    select d.zone from digest_items d
    where ${inGroup(group, 'd')} and d.bucket = i.bucket and d.key = i.key
    order by d.added_at desc, d.id desc limit 1) z on true`

export interface StoredItem extends RowKey {
  /** Tracking id. */
  readonly id: string
  readonly part: DigestPart
  readonly itemCount: number
}

type ItemGroupKey = Pick<ItemGroup, 'bucket' | 'key' | 'subId'>

/** Returns the oldest items of each digest, as many as fit into one; at least one. Oldest first. */
export const readDigestItems = (
  tx: Tx,
  group: DatabaseGroup,
  groups: readonly ItemGroupKey[],
  limits: { readonly items: number; readonly bytes: number }
): Promise<StoredItem[]> => tx<StoredItem[]>`
  select bucket, key, id, item as part, item_count as "itemCount"
  from (
    select d.bucket, d.key, d.id, d.item, row_number() over oldest as n,
      sum(octet_length(d.item::text)) over oldest as size,
      count(*) over (partition by d.bucket, d.key)::int as item_count
    from digest_items d
    join ${unnest(tx, 'r', groups, GROUP_KEY_COLUMNS)}
      on d.bucket = r.bucket and d.key = r.key and d.sub_id = r.sub_id
    where ${inGroup(group, 'd')}
    window oldest as (partition by d.bucket, d.key order by d.added_at, d.id)) i
  where n <= ${limits.items} and (n = 1 or size <= ${limits.bytes})
  order by bucket, key, n`

export async function deleteDigestItems(
  tx: Tx,
  group: DatabaseGroup,
  items: readonly Pick<StoredItem, 'bucket' | 'key' | 'id'>[]
): Promise<void> {
  if (items.length === 0) return
  await tx`
    delete from digest_items d
    using ${unnest(tx, 'r', items, { ...ROW_KEY_COLUMNS, id: 'uuid' })}
    where ${inGroup(group, 'd')} and d.bucket = r.bucket and d.key = r.key and d.id = r.id`
}

export type DroppedItem = Pick<StoredItem, 'bucket' | 'key' | 'id'> & { readonly subId: string }

export async function dropItemGroups(
  tx: Tx,
  group: DatabaseGroup,
  groups: readonly ItemGroupKey[]
): Promise<DroppedItem[]> {
  if (groups.length === 0) return []
  return tx<DroppedItem[]>`
    delete from digest_items d
    using ${unnest(tx, 'r', groups, GROUP_KEY_COLUMNS)}
    where ${inGroup(group, 'd')} and d.bucket = r.bucket and d.key = r.key and d.sub_id = r.sub_id
    returning d.bucket, d.key, d.id, d.sub_id as "subId"`
}

/** Moves items to other digest rows, which have to exist. */
export async function moveItemGroups(
  tx: Tx,
  group: DatabaseGroup,
  moves: readonly (ItemGroupKey & { readonly to: string })[]
): Promise<void> {
  if (moves.length === 0) return
  await tx`
    update digest_items d set key = r.to_key
    from ${unnest(tx, 'r', moves, GROUP_KEY_COLUMNS, { to_key: ['text', ({ to }) => to] })}
    where ${inGroup(group, 'd')} and d.bucket = r.bucket and d.key = r.key and d.sub_id = r.sub_id`
}
