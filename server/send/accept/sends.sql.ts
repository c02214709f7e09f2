// What sends write: their log, which is insert-only but for what a schedule decides when its time has come, and the rest in
// one statement with it, so that most groups need no transaction of their own.
//
// Lock order: heads of inboxes, because the statement returns them, then topics. New rows meet nobody.

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import type { Fragment, Group, Query, Tx } from '../../db/db.ts'
import type { InboxCounters } from '../../inbox/change-items.sql.ts'
import { appendFragment, type NewItem } from '../../inbox/items.sql.ts'
import { enqueuing, type NewRow } from '../../queue/outbox.sql.ts'
import { insertReceivedTopics, type ReceivedTopic } from '../../users/preferences/preferences.sql.ts'
import { userVersion } from '../../users/users.sql.ts'

export interface SendRow extends UserKey {
  /** Tracking id. */
  readonly id: string
  readonly notificationId: string
  readonly subId: string
  /** JSON texts. */
  readonly body: string
  readonly decisions: string
  readonly warnings: string
  /** Erasure epoch when the user was read (users/privacy/erasure-epoch.sql.ts). Not stored. */
  readonly erasureEpoch: number
  /** Version of the user that was kept from an earlier send (contacts.ts); undefined: just read. Not stored. */
  readonly kept?: string
}

/** Texts, not jsonb values, so that the driver makes no second JSON of them. */
const insertingSends = (query: Query, rows: readonly SendRow[]): Fragment =>
  query`
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

/**
 * Fails where somebody was erased since the users were read, because what is written may hold what was erased, and where a
 * user who was kept has changed.
 */
const fencing = (query: Query, rows: readonly SendRow[]): Fragment => {
  const places = [
    ...new Map(rows.map(row => [`${row.bucket} ${row.erasureEpoch} ${row.envId}`, row])).values()
  ]
  const kept = [
    ...new Map(
      rows.filter(row => row.kept !== undefined).map(row => [`${row.envId}\0${row.userId}\0${row.kept}`, row])
    ).values()
  ]
  const unchanged = query`
    union all
    select outdated() from unnest(${kept.map(row => row.bucket)}::smallint[], ${kept.map(row => row.envId)}::text[],
      ${kept.map(row => row.userId)}::text[], ${kept.map(row => row.kept!)}::text[]) as r(bucket, env_id, user_id, kept)
    left join users u on u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.user_id
    where ${userVersion(query)} <> r.kept`
  return query`
    select outdated() from unnest(${places.map(row => row.bucket)}::smallint[], ${places.map(row => row.envId)}::text[],
      ${places.map(row => row.erasureEpoch)}::bigint[]) as r(bucket, env_id, epoch)
    join erasure_epochs e on e.bucket = r.bucket and e.env_id = r.env_id and e.epoch <> r.epoch
    ${kept.length > 0 ? unchanged : query``}`
}

/** What a send writes here, beside its row of the log. */
export interface Writing {
  readonly item?: NewItem
  /** What the user is sent for the first time. */
  readonly first?: ReceivedTopic
  readonly outbox: readonly NewRow[]
}

/**
 * All or nothing. Where somebody was erased since the users were read, or has changed since, it is nothing.
 *
 * @param sends - new rows of the log
 * @returns to be published after the commit
 */
export async function writeSends(
  query: Query,
  drafts: readonly Writing[],
  sends: readonly SendRow[]
): Promise<readonly InboxEvent[]> {
  const items = drafts.flatMap(({ item }) => item ?? [])
  const outbox = drafts.flatMap(draft => draft.outbox)
  const topics = drafts.flatMap(({ first }) => first ?? [])
  const inboxes = items.length > 0 ? appendFragment(query, items) : undefined
  const parts: Fragment[] = []
  if (sends.length > 0) {
    parts.push(query`fenced as materialized (${fencing(query, sends)})`)
    parts.push(query`sent as (${insertingSends(query, sends)})`)
  }
  if (inboxes) parts.push(inboxes.ctes)
  if (outbox.length > 0) parts.push(query`queued as (${enqueuing(query, outbox)})`)
  if (topics.length > 0) parts.push(query`remembered as (${insertReceivedTopics(query, topics)})`)
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => query`${before}, ${part}`)
  const passed = sends.length > 0 ? query`where (select count(*) from fenced) = 0` : query``
  const heads = await query<
    InboxCounters[]
  >`with ${all} select ${inboxes ? query`* from heads` : query`1`} ${passed}`
  return inboxes?.toEvents(heads) ?? []
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
