// The log of accepted sends. Insert-only, but for what a schedule decides when its time has come.

import type { Group, Query, Tx } from '../db/sql.ts'

export interface SendRow {
  readonly bucket: number
  /** Tracking id. */
  readonly id: string
  readonly envId: string
  readonly userId: string
  readonly notificationId: string
  readonly subId: string
  /** JSON texts. */
  readonly body: string
  readonly decisions: string
  readonly warnings: string
}

/** Texts, not jsonb values, so that the driver makes no second JSON of them. */
export async function insertSends(tx: Tx, rows: readonly SendRow[]): Promise<void> {
  await tx`
    insert into sends (bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, warnings)
    select bucket, id, env_id, user_id, notification_id, sub_id, body::jsonb, decisions::jsonb, warnings::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(row => row.notificationId)}::text[],
      ${rows.map(row => row.subId)}::text[],
      ${rows.map(row => row.body)}::text[],
      ${rows.map(row => row.decisions)}::text[],
      ${rows.map(row => row.warnings)}::text[]
    ) as r(bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, warnings)`
}

/** What was decided when the time of a schedule came. The log may have forgotten the send: that is no harm. */
export async function updateDecisions(
  tx: Tx,
  group: Group,
  rows: readonly Pick<SendRow, 'bucket' | 'id' | 'decisions' | 'warnings'>[]
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update sends s set decisions = r.decisions::jsonb, warnings = r.warnings::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.decisions)}::text[],
      ${rows.map(row => row.warnings)}::text[]
    ) as r(bucket, id, decisions, warnings)
    where (${group.buckets}::smallint[] is null or s.bucket = any(${group.buckets}::smallint[]))
      and s.bucket = r.bucket and s.id = r.id`
}

/** The database's clock in milliseconds since 1970. */
export async function databaseTime(query: Query): Promise<number> {
  const [row] = await query<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return row!.ms
}
