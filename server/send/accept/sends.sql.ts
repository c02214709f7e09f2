// Writes the sends of a batch: rows of the log, the inbox and the outbox in one statement, so that most batches need no
// transaction of their own.
//
// The log is insert-only, except for the decisions of a schedule when its time has come. Lock order: inbox counters, because
// the statement returns them, then topics. New rows conflict with no other transaction.

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import type { Fragment, DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { inGroup, inGroupOf, rowSource, sharesPool, USER_KEY_COLUMNS } from '../../db/sql-helpers.ts'
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
const newSends = rowSource<SendRow>(
  'r',
  { ...USER_KEY_COLUMNS, id: 'uuid', notification_id: 'text', sub_id: 'text', body: 'json' },
  { decisions: ['text', decisionsJson], details: ['text', detailsJson], warnings: ['text', warningsJson] }
)

const insertSends = (query: Query, rows: readonly SendRow[], isSingle: boolean): Fragment =>
  query`
    insert into sends (bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, details,
      warnings)
    select bucket, id, env_id, user_id, notification_id, sub_id, body::jsonb, decisions::jsonb, details::jsonb,
      warnings::jsonb
    from ${newSends(query, rows, isSingle)}`

const readEpochs = rowSource<SendRow>(
  'r',
  { bucket: 'smallint', env_id: 'text' },
  { epoch: ['bigint', row => row.erasureEpoch] }
)
const cachedUsers = rowSource<SendRow>('r', USER_KEY_COLUMNS, { version: ['text', row => row.cachedVersion] })

/** The first row of each key. */
const distinct = (rows: readonly SendRow[], key: (row: SendRow) => string): readonly SendRow[] =>
  rows.length < 2 ? rows : [...new Map(rows.map(row => [key(row), row])).values()]

/**
 * Fails if a user was erased since the users of the batch were read, because the rows may contain erased data, and if a user
 * from the contact cache has changed.
 */
const checkReads = (query: Query, rows: readonly SendRow[], isSingle: boolean): Fragment => {
  const epochs = distinct(rows, row => `${row.bucket} ${row.erasureEpoch} ${row.envId}`)
  const cached = distinct(
    rows.filter(row => row.cachedVersion !== undefined),
    row => `${row.envId}\0${row.userId}\0${row.cachedVersion}`
  )
  const unchanged = query`
    union all
    select outdated() from ${cachedUsers(query, cached, isSingle)}
    left join users u on ${inGroupOf(query, 'u')} and u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.user_id
    where ${userVersion(query)} <> r.version`
  return query`
    select outdated() from ${readEpochs(query, epochs, isSingle)}
    join erasure_epochs e on ${inGroupOf(query, 'e')} and e.bucket = r.bucket and e.env_id = r.env_id and e.epoch <> r.epoch
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
 * @param rows - new sends, which are checked and counted
 * @param logged - those that get a row of the log. Default: all of them
 * @returns events to publish after the commit
 * @throws an error with `isOutdated` if a user was erased or has changed since the batch was prepared
 */
export async function writeSends(
  query: Query,
  sends: readonly SendWrites[],
  rows: readonly SendRow[],
  logged = rows
): Promise<readonly InboxEvent[]> {
  if (sharesPool(query))
    return 'begin' in query
      ? query.begin(tx => writeInSteps(tx, sends, rows, logged))
      : writeInSteps(query, sends, rows, logged)
  const { counts, inboxes, isSingle, queued, topics } = prepareWrites(query, sends, rows)
  const parts: Fragment[] = []
  if (rows.length > 0) {
    parts.push(query`outdated_reads as materialized (${checkReads(query, rows, isSingle)})`)
    if (logged.length > 0) parts.push(query`sent as (${insertSends(query, logged, isSingle)})`)
    if (counts) parts.push(query`counted as (${counts})`)
  }
  if (inboxes) parts.push(inboxes.ctes)
  if (queued) parts.push(query`queued as (${queued})`)
  if (topics) parts.push(query`remembered as (${topics})`)
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => query`${before}, ${part}`)
  const isCurrent = rows.length > 0 ? query`where (select count(*) from outdated_reads) = 0` : query``
  const heads = await query<
    InboxCounters[]
  >`with ${all} select ${inboxes ? query`* from heads` : query`1`} ${isCurrent}`
  return inboxes?.toEvents(heads) ?? []
}

function prepareWrites(query: Query, sends: readonly SendWrites[], rows: readonly SendRow[]) {
  const items = sends.flatMap(({ item }) => item ?? [])
  const outbox = sends.flatMap(send => send.outbox)
  const topics = sends.flatMap(({ newTopic }) => newTopic ?? [])
  // Most batches of a quiet server hold one send.
  const isSingle = rows.length === 1
  // A schedule is decided again when it is due.
  const decided = rows.filter(({ body }) => body.schedule === undefined)
  return {
    counts: insertDecisionCounts(query, decided, isSingle),
    inboxes: items.length > 0 ? appendFragment(query, items, isSingle) : undefined,
    isSingle,
    queued: outbox.length > 0 ? insertOutboxRows(query, outbox, isSingle) : undefined,
    topics: topics.length > 0 ? insertReceivedTopics(query, topics) : undefined
  }
}

/**
 * Writes the same in a transaction. Citus would send rows that an insert gets from another part of its statement to every node, so
 * the statement would fail while any node is down.
 */
async function writeInSteps(
  query: Query,
  sends: readonly SendWrites[],
  rows: readonly SendRow[],
  logged: readonly SendRow[]
): Promise<readonly InboxEvent[]> {
  const { counts, inboxes, isSingle, queued, topics } = prepareWrites(query, sends, rows)
  if (rows.length > 0) await query`${checkReads(query, rows, isSingle)}`
  const heads = inboxes ? await query<InboxCounters[]>`${inboxes.insertHeads}` : []
  // Sent together, in this order. All are awaited, so that no statement follows the rollback of a failed one.
  const statements = [
    logged.length > 0 ? insertSends(query, logged, isSingle) : undefined,
    counts,
    inboxes?.insertItems(heads),
    queued,
    topics
  ].flatMap(statement => (statement ? [query`${statement}`] : []))
  await Promise.allSettled(statements)
  await Promise.all(statements)
  return inboxes?.toEvents(heads) ?? []
}

/** A send whose decisions are made anew. */
export type DecidedSend = Pick<
  SendRow,
  'bucket' | 'decisions' | 'details' | 'envId' | 'id' | 'notificationId' | 'warnings'
>

const decidedSends = rowSource<DecidedSend>(
  'r',
  { bucket: 'smallint', id: 'uuid' },
  { decisions: ['text', decisionsJson], details: ['text', detailsJson], warnings: ['text', warningsJson] }
)

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
    from ${decidedSends(tx, rows)}
    where ${inGroup(group, 's')} and s.bucket = r.bucket and s.id = r.id`
}
