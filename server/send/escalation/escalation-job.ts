// The database job of delayed channels (`escalate` of a type): when the delay is over, the channel is planned again as if the send
// arrived now, unless the user has dealt with the in-app notification.
//
// The row is removed in the transaction that reads the inbox and writes what follows, so a crash at any moment leaves either
// the delay or its result.

import type { Channel } from '#protocol'

import { placementHash } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { readItemStates } from '../../inbox/item-states.sql.ts'
import type { Context } from '../../process/context.ts'
import { removeClaimed, type ClaimedRow } from '../../queue/outbox.sql.ts'
import { MAX_BATCH_BYTES, type DatabaseJob } from '../../queue/queue-job.ts'
import { emptyType } from '../../types/type.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { deliveryRow, digestItem } from '../accept/outbox-rows.ts'
import {
  createRenderContext,
  planSend,
  queuesToWake,
  type RenderContext,
  type SendInput
} from '../accept/prepared-send.ts'
import { writeSends, type SendWrites } from '../accept/sends.sql.ts'
import { addDigestItems, type NewDigestItem } from '../digest/digest-items.sql.ts'
import { writeDigestLog, type DigestLogEntry } from '../digest/digest-log.sql.ts'
import { applyCondition } from '../plan/condition.ts'
import { sendTopic } from '../plan/send-type.ts'
import { findCancellation, type DelayBody } from './delay.ts'

const LEASE_MS = 30_000

/** What follows if the channel is not cancelled. */
interface Due extends SendWrites {
  readonly row: ClaimedRow
  readonly digests: readonly NewDigestItem[]
  readonly log: DigestLogEntry
}

export function escalationJob(
  context: Context,
  providers: ReadonlySet<Channel>,
  maxBatchBytes = MAX_BATCH_BYTES
): DatabaseJob {
  const renderContext = createRenderContext(context, providers)
  return {
    kind: 'database',
    maxBytes: maxBatchBytes,
    queue: 'ESCALATE',
    timeoutMs: LEASE_MS,
    async run(rows, group) {
      const now = context.clock()
      const users = await Promise.all(rows.map(row => withTopic(context, row)))
      const [contacts, devices] = await Promise.all([
        readContacts(group.work, users),
        readDevices(group.work, rows)
      ])
      const due = await Promise.all(
        rows.map((row, i) =>
          prepareDue(context, renderContext, row, { contact: contacts[i]!, devices: devices[i]!, now })
        )
      )
      const sent = (await group.work.begin(tx => write(tx, group, due))) as readonly Due[]
      const queues = new Set(sent.flatMap(queuesToWake))
      if (queues.size > 0) context.queues.wake(queues)
    }
  }
}

const delayBody = ({ body }: ClaimedRow): DelayBody => body as unknown as DelayBody

async function withTopic(context: Context, row: ClaimedRow) {
  const { send } = delayBody(row)
  return { ...row, ...sendTopic(send, await context.types.get(row.envId, send.type)) }
}

async function prepareDue(
  context: Context,
  renderContext: RenderContext,
  row: ClaimedRow,
  user: Pick<SendInput, 'devices' | 'now'> & { readonly contact: Contact }
): Promise<Due> {
  const { bucket, envId, userId } = row
  const id = row.sendId!
  const { channel, send, unless } = delayBody(row)
  const environment = await context.environments.get(envId)
  const log = { bucket, channel, decision: 'type-off', id }
  const nothing = { digests: [], outbox: [], row }
  if (!environment) return { ...nothing, log }
  // A send with its own content outlives its type.
  const type = (await context.types.get(envId, send.type)) ?? emptyType(send.type, { adHoc: true })
  const input = { ...user, bucket, environment, id, placementHash: placementHash(envId, userId), send, type }
  const unconditional = planSend(renderContext, { ...input, warnings: [] }, channel)
  const origin = { envId }
  const planned = await applyCondition(renderContext.renderer, origin, send, unconditional)
  const decision = planned.decisions.get(channel)!
  const state = unless ? ` and the in-app notification was not ${unless}` : ''
  const detail =
    decision === 'sent'
      ? `Its delay ended at ${new Date(user.now).toISOString()}${state}.`
      : planned.details.get(channel)
  return {
    digests: planned.digests.map(digest => digestItem(input, digest)),
    log: {
      ...log,
      decision,
      ...(detail !== undefined && { detail }),
      ...(planned.messages[0] !== undefined && { warning: planned.messages[0] })
    },
    outbox: planned.deliveries.map(delivery => deliveryRow(input, delivery, true)),
    row
  }
}

/** @returns what is sent */
async function write(tx: Tx, group: DatabaseGroup, prepared: readonly Due[]): Promise<readonly Due[]> {
  const rows = prepared.map(({ row }) => row)
  const taken = await removeClaimed(tx, group, rows)
  const ours = prepared.filter(({ row }) => taken.has(row.id))
  const states = await readItemStates(
    tx,
    group,
    ours.map(({ log, row }) => ({ ...row, id: log.id }))
  )
  const cancelledAt = (one: Due): Date | undefined =>
    findCancellation(delayBody(one.row).unless, states.get(one.log.id))
  const sent = ours.filter(one => !cancelledAt(one))
  await writeSends(tx, sent, [])
  await addDigestItems(
    tx,
    sent.flatMap(({ digests }) => digests)
  )
  await writeDigestLog(
    tx,
    group,
    ours.map(one => {
      const at = cancelledAt(one)
      if (!at) return one.log
      const { bucket, channel, id } = one.log
      const detail = `${delayBody(one.row).unless} at ${at.toISOString()}`
      return { bucket, channel, decision: 'cancelled', detail, id }
    })
  )
  return sent
}
