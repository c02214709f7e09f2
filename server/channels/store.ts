// What deliveries need from the log of accepted sends.

import type { Group } from '../db/sql.ts'
import type { Claimed } from '../queue/outbox.ts'

/** Bodies of the sends of a claimed batch, by tracking id. */
export async function readSends(
  group: Group,
  rows: readonly Pick<Claimed, 'bucket' | 'sendId'>[]
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const wanted = rows.filter(row => row.sendId !== null)
  if (wanted.length === 0) return new Map()
  const found = await group.work<{ id: string; body: Readonly<Record<string, unknown>> }[]>`
    select s.id, s.body
    from unnest(${wanted.map(row => row.bucket)}::smallint[], ${wanted.map(row => row.sendId)}::uuid[])
      as w(bucket, id)
    join sends s on s.bucket = w.bucket and s.id = w.id
    where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))`
  return new Map(found.map(({ id, body }) => [id, body]))
}
