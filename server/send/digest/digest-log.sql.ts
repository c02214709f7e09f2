// Writes the outcome of digest items into the log of their sends.

import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { insertStoredDecisionCounts } from '../accept/decision-counts.sql.ts'

export interface DigestLogEntry {
  readonly bucket: number
  /** Tracking id. */
  readonly id: string
  readonly channel: string
  readonly decision: string
  /** Tracking id under which the digest is delivered and logged. */
  readonly leader?: string
  /** Of the decision, as `describeDecision` takes it. */
  readonly detail?: string
  readonly warning?: string
}

/** Skips sends that the log has deleted. */
export async function writeDigestLog(
  tx: Tx,
  group: DatabaseGroup,
  entries: readonly DigestLogEntry[]
): Promise<void> {
  if (entries.length === 0) return
  const sends = [...Map.groupBy(entries, ({ id }) => id).values()]
  const jsonByChannel = (
    ofSend: readonly DigestLogEntry[],
    value: (entry: DigestLogEntry) => string | undefined
  ): string => JSON.stringify(Object.fromEntries(ofSend.map(entry => [entry.channel, value(entry)])))
  await tx`
    with decided as (
    update sends s set decisions = s.decisions || r.decisions::jsonb,
      details = nullif(coalesce(s.details, '{}') || r.details::jsonb, '{}'),
      digests = nullif(coalesce(s.digests, '{}') || r.digests::jsonb, '{}'), warnings = s.warnings || r.warnings::jsonb
    from unnest(
      ${sends.map(([entry]) => entry!.bucket)}::smallint[],
      ${sends.map(([entry]) => entry!.id)}::uuid[],
      ${sends.map(ofSend => jsonByChannel(ofSend, entry => entry.decision))}::text[],
      ${sends.map(ofSend => jsonByChannel(ofSend, entry => entry.detail))}::text[],
      ${sends.map(ofSend => jsonByChannel(ofSend, entry => entry.leader))}::text[],
      ${sends.map(ofSend => JSON.stringify(ofSend.flatMap(({ warning }) => warning ?? [])))}::text[]
    ) as r(bucket, id, decisions, details, digests, warnings)
    where ${inGroup(group, 's')} and s.bucket = r.bucket and s.id = r.id
    returning s.bucket, s.env_id, s.notification_id, r.decisions::jsonb as decisions)
    ${insertStoredDecisionCounts(tx, 'decided')}`
}
