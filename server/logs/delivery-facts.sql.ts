// Everything that is kept about some sends: their tries, what waits, what died, what the network said, the inbox.

import { lowestIdAt, timeInId } from '../core/id.ts'
import type { Group } from '../db/db.ts'
import { toChannel } from '../queue/queues.ts'
import type { AttemptFact, DeadFact, Facts, ItemFact, ReceiptFact, SendFacts, WaitingFact } from './facts.ts'
import { SKEW } from './query/time-range.ts'

/** @param sends - of the group, all of them */
export async function readFacts({ buckets, sql }: Group, sends: readonly SendFacts[]): Promise<Facts[]> {
  if (sends.length === 0) return []
  const oldest = sends.reduce((least, { id }) => (id < least ? id : least), sends[0]!.id)
  const low = lowestIdAt(timeInId(oldest) - SKEW)
  const homes = sends.map(send => send.bucket)
  // What went out in a digest is logged under the send that leads it, which is of the same user.
  const own = sends.map(send => send.id)
  const ids = [...new Set([...own, ...sends.flatMap(({ digests }) => Object.values(digests ?? {}))])]
  type Of<T> = T & { readonly sendId: string }
  const [attempts, waiting, collected, dead, receipts, items] = await Promise.all([
    sql<Of<AttemptFact>[]>`
      select a.send_id as "sendId", a.id, a.delivery_id as "deliveryId", a.channel, a.claim_count as "claimCount", a.outcome, a.code,
        a.detail, a.provider_ref as ref, a.took_ms as "tookMs"
      from attempts a
      where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
        and a.bucket = any(${homes}::smallint[]) and a.send_id = any(${ids}::uuid[]) and a.id >= ${low}::uuid
      order by a.id`,
    sql<Of<WaitingFact>[]>`
      select o.send_id as "sendId", o.id, o.queue, o.run_at as "runAt", o.attempts_left as "attemptsLeft", o.leased
      from outbox o
      where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
        and o.bucket = any(${homes}::smallint[]) and o.send_id = any(${ids}::uuid[]) and o.queue <> 'EXPIRE'
      order by o.run_at`,
    sql<Of<WaitingFact>[]>`
      select i.id as "sendId", o.id, o.queue, to_timestamp((o.body ->> 'dueAt')::float8 / 1000) as "runAt",
        o.attempts_left as "attemptsLeft", o.leased, i.channel
      from digest_items i join outbox o on o.bucket = i.bucket and o.key = i.key
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
        and i.bucket = any(${homes}::smallint[]) and i.id = any(${own}::uuid[])`,
    sql<Of<DeadFact>[]>`
      select d.send_id as "sendId", d.id, d.queue, d.code, d.detail, d.died_at as "diedAt"
      from dead_letters d
      where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
        and d.bucket = any(${homes}::smallint[]) and d.send_id = any(${ids}::uuid[])
      order by d.died_at`,
    sql<Of<ReceiptFact>[]>`
      select r.send_id as "sendId", r.id, r.channel, r.outcome, r.code, r.detail
      from receipts r
      where (${buckets}::smallint[] is null or r.bucket = any(${buckets}::smallint[]))
        and r.bucket = any(${homes}::smallint[]) and r.send_id = any(${ids}::uuid[])
      order by r.id`,
    sql<Of<ItemFact>[]>`
      select i.id as "sendId", i.seq as at, i.removed, i.opened_at as "openedAt", i.clicked_at as "clickedAt",
        i.archived_at as "archivedAt"
      from unnest(${homes}::smallint[], ${sends.map(send => send.envId)}::text[],
        ${sends.map(send => send.userId)}::text[], ${own}::uuid[]) as w(bucket, env_id, user_id, id)
      join inbox_items i on i.bucket = w.bucket and i.env_id = w.env_id and i.user_id = w.user_id and i.id = w.id
      where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))`
  ])
  const of = <T extends { readonly sendId: string }>(
    rows: readonly T[],
    channelOfRow: (row: T) => string
  ) => {
    const groups = Map.groupBy(rows, row => row.sendId)
    return ({ digests, id }: SendFacts): readonly T[] => [
      ...(groups.get(id) ?? []),
      ...Object.entries(digests ?? {}).flatMap(([channel, leader]) =>
        leader === id ? [] : (groups.get(leader) ?? []).filter(row => channelOfRow(row) === channel)
      )
    ]
  }
  const attemptsOf = of(attempts, row => row.channel)
  const waitingOf = of([...waiting, ...collected], row => toChannel(row.queue))
  const deadOf = of(dead, row => toChannel(row.queue))
  const receiptsOf = of(receipts, row => row.channel)
  const itemOf = new Map(items.map(item => [item.sendId, item]))
  return sends.map(send => {
    const item = itemOf.get(send.id)
    return {
      attempts: attemptsOf(send),
      dead: deadOf(send),
      receipts: receiptsOf(send),
      send,
      waiting: waitingOf(send),
      ...(item && { item })
    }
  })
}
