// The database job of schedules: plans a send whose time has come as if it arrived now, and writes what follows from it.
//
// The row is removed in the same transaction, so a crash at any moment leaves either the schedule or its result.

import type { Channel } from '#protocol'

import { placementHash } from '../../core/id.ts'
import { type InboxEvent, recheckOnFailure } from '../../core/live-updates.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { removeClaimed, type ClaimedRow } from '../../queue/outbox.sql.ts'
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
import { updateDecisions, writeSends, type SendRow } from '../accept/sends.sql.ts'
import { addDigestItems } from '../digest/digest-items.sql.ts'
import { resolveType, sendTopic } from '../plan/send-type.ts'
import { applyRateControl } from '../rate-control/apply.ts'
import { scheduleBody } from './change.ts'

/** What a due schedule writes: decisions into the log, and the rest only if it can be sent. */
type DueSend = Pick<PreparedSend, 'digests' | 'item' | 'newTopic' | 'outbox' | 'rateControlled'> & {
  readonly row: Pick<SendRow, 'bucket' | 'id' | 'decisions' | 'details' | 'warnings'>
}

const LEASE_MS = 30_000

/** @param maxBatchBytes - limit for the sends that one transaction reads; a larger send is read alone */
export function scheduleJob(
  context: Context,
  providers: ReadonlySet<Channel>,
  maxBatchBytes = MAX_BATCH_BYTES
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
      const prepared = await Promise.all(
        rows.map((row, i) =>
          prepareDue(context, renderContext, row, { contact: contacts[i]!, devices: devices[i]! }, now)
        )
      )
      const writing = group.work.begin(tx => write(tx, group, rows, prepared)) as Promise<Written>
      const { events, sends } = await recheckOnFailure(context.live, rows, writing)
      if (events.length > 0) context.live.publish(events)
      const queues = sends.flatMap(queuesToWake)
      if (queues.length > 0) context.queues.wake(new Set(queues))
    }
  }
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
    return { outbox: [], row: { bucket, decisions: new Map(), id, warnings: messages } }
  }
}
