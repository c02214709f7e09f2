// Reads the delivery facts of sends: attempts, queued rows, dead letters, receipts and inbox items.

import { lowestIdAt, timeInId } from '../core/id.ts'
import type { DatabaseGroup } from '../db/db.ts'
import { inGroup, unnest, USER_KEY_COLUMNS } from '../db/sql-helpers.ts'
import { toChannel } from '../queue/queues.ts'
import { CLOSED, NOT_CLOSED } from '../send/after-read/close-body.ts'
import {
  queuedChannel,
  type AttemptFacts,
  type DeadLetterFacts,
  type DeliveryFacts,
  type ItemFacts,
  type ReceiptFacts,
  type SendFacts,
  type QueuedFacts
} from './delivery-facts.ts'
import { MAX_CLOCK_SKEW_MS } from './query/time-range.ts'

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
        case o.queue when 'HELD' then o.body -> 'held' end as held
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
      select d.send_id as "sendId", d.id, d.queue, d.code, d.detail, d.died_at as "diedAt", d.body ->> 'to' as to
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
      select i.id as "sendId", i.seq as at, i.removed, i.opened_at as "openedAt", i.clicked_at as "clickedAt",
        i.archived_at as "archivedAt", i.content ->> 'title' as title, i.content ->> 'body' as text
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
  const isClosing = ({ outcome }: AttemptFacts): boolean => outcome === CLOSED || outcome === NOT_CLOSED
  const closingsBySend = Map.groupBy(attempts.filter(isClosing), row => row.sendId)
  const attemptsBySend = groupBySend(
    attempts.filter(row => !isClosing(row)),
    row => row.channel
  )
  const queuedBySend = groupBySend([...queued, ...digested], queuedChannel)
  const deadLettersBySend = groupBySend(deadLetters, row => toChannel(row.queue))
  const receiptsBySend = groupBySend(receipts, row => row.channel)
  const itemsBySend = new Map(items.map(item => [item.sendId, item]))
  return sends.map(send => {
    const item = itemsBySend.get(send.id)
    const closings = closingsBySend.get(send.id)
    return {
      ...(closings && { closings }),
      attempts: attemptsBySend(send),
      deadLetters: deadLettersBySend(send),
      queued: queuedBySend(send),
      receipts: receiptsBySend(send),
      send,
      ...(item && { item })
    }
  })
}
