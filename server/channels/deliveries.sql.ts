// Reads the sends of claimed rows, and stores what the next attempt of a delivery needs.

import type { DatabaseGroup } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { DeliveryBody } from './channel.ts'

/**
 * Returns the bodies of the sends of a claimed batch, by tracking id.
 *
 * @param maxBytes - of all bodies as they are stored: the first rows whose sum is not more are returned
 */
export async function readSends(
  group: DatabaseGroup,
  rows: readonly Pick<ClaimedRow, 'bucket' | 'sendId'>[],
  maxBytes: number
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const wanted = rows.filter(row => row.sendId !== null)
  if (wanted.length === 0) return new Map()
  // Without these bounds, Postgres opens the partitions of all days.
  const ids = wanted.map(row => row.sendId!).toSorted()
  const found = await group.work<{ id: string; body: Readonly<Record<string, unknown>> }[]>`
    select id, body from (
      select s.id, s.body, sum(pg_column_size(s.body)) over (order by w.n) as bytes
      from unnest(${wanted.map(row => row.bucket)}::smallint[], ${wanted.map(row => row.sendId)}::uuid[])
        with ordinality as w(bucket, id, n)
      join sends s on s.bucket = w.bucket and s.id = w.id
      where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))
        and s.id >= ${ids[0]!}::uuid and s.id <= ${ids.at(-1)!}::uuid) as sized
    where bytes <= ${maxBytes}`
  return new Map(found.map(({ id, body }) => [id, body]))
}

/**
 * Stores the addresses that have their copy of an email; the next attempt leaves them out. That is true whichever worker has
 * claimed the row by now, so the claim count is not compared.
 */
export async function recordDeliveredCopies(
  { work }: DatabaseGroup,
  { bucket, id }: Pick<ClaimedRow, 'bucket' | 'id'>,
  addresses: readonly string[]
): Promise<void> {
  await work`
    update outbox set body = body || jsonb_build_object('deliveredTo', ${addresses}::text[])
    where bucket = ${bucket} and id = ${id}`
}

/** Stores the addresses of redriven rows, so that the log shows where they go. A row that was claimed again meanwhile is skipped. */
export async function storeAddresses(
  group: DatabaseGroup,
  rows: readonly Pick<ClaimedRow, 'body' | 'bucket' | 'claimCount' | 'id'>[]
): Promise<void> {
  const addresses = rows.map(({ body }) => {
    const { device, to } = body as DeliveryBody
    return JSON.stringify({ device, to })
  })
  await group.work`
    update outbox o set body = o.body - array['isRedriven', 'device'] || r.address::jsonb
    from unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.claimCount)}::smallint[], ${addresses}::text[]) as r(bucket, id, claim_count, address)
    where ${inGroup(group, 'o')} and o.bucket = r.bucket and o.id = r.id and o.claim_count = r.claim_count`
}
