// The database job of schedules: plans a send whose time has come as if it arrived now, and writes what follows from it.
//
// The row is removed in the same transaction, so a crash at any moment leaves either the schedule or its result. Sends whose
// templates take long are written after the others, and their leases are renewed meanwhile.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Channel } from '#protocol'

import { placementHash } from '../../core/id.ts'
import { type InboxEvent, recheckOnFailure } from '../../core/live-updates.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { removeClaimed, renewLeases, type ClaimedRow } from '../../queue/outbox.sql.ts'
import { MAX_BATCH_BYTES, type DatabaseJob } from '../../queue/queue-job.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import {
  createRenderContext,
  prepareSend,
  queuesToWake,
  type PreparedSend,
  type RenderContext
} from '../accept/prepared-send.ts'
import { updateDecisions, writeSends, type DecidedSend } from '../accept/sends.sql.ts'
import { addDigestItems } from '../digest/digest-items.sql.ts'
import { resolveType, sendTopic } from '../plan/send-type.ts'
import { applyRateControl } from '../rate-control/apply.ts'
import { scheduleBody } from './change.ts'

/** What a due schedule writes: decisions into the log, and the rest only if it can be sent. */
type DueSend = Pick<PreparedSend, 'digests' | 'item' | 'newTopic' | 'outbox' | 'rateControlled'> & {
  readonly row: DecidedSend
}

const LEASE_MS = 30_000
/** What is prepared by then is written, and the leases of the rest are renewed. */
const RENEW_MS = 10_000

/**
 * @param maxBatchBytes - limit for the sends that one transaction reads; a larger send is read alone
 * @param renewMs - see {@link RENEW_MS}, which is the default
 */
export function scheduleJob(
  context: Context,
  providers: ReadonlySet<Channel>,
  maxBatchBytes = MAX_BATCH_BYTES,
  renewMs = RENEW_MS
): DatabaseJob {
  const renderContext = createRenderContext(context, providers)
  return {
    maxBytes: maxBatchBytes,
    kind: 'database',
    timeoutMs: LEASE_MS,
    queue: 'SCHEDULE',
    async run(rows, group) {
      const now = context.clock()
      const topics = await Promise.all(rows.map(row => withTopic(context, row)))
      const [contacts, devices] = await Promise.all([
        readContacts(group.work, topics),
        readDevices(group.work, rows)
      ])
      const preparing = rows.map((row, i) =>
        prepareDue(context, renderContext, row, { contact: contacts[i]!, devices: devices[i]! }, now)
      )
      await eachReady(rows, preparing, renewMs, async (ready, rest) => {
        if (rest.length > 0) await renewLeases(group, rest, LEASE_MS)
        if (ready.length > 0) await writeReady(context, group, ready)
      })
    }
  }
}

interface Ready {
  readonly row: ClaimedRow
  readonly prepared: DueSend
}

/**
 * Calls `take` with what is ready whenever `everyMs` have passed, and when all is ready.
 *
 * @throws any error of a preparation or of `take`
 */
async function eachReady(
  rows: readonly ClaimedRow[],
  preparing: readonly Promise<DueSend>[],
  everyMs: number,
  take: (ready: readonly Ready[], rest: readonly ClaimedRow[]) => Promise<void>
): Promise<void> {
  const done = new Map<ClaimedRow, DueSend>()
  const all = Promise.all(rows.map(async (row, i) => done.set(row, await preparing[i]!)))
  for (let rest = rows; rest.length > 0;) {
    const timer = new AbortController()
    const pause = sleep(everyMs, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([all, pause]).finally(() => timer.abort())
    const ready = rest.flatMap(row => (done.has(row) ? { prepared: done.get(row)!, row } : []))
    rest = rest.filter(row => !done.has(row))
    await take(ready, rest)
  }
}

async function writeReady(context: Context, group: DatabaseGroup, ready: readonly Ready[]): Promise<void> {
  const rows = ready.map(({ row }) => row)
  const prepared = ready.map(one => one.prepared)
  const writing = group.work.begin(tx => write(tx, group, rows, prepared)) as Promise<Written>
  const { events, sends } = await recheckOnFailure(context.live, rows, writing)
  if (events.length > 0) context.live.publish(events)
  const queues = sends.flatMap(queuesToWake)
  if (queues.length > 0) context.queues.wake(new Set(queues))
}

async function withTopic(context: Context, row: ClaimedRow) {
  const { send } = scheduleBody(row)
  return { ...row, ...sendTopic(send, await context.types.get(row.envId, send.type)) }
}

interface Written {
  readonly sends: readonly DueSend[]
  readonly events: readonly InboxEvent[]
}

async function write(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly ClaimedRow[],
  prepared: readonly DueSend[]
): Promise<Written> {
  const taken = await removeClaimed(tx, group, rows)
  const ours = prepared.filter(({ row }) => taken.has(row.id))
  const sends: readonly DueSend[] = await applyRateControl(tx, group, ours)
  await updateDecisions(
    tx,
    group,
    sends.map(({ row }) => row)
  )
  const events = await writeSends(tx, sends, [])
  await addDigestItems(
    tx,
    sends.flatMap(({ digests }) => digests ?? [])
  )
  return { events, sends }
}

async function prepareDue(
  context: Context,
  renderContext: RenderContext,
  claimed: ClaimedRow,
  user: { readonly contact: Contact; readonly devices: readonly Device[] },
  now: number
): Promise<DueSend> {
  const { bucket, envId, id, userId } = claimed
  const { send: scheduled, warnings } = scheduleBody(claimed)
  const { schedule: _, ...send } = scheduled
  const environment = await context.environments.get(envId)
  try {
    if (!environment) throw new Problem('not-found', 'The environment was deleted.')
    const input = {
      ...user,
      bucket,
      environment,
      id,
      now,
      placementHash: placementHash(envId, userId),
      send,
      type: await resolveType(context, envId, send),
      warnings
    }
    return await prepareSend(renderContext, input, true)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const messages = [...warnings, `Nothing was sent: ${error.message}`]
    const row = { bucket, decisions: new Map(), envId, id, notificationId: send.type, warnings: messages }
    return { outbox: [], row }
  }
}
