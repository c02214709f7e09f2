// The database job of digests: turns the items of a due digest into deliveries, in one transaction and without the network.
//
// Each item is therefore in exactly one digest. A digest whose user has changed something is claimed early, and its items
// are delivered, moved or dropped. Preferences and devices are read before the transaction; a change of them moves the claim
// count of the digest row, and this transaction then takes nothing.

import { placementHash, uuidv7 } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import type { Context } from '../../process/context.ts'
import { enqueue, type NewOutboxRow } from '../../queue/outbox.sql.ts'
import type { DatabaseJob } from '../../queue/queue-job.ts'
import type { QueueName } from '../../queue/queues.ts'
import { buildDigest, digestLogEntry } from './build-deliveries.ts'
import {
  deleteDigestItems,
  dropItemGroups,
  moveItemGroups,
  readDigestItems,
  readItemGroups,
  type ItemGroup
} from './digest-items.sql.ts'
import { writeDigestLog, type DigestLogEntry } from './digest-log.sql.ts'
import { addDigests, takeDigests, type NewDigest } from './digest-rows.sql.ts'
import { digestRowKey, type DigestKey } from './digest.ts'
import { readDigests, type ClaimedDigest } from './read-digests.ts'
import { resolveSchedule, type DigestResolution } from './resolve-schedule.ts'

const LEASE_MS = 30_000
/** Digests of one transaction. Each may have many items. */
const BATCH_SIZE = 20

/** Limits of one digest. Further items go into another digest, which is due at the same time. */
export interface DigestLimits {
  readonly items: number
  readonly bytes: number
}

/** Longer digests are not read, and a batch holds the items of {@link BATCH_SIZE} digests in memory. */
const DIGEST_LIMITS: DigestLimits = { bytes: 10_000_000, items: 500 }

export function digestJob(context: Context, limits: Partial<DigestLimits> = {}): DatabaseJob {
  const allLimits = { ...DIGEST_LIMITS, ...limits }
  return {
    batchSize: BATCH_SIZE,
    kind: 'database',
    timeoutMs: LEASE_MS,
    queue: 'DIGEST',
    async run(rows, group) {
      const now = context.clock()
      const claimed = await readDigests(context, group, rows)
      const queues = (await group.work.begin(tx =>
        write(context, tx, group, claimed, { limits: allLimits, now })
      )) as Set<QueueName>
      if (queues.size > 0) context.queues.wake(queues)
    }
  }
}

type ResolvedGroup = ItemGroup & { readonly resolution: DigestResolution }

/** @returns queues to wake after the commit */
async function write(
  context: Context,
  tx: Tx,
  group: DatabaseGroup,
  claimed: readonly ClaimedDigest[],
  { limits, now }: { readonly limits: DigestLimits; readonly now: number }
): Promise<ReadonlySet<QueueName>> {
  const taken = await takeDigests(
    tx,
    group,
    claimed.map(({ row }) => row)
  )
  const digests = new Map(claimed.filter(({ row }) => taken.has(row.id)).map(digest => [digest.key, digest]))
  const resolved = (await readItemGroups(tx, group, [...digests.values()])).map((items): ResolvedGroup => {
    const resolution = resolveGroup(digests.get(items.key)!, items, now, context.config.timezone)
    return Object.assign(items, { resolution })
  })

  const dropped = resolved.filter(({ resolution }) => resolution.action === 'drop')
  const logEntries: DigestLogEntry[] = (await dropItemGroups(tx, group, dropped)).map(item => {
    const { channel, notificationId } = digests.get(item.key)!
    const { resolution } = dropped.find(({ key, subId }) => key === item.key && subId === item.subId)!
    const decision = resolution.action === 'drop' ? resolution.decision : 'type-off'
    return digestLogEntry(item, channel, notificationId, decision)
  })

  const sent = resolved.filter(({ resolution }) => resolution.action === 'send')
  const sentItems = sent.length > 0 ? await readDigestItems(tx, group, sent, limits) : []
  await deleteDigestItems(tx, group, sentItems)
  const rows: NewOutboxRow[] = []
  const newDigests: NewDigest[] = []
  for (const ofDigest of Map.groupBy(sentItems, ({ key }) => key).values()) {
    const digest = digests.get(ofDigest[0]!.key)!
    const built = buildDigest(digest, ofDigest, now, context.config.timezone)
    rows.push(...built.rows)
    logEntries.push(...built.logEntries)
    // Items beyond the limits go into another digest, which is due at once.
    if (ofDigest[0]!.itemCount > ofDigest.length) {
      newDigests.push(newDigest(digest, digest, { at: 0, next: 0, zone: digest.zone }, now))
    }
  }

  const moves = resolved.flatMap(({ bucket, key, resolution, subId }) => {
    if (resolution.action !== 'wait') return []
    const digest = digests.get(key)!
    const { period, time } = resolution
    const target = newDigest(digest, { ...digest, period }, time, now)
    newDigests.push(target)
    return { bucket, key, subId, to: digestRowKey(target) }
  })
  await addDigests(tx, newDigests)
  await moveItemGroups(
    tx,
    group,
    moves.filter(({ key, to }) => key !== to)
  )
  await enqueue(tx, rows)
  await writeDigestLog(tx, group, logEntries)
  return new Set(rows.map(row => row.queue))
}

function resolveGroup(
  digest: ClaimedDigest,
  { subId, zone: itemZone }: ItemGroup,
  now: number,
  serverZone: string
): DigestResolution {
  const { environment } = digest
  if (!environment) return { action: 'drop', decision: 'type-off' }
  return resolveSchedule({
    ...digest,
    environment: environment.settings,
    now,
    ownZone: itemZone ?? digest.contact.timezone,
    subNotificationId: subId,
    zone: serverZone
  })
}

const newDigest = (
  { envId, userId }: ClaimedDigest,
  { bucket, channel, notificationId, period }: DigestKey,
  time: NewDigest['time'],
  now: number
): NewDigest => ({
  bucket,
  channel,
  envId,
  notificationId,
  period,
  rowId: uuidv7(placementHash(envId, userId), now),
  time,
  userId
})
