// Writes the sends of a batch: rows of the log, the inbox and the outbox in one statement, so that most batches need no
// transaction of their own.
//
// The log is insert-only, except for the decisions of a schedule when its time has come. Lock order: inbox counters, because
// the statement returns them, then topics. New rows conflict with no other transaction.

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { InboxCounters } from '../../inbox/change-items.sql.ts'
import { appendFragment, type NewItem } from '../../inbox/items.sql.ts'
import { insertOutboxRows, type NewOutboxRow } from '../../queue/outbox.sql.ts'
import { insertReceivedTopics, type ReceivedTopic } from '../../users/preferences/preferences.sql.ts'
import { userVersion } from '../../users/users.sql.ts'
import type { Decision } from '../plan/decision.ts'
import type { Send } from '../send-request.ts'
import { insertDecisionCounts } from './decision-counts.sql.ts'

export interface SendRow extends UserKey {
  /** Tracking id. */
  readonly id: string
  readonly notificationId: string
  readonly subId: string
  readonly body: Send
  readonly decisions: ReadonlyMap<Channel, Decision>
  /** Details of discarded channels, as `describeDecision` takes them. Default: none. */
  readonly details?: ReadonlyMap<Channel, string>
  readonly warnings: readonly string[]
  /** Erasure epoch at the time when the user was read (server/users/privacy). Not stored. */
  readonly erasureEpoch: number
  /** Version of the user in the contact cache; undefined if the user was just read. Not stored. */
  readonly cachedVersion?: string
}

const decisionsJson = ({ decisions }: Pick<SendRow, 'decisions'>): string =>
  JSON.stringify(Object.fromEntries(decisions))

const detailsJson = ({ details }: Pick<SendRow, 'details'>): string | null =>
  details === undefined || details.size === 0 ? null : JSON.stringify(Object.fromEntries(details))

const warningsJson = ({ warnings }: Pick<SendRow, 'warnings'>): string =>
  warnings.length === 0 ? '[]' : JSON.stringify(warnings)

/** The columns that change with a schedule, as JSON texts. */
export const sendColumns = (row: Pick<SendRow, 'body' | 'decisions' | 'details' | 'warnings'>) => ({
  body: JSON.stringify(row.body),
  decisions: decisionsJson(row),
  details: detailsJson(row),
  warnings: warningsJson(row)
})

/** Passes JSON as text, because the driver would encode a jsonb value a second time. */
const insertSends = (query: Query, rows: readonly SendRow[]): Fragment =>
  query`
    insert into sends (bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, details,
      warnings)
    select bucket, id, env_id, user_id, notification_id, sub_id, body::jsonb, decisions::jsonb, details::jsonb,
      warnings::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(row => row.notificationId)}::text[],
      ${rows.map(row => row.subId)}::text[],
      ${rows.map(row => JSON.stringify(row.body))}::text[],
      ${rows.map(decisionsJson)}::text[],
      ${rows.map(detailsJson)}::text[],
      ${rows.map(warningsJson)}::text[]
    ) as r(bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, details, warnings)`

/**
 * Fails if a user was erased since the users of the batch were read, because the rows may contain erased data, and if a user
 * from the contact cache has changed.
 */
const checkReads = (query: Query, rows: readonly SendRow[]): Fragment => {
  const epochs = [
    ...new Map(rows.map(row => [`${row.bucket} ${row.erasureEpoch} ${row.envId}`, row])).values()
  ]
  const cached = [
    ...new Map(
      rows
        .filter(row => row.cachedVersion !== undefined)
        .map(row => [`${row.envId}\0${row.userId}\0${row.cachedVersion}`, row])
    ).values()
  ]
  const unchanged = query`
    union all
    select outdated() from unnest(${cached.map(row => row.bucket)}::smallint[], ${cached.map(row => row.envId)}::text[],
      ${cached.map(row => row.userId)}::text[], ${cached.map(row => row.cachedVersion!)}::text[])
      as r(bucket, env_id, user_id, version)
    left join users u on u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.user_id
    where ${userVersion(query)} <> r.version`
  return query`
    select outdated() from unnest(${epochs.map(row => row.bucket)}::smallint[], ${epochs.map(row => row.envId)}::text[],
      ${epochs.map(row => row.erasureEpoch)}::bigint[]) as r(bucket, env_id, epoch)
    join erasure_epochs e on e.bucket = r.bucket and e.env_id = r.env_id and e.epoch <> r.epoch
    ${cached.length > 0 ? unchanged : query``}`
}

export interface SendWrites {
  readonly item?: NewItem
  /** Topic that the user receives for the first time. */
  readonly newTopic?: ReceivedTopic
  readonly outbox: readonly NewOutboxRow[]
}

/**
 * Writes all or nothing.
 *
 * @param rows - new rows of the log
 * @returns events to publish after the commit
 * @throws an error with `isOutdated` if a user was erased or has changed since the batch was prepared
 */
export async function writeSends(
  query: Query,
  sends: readonly SendWrites[],
  rows: readonly SendRow[]
): Promise<readonly InboxEvent[]> {
  const items = sends.flatMap(({ item }) => item ?? [])
  const outbox = sends.flatMap(send => send.outbox)
  const topics = sends.flatMap(({ newTopic }) => newTopic ?? [])
  const inboxes = items.length > 0 ? appendFragment(query, items) : undefined
  const parts: Fragment[] = []
  if (rows.length > 0) {
    parts.push(query`outdated_reads as materialized (${checkReads(query, rows)})`)
    parts.push(query`sent as (${insertSends(query, rows)})`)
    // A schedule is decided again when it is due.
    const counts = insertDecisionCounts(
      query,
      rows.filter(({ body }) => body.schedule === undefined)
    )
    if (counts) parts.push(query`counted as (${counts})`)
  }
  if (inboxes) parts.push(inboxes.ctes)
  if (outbox.length > 0) parts.push(query`queued as (${insertOutboxRows(query, outbox)})`)
  if (topics.length > 0) parts.push(query`remembered as (${insertReceivedTopics(query, topics)})`)
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => query`${before}, ${part}`)
  const isCurrent = rows.length > 0 ? query`where (select count(*) from outdated_reads) = 0` : query``
  const heads = await query<
    InboxCounters[]
  >`with ${all} select ${inboxes ? query`* from heads` : query`1`} ${isCurrent}`
  return inboxes?.toEvents(heads) ?? []
}

/** A send whose decisions are made anew. */
export type DecidedSend = Pick<
  SendRow,
  'bucket' | 'decisions' | 'details' | 'envId' | 'id' | 'notificationId' | 'warnings'
>

/** Stores the decisions about schedules whose time has come. A send that the log has deleted is skipped. */
export async function updateDecisions(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly DecidedSend[]
): Promise<void> {
  if (rows.length === 0) return
  const counts = insertDecisionCounts(tx, rows)
  await tx`
    ${counts ? tx`with counted as (${counts})` : tx``}
    update sends s set decisions = r.decisions::jsonb, details = r.details::jsonb, warnings = r.warnings::jsonb
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(decisionsJson)}::text[],
      ${rows.map(detailsJson)}::text[],
      ${rows.map(warningsJson)}::text[]
    ) as r(bucket, id, decisions, details, warnings)
    where ${inGroup(group, 's')} and s.bucket = r.bucket and s.id = r.id`
}
