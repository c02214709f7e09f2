// The DIGEST queue: a head that is due becomes the deliveries of its digest, in one transaction and without the network, so
// each item is in exactly one. A head whose user has changed something is looked at again.
//
// What is decided here was read before the transaction; who changes it moves the token of the head, and we come to nothing.

import { placementHash, uuidv7 } from '../../core/id.ts'
import type { Group, Tx } from '../../db/db.ts'
import type { Context } from '../../process/context.ts'
import { enqueue, type NewRow } from '../../queue/outbox.sql.ts'
import type { DatabaseJob } from '../../queue/queue-job.ts'
import type { QueueName } from '../../queue/queues.ts'
import { digestOf, fateOf } from './build.ts'
import { logFates, type Fate } from './digest-log.sql.ts'
import { headKey, type DigestKey } from './digest.ts'
import { addHeads, takeHeads, type NewHead } from './heads.sql.ts'
import { deleteItems, dropBundles, moveBundles, readBundles, readItems, type Bundle } from './items.sql.ts'
import { readHeads, type Head } from './read-heads.ts'
import { settle, type Settled } from './resolve-schedule.ts'

/** Milliseconds for one batch. */
const LEASE = 30_000
/** Heads of one transaction: each may have many items. */
const BATCH = 20

/** Bounds of one digest; the rest comes in another one at the same time. */
export interface DigestLimits {
  readonly items: number
  /** Of the sends. */
  readonly bytes: number
}

/** A reader reads no longer digest, and 10 MB is what a batch of heads may hold in memory for each. */
const DIGEST_LIMITS: DigestLimits = { bytes: 10_000_000, items: 500 }

export function digestJob(context: Context, given: Partial<DigestLimits> = {}): DatabaseJob {
  const limits = { ...DIGEST_LIMITS, ...given }
  return {
    batch: BATCH,
    kind: 'step',
    lease: LEASE,
    name: 'DIGEST',
    async run(rows, group) {
      const now = context.clock()
      const heads = await readHeads(context, group, rows)
      const queues = (await group.work.begin(tx =>
        write(context, tx, group, heads, { limits, now })
      )) as Set<QueueName>
      if (queues.size > 0) context.queues.wake(queues)
    }
  }
}

type Word = Bundle & { readonly settled: Settled }

async function write(
  context: Context,
  tx: Tx,
  group: Group,
  all: readonly Head[],
  { limits, now }: { readonly limits: DigestLimits; readonly now: number }
): Promise<ReadonlySet<QueueName>> {
  const mine = await takeHeads(
    tx,
    group,
    all.map(({ row }) => row)
  )
  const heads = new Map(all.filter(({ row }) => mine.has(row.id)).map(head => [head.key, head]))
  const bundles = await readBundles(tx, group, [...heads.values()])
  const words = bundles.map((bundle): Word => {
    const settled = wordOf(heads.get(bundle.key)!, bundle, now, context.config.timezone)
    return Object.assign(bundle, { settled })
  })
  const dropped = words.filter(({ settled }) => settled.fate === 'dropped')
  const fates: Fate[] = (await dropBundles(tx, group, dropped)).map(item => {
    const { channel, notificationId } = heads.get(item.key)!
    const word = dropped.find(({ key, subId }) => key === item.key && subId === item.subId)!
    const decision = word.settled.fate === 'dropped' ? word.settled.decision : 'type-off'
    return fateOf(item, channel, notificationId, decision)
  })
  const out = words.filter(({ settled }) => settled.fate === 'out')
  const taken = out.length > 0 ? await readItems(tx, group, out, limits) : []
  await deleteItems(tx, group, taken)
  const rows: NewRow[] = []
  const later: NewHead[] = []
  for (const own of Map.groupBy(taken, ({ key }) => key).values()) {
    const head = heads.get(own[0]!.key)!
    const made = digestOf(head, own, now)
    rows.push(...made.rows)
    fates.push(...made.fates)
    // What was too much for one comes in another, at once.
    if (own[0]!.all > own.length) later.push(headOf(head, head, { at: 0, later: 0, zone: head.zone }, now))
  }
  const moves = words.flatMap(({ bucket, key, settled, subId }) => {
    if (settled.fate !== 'waits') return []
    const head = heads.get(key)!
    const { due, period } = settled
    const next = headOf(head, { ...head, period }, due, now)
    later.push(next)
    return { bucket, key, subId, to: headKey(next) }
  })
  await addHeads(tx, later)
  await moveBundles(
    tx,
    group,
    moves.filter(({ key, to }) => key !== to)
  )
  await enqueue(tx, rows)
  await logFates(tx, group, fates)
  return new Set(rows.map(row => row.queue))
}

function wordOf(head: Head, { subId, zone: said }: Bundle, now: number, zone: string): Settled {
  const { environment } = head
  if (!environment) return { decision: 'type-off', fate: 'dropped' }
  return settle({
    ...head,
    environment: environment.settings,
    now,
    ownZone: said ?? head.contact.timezone,
    subNotificationId: subId,
    zone
  })
}

const headOf = (
  { envId, userId }: Head,
  { bucket, channel, notificationId, period }: DigestKey,
  due: NewHead['due'],
  now: number
): NewHead => ({
  bucket,
  channel,
  due,
  envId,
  headId: uuidv7(placementHash(envId, userId), now),
  notificationId,
  period,
  userId
})
