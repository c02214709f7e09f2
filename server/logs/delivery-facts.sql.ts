// Reads the delivery facts of sends: attempts, queued rows, dead letters, receipts and inbox items.

import { lowestIdAt, timeInId } from '../core/id.ts'
import type { DatabaseGroup, Fragment, Query } from '../db/db.ts'
import { inGroup, unnest, USER_KEY_COLUMNS } from '../db/sql-helpers.ts'
import { toChannel } from '../queue/queues.ts'
import { CLOSED, NOT_CLOSED } from '../send/after-read/close-body.ts'
import {
  queuedChannel,
  type AttemptFacts,
  type DeadLetterFacts,
  type DeliveryFacts,
  type FollowerFacts,
  type ItemFacts,
  type ReceiptFacts,
  type SendFacts,
  type QueuedFacts
} from './delivery-facts.ts'
import { MAX_CLOCK_SKEW_MS } from './query/time-range.ts'

/** A row of a send that says what an action of its item sends to the back end. */
const webhookColumn = (query: Query, table: Fragment) =>
  query`case ${table}.queue when 'WEBHOOK'
    then jsonb_build_object('type', ${table}.body ->> 'type', 'actionId', ${table}.body ->> 'actionId') end as webhook`

const closesPush = (query: Query, table: Fragment): Fragment =>
  query`(${table}.queue in ('APN', 'FCM') and ${table}.body ? 'close')`

/**
 * Returns the condition that a row of the outbox or a dead letter delivers its send, and does not follow from the item: an expiry, a
 * webhook, or what closes a push. Those do not change the status of the send.
 */
export function deliversSend(query: Query, table: 'o' | 'd'): Fragment {
  const name = query`${query(table)}`
  return query`${name}.queue <> all('{EXPIRE,WEBHOOK}') and not ${closesPush(query, name)}`
}

