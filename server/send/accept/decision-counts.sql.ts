// Counts the decisions about channels, for the statistics of the log (server/logs/stats.ts).
//
// A count is written with the decisions that it counts, as a row of `log_count_deltas`, so that each decision counts once after any crash.
// Housekeeping adds these rows up. Deliveries are counted with their attempts (server/logs/attempt-log.sql.ts).

import type { Channel } from '#protocol'

import type { Fragment, Query } from '../../db/db.ts'
import { rowSource } from '../../db/sql-helpers.ts'
import type { Decision } from '../plan/decision.ts'

export interface Decided {
  readonly bucket: number
  readonly envId: string
  readonly notificationId: string
  readonly decisions: ReadonlyMap<Channel, Decision>
}

/** Decided again later, or followed by attempts. */
const WITHOUT_COUNT: readonly Decision[] = ['held', 'delayed', 'digest', 'digested', 'scheduled']

/** Only the inbox needs no provider, so that its decision is its result. */
const isCounted = (channel: Channel, decision: Decision): boolean =>
  decision === 'sent' ? channel === 'INAPP_WEB' : !WITHOUT_COUNT.includes(decision)

type Counts = Record<string, Record<string, number>>

const countedRows = rowSource<Decided & { readonly counts: Counts }>('r', {
  bucket: 'smallint',
  env_id: 'text',
  notification_id: 'text',
  counts: 'json'
})

/** @returns by environment and type: the number of each decision by channel */
function countDecisions(rows: readonly Decided[]): (Decided & { readonly counts: Counts })[] {
  const found = new Map<string, Decided & { readonly counts: Counts }>()
  for (const row of rows) {
    for (const [channel, decision] of row.decisions) {
      if (!isCounted(channel, decision)) continue
      const key = `${row.envId}\0${row.notificationId}`
      const { counts } = found.get(key) ?? found.set(key, { ...row, counts: {} }).get(key)!
      const ofChannel = (counts[channel] ??= {})
      ofChannel[decision] = (ofChannel[decision] ?? 0) + 1
    }
  }
  return [...found.values()]
}

/**
 * Returns the insert as a part of a statement.
 *
 * @param rows - all in one database group
 * @param asValues - as in `RowSource`
 * @returns undefined if there is nothing to count
 */
export function insertDecisionCounts(
  query: Query,
  rows: readonly Decided[],
  asValues = false
): Fragment | undefined {
  const counted = countDecisions(rows)
  if (counted.length === 0) return undefined
  return query`
    insert into log_count_deltas (bucket, id, env_id, notification_id, day, counts)
    select bucket, gen_random_uuid(), env_id, notification_id, (now() at time zone 'UTC')::date, counts::jsonb
    from ${countedRows(query, counted, asValues)}`
}

/**
 * Likewise, of decisions that a part of the statement returns.
 *
 * @param decided - name of that part: bucket, env_id, notification_id, and `decisions` as jsonb
 */
export const insertStoredDecisionCounts = (query: Query, decided: string): Fragment => query`
  insert into log_count_deltas (bucket, id, env_id, notification_id, day, counts)
  select min(bucket), gen_random_uuid(), env_id, notification_id, (now() at time zone 'UTC')::date,
    jsonb_build_object(channel, jsonb_object_agg(decision, count))
  from (
    select min(r.bucket) as bucket, r.env_id, r.notification_id, d.key as channel, d.value as decision, count(*) as count
    from ${query(decided)} r cross join lateral jsonb_each_text(r.decisions) d
    where d.value <> all(${WITHOUT_COUNT}::text[]) and (d.value <> 'sent' or d.key = 'INAPP_WEB')
    group by r.env_id, r.notification_id, d.key, d.value) c
  group by env_id, notification_id, channel`
