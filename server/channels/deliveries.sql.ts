// Reads the sends of claimed rows, and stores what the next attempt of a delivery needs.

import type { DatabaseGroup } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'

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
