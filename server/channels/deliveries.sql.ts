// What deliveries need from the log of accepted sends, and what a try leaves for the next one.

import type { DatabaseGroup } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'

/**
 * Bodies of the sends of a claimed batch, by tracking id.
 *
 * @param limit - bytes of all of them as they are stored: those of the first rows that are not more
 */
export async function readSends(
  group: DatabaseGroup,
  rows: readonly Pick<ClaimedRow, 'bucket' | 'sendId'>[],
  limit: number
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const wanted = rows.filter(row => row.sendId !== null)
  if (wanted.length === 0) return new Map()
  // Without them each claim opens the log of every day that is kept, to look at one or two.
  const ids = wanted.map(row => row.sendId!).toSorted()
  const found = await group.work<{ id: string; body: Readonly<Record<string, unknown>> }[]>`
    select id, body from (
      select s.id, s.body, sum(pg_column_size(s.body)) over (order by w.n) as bytes
      from unnest(${wanted.map(row => row.bucket)}::smallint[], ${wanted.map(row => row.sendId)}::uuid[])
        with ordinality as w(bucket, id, n)
      join sends s on s.bucket = w.bucket and s.id = w.id
      where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))
        and s.id >= ${ids[0]!}::uuid and s.id <= ${ids.at(-1)!}::uuid) as sized
    where bytes <= ${limit}`
  return new Map(found.map(({ id, body }) => [id, body]))
}

/** The next try of this mail leaves these addresses out. Whoever has the row by now: they have it. */
export async function recordDeliveredCopies(
  { work }: DatabaseGroup,
  { bucket, id }: Pick<ClaimedRow, 'bucket' | 'id'>,
  reached: readonly string[]
): Promise<void> {
  await work`
    update outbox set body = body || jsonb_build_object('reached', ${reached}::text[])
    where bucket = ${bucket} and id = ${id}`
}