/** @param sends - all in this database group */
export async function readDeliveryFacts(
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  sends: readonly SendFacts[]
): Promise<DeliveryFacts[]> {
  if (sends.length === 0) return []
  const { sql } = group
  const oldest = sends.reduce((least, { id }) => (id < least ? id : least), sends[0]!.id)
  const low = lowestIdAt(timeInId(oldest) - MAX_CLOCK_SKEW_MS)
  const sendBuckets = sends.map(send => send.bucket)
  // A digest is logged under the id of its first send, which belongs to the same user.
  const ownIds = sends.map(send => send.id)
  const ids = [...new Set([...ownIds, ...sends.flatMap(({ digests }) => Object.values(digests ?? {}))])]
  type WithSendId<T> = T & { readonly sendId: string }
  const [attempts, queued, digested, deadLetters, receipts, items] = await Promise.all([
    sql<WithSendId<AttemptFacts>[]>`
      select a.send_id as "sendId", a.id, a.delivery_id as "deliveryId", a.channel, a.claim_count as "claimCount", a.outcome, a.code,
        a.detail, a.provider_ref as "providerRef", a.took_ms as "tookMs", a.address, a.subject, a.content
      from attempts a
      where ${inGroup(group, 'a')}
        and a.bucket = any(${sendBuckets}::smallint[]) and a.send_id = any(${ids}::uuid[]) and a.id >= ${low}::uuid
      order by a.id`,
    sql<WithSendId<QueuedFacts>[]>`
      select o.send_id as "sendId", o.id, o.queue, o.run_at as "runAt", o.attempts_left as "attemptsLeft", o.leased as "isLeased",
        o.body ->> 'to' as to, o.body ->> 'channel' as channel, o.body ->> 'unless' as unless,
        case when o.queue = 'HELD' then o.body -> 'held' end as held, ${webhookColumn(sql, sql`o`)},
        ${closesPush(sql, sql`o`)} as "closesPush"
      from outbox o
      where ${inGroup(group, 'o')}
        and o.bucket = any(${sendBuckets}::smallint[]) and o.send_id = any(${ids}::uuid[]) and o.queue <> 'EXPIRE'
      order by o.run_at`,
    sql<WithSendId<QueuedFacts>[]>`
      select i.id as "sendId", o.id, o.queue, to_timestamp((o.body ->> 'dueAt')::float8 / 1000) as "runAt",
        o.attempts_left as "attemptsLeft", o.leased as "isLeased", i.channel
      from digest_items i join outbox o on o.bucket = i.bucket and o.key = i.key
      where ${inGroup(group, 'i')}
        and i.bucket = any(${sendBuckets}::smallint[]) and i.id = any(${ownIds}::uuid[])`,
    sql<WithSendId<DeadLetterFacts>[]>`
      select d.send_id as "sendId", d.id, d.queue, d.code, d.detail, d.died_at as "diedAt", d.body ->> 'to' as to,
        ${webhookColumn(sql, sql`d`)}, ${closesPush(sql, sql`d`)} as "closesPush"
      from dead_letters d
      where ${inGroup(group, 'd')}
        and d.bucket = any(${sendBuckets}::smallint[]) and d.send_id = any(${ids}::uuid[])
      order by d.died_at`,
    sql<WithSendId<ReceiptFacts>[]>`
      select r.send_id as "sendId", r.id, r.channel, r.outcome, r.code, r.detail
      from receipts r
      where ${inGroup(group, 'r')}
        and r.bucket = any(${sendBuckets}::smallint[]) and r.send_id = any(${ids}::uuid[])
      order by r.id`,
    sql<WithSendId<ItemFacts>[]>`
      select i.id as "sendId", i.seq as at, i.removed, i.seen_at as "seenAt", i.opened_at as "openedAt",
        i.clicked_at as "clickedAt", i.archived_at as "archivedAt", i.snoozed_until as "snoozedUntil",
        i.actioned1_at as "actioned1At", i.actioned2_at as "actioned2At", i.updates, i.content ->> 'title' as title, i.content ->> 'body' as text
      from ${unnest(sql, 'w', sends, { ...USER_KEY_COLUMNS, id: 'uuid' })}
      join inbox_items i on i.bucket = w.bucket and i.env_id = w.env_id and i.user_id = w.user_id and i.id = w.id
      where ${inGroup(group, 'i')}`
  ])
  /** Groups rows by send; a send in a digest also gets the rows of the digest on its channel. */
  const groupBySend = <T extends { readonly sendId: string }>(
    rows: readonly T[],
    rowChannel: (row: T) => string
  ) => {
    const groups = Map.groupBy(rows, row => row.sendId)
    return ({ digests, id }: SendFacts): readonly T[] => [
      ...(groups.get(id) ?? []),
      ...Object.entries(digests ?? {}).flatMap(([channel, leader]) =>
        leader === id ? [] : (groups.get(leader) ?? []).filter(row => rowChannel(row) === channel)
      )
    ]
  }
  const attemptKind = ({ channel, outcome }: AttemptFacts): RowKind =>
    outcome === CLOSED || outcome === NOT_CLOSED ? 'closing' : channel === 'WEBHOOK' ? 'webhook' : 'delivery'
  const rowKind = ({ closesPush, webhook }: QueuedFacts | DeadLetterFacts): RowKind =>
    closesPush ? 'closing' : webhook ? 'webhook' : 'delivery'
  const attemptsByKind = Map.groupBy(attempts, attemptKind)
  const queuedByKind = Map.groupBy(queued, rowKind)
  const deadLettersByKind = Map.groupBy(deadLetters, rowKind)
  const attemptsBySend = groupBySend(attemptsByKind.get('delivery') ?? [], row => row.channel)
  const queuedBySend = groupBySend([...(queuedByKind.get('delivery') ?? []), ...digested], queuedChannel)
  const deadLettersBySend = groupBySend(deadLettersByKind.get('delivery') ?? [], row => toChannel(row.queue))
  const receiptsBySend = groupBySend(receipts, row => row.channel)
  const itemsBySend = new Map(items.map(item => [item.sendId, item]))
  /** Groups the rows that follow from the item of a send. */
  const groupFollowers = (kind: RowKind) => {
    const bySend = <T extends { readonly sendId: string }>(rows: readonly T[] = []) =>
      Map.groupBy(rows, row => row.sendId)
    const own = {
      attempts: bySend(attemptsByKind.get(kind)),
      deadLetters: bySend(deadLettersByKind.get(kind)),
      queued: bySend(queuedByKind.get(kind))
    }
    return ({ id }: SendFacts): FollowerFacts => ({
      attempts: own.attempts.get(id) ?? [],
      deadLetters: own.deadLetters.get(id) ?? [],
      queued: own.queued.get(id) ?? []
    })
  }
  const closingsOf = groupFollowers('closing')
  const webhooksOf = groupFollowers('webhook')
  return sends.map(send => {
    const item = itemsBySend.get(send.id)
    return {
      attempts: attemptsBySend(send),
      closings: closingsOf(send),
      deadLetters: deadLettersBySend(send),
      queued: queuedBySend(send),
      receipts: receiptsBySend(send),
      send,
      webhooks: webhooksOf(send),
      ...(item && { item })
    }
  })
}

/** Deliveries of the send, what closes its pushes, and webhooks of its item. */
type RowKind = 'delivery' | 'closing' | 'webhook'
