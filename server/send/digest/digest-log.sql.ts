// What became of items, written into the log of their sends.

import type { Group, Tx } from '../../db/db.ts'

export interface Fate {
  readonly bucket: number
  /** Tracking id. */
  readonly id: string
  readonly channel: string
  readonly decision: string
  /** Send under whose id the digest is delivered and logged. */
  readonly leader?: string
  readonly warning?: string
}

/** The log may have forgotten the sends: that is no harm. */
export async function logFates(tx: Tx, group: Group, fates: readonly Fate[]): Promise<void> {
  if (fates.length === 0) return
  const sends = [...Map.groupBy(fates, ({ id }) => id).values()]
  const json = (own: readonly Fate[], of: (fate: Fate) => string | undefined): string =>
    JSON.stringify(Object.fromEntries(own.map(fate => [fate.channel, of(fate)])))
  await tx`
    update sends s set decisions = s.decisions || r.decisions::jsonb,
      digests = nullif(coalesce(s.digests, '{}') || r.digests::jsonb, '{}'), warnings = s.warnings || r.warnings::jsonb
    from unnest(
      ${sends.map(([fate]) => fate!.bucket)}::smallint[],
      ${sends.map(([fate]) => fate!.id)}::uuid[],
      ${sends.map(own => json(own, fate => fate.decision))}::text[],
      ${sends.map(own => json(own, fate => fate.leader))}::text[],
      ${sends.map(own => JSON.stringify(own.flatMap(({ warning }) => warning ?? [])))}::text[]
    ) as r(bucket, id, decisions, digests, warnings)
    where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))
      and s.bucket = r.bucket and s.id = r.id`
}
