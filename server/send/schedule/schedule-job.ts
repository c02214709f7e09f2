// The SCHEDULE queue: a send whose time has come is planned as if it came now, and its row becomes what it writes.
//
// What it writes and the removal of the row commit together, so a crash at any moment leaves the schedule or what it
// came to, never both and never neither.

import type { Channel } from '#protocol'

import { placementHash } from '../../core/id.ts'
import { type InboxEvent, recheckOnFailure } from '../../core/live-updates.ts'
import type { Group, Tx } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { take, type Claimed } from '../../queue/outbox.sql.ts'
import { MAX_BATCH_BYTES, type DatabaseJob } from '../../queue/queue-job.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { draftOf, queuesOf, topicOf, type Desk, type Draft } from '../accept/prepared-send.ts'
import { updateDecisions, writeSends, type SendRow } from '../accept/sends.sql.ts'
import { heldBack } from '../accept/suppressed-send.ts'
import { addItems } from '../digest/items.sql.ts'
import { typeFor } from '../plan/send-type.ts'
import { admit } from '../rate-control/admit.ts'
import { bodyOf } from './change.ts'

/** What a due row comes to: for the log, and what is written, if anything. */
type Due = Pick<Draft, 'digests' | 'first' | 'gated' | 'item' | 'outbox'> & {
  readonly row: Pick<SendRow, 'bucket' | 'id' | 'decisions' | 'warnings'>
}

/** Milliseconds for one batch. */
const LEASE = 30_000

/** @param maxBatchBytes - of sends that one transaction reads; a larger send is read alone */
export function scheduleJob(
  context: Context,
  providers: ReadonlySet<Channel>,
  maxBatchBytes = MAX_BATCH_BYTES
): DatabaseJob {
  const desk: Desk = { providers, renderer: context.renderer, zone: context.config.timezone }
  return {
    bytes: maxBatchBytes,
    kind: 'step',
    lease: LEASE,
    name: 'SCHEDULE',
    async run(rows, group) {
      const now = context.clock()
      const asked = await Promise.all(rows.map(row => withTopic(context, row)))
      const [contacts, devices] = await Promise.all([
        readContacts(group.work, asked),
        readDevices(group.work, rows)
      ])
      const all = await Promise.all(
        rows.map((row, i) => dueOf(context, desk, row, { contact: contacts[i]!, devices: devices[i]! }, now))
      )
      const writing = group.work.begin(tx => write(tx, group, rows, all)) as Promise<Written>
      const { due, events } = await recheckOnFailure(context.live, rows, writing)
      if (events.length > 0) context.live.publish(events)
      const queues = due.flatMap(queuesOf)
      if (queues.length > 0) context.queues.wake(new Set(queues))
    }
  }
}

async function withTopic(context: Context, row: Claimed) {
  const { send } = bodyOf(row)
  return { ...row, ...topicOf(send, await context.types.get(row.envId, send.type)) }
}

interface Written {
  readonly due: readonly Due[]
  readonly events: readonly InboxEvent[]
}

async function write(tx: Tx, group: Group, rows: readonly Claimed[], all: readonly Due[]): Promise<Written> {
  const mine = await take(tx, group, rows)
  const still = all.filter(({ row }) => mine.has(row.id))
  const held = await admit(
    tx,
    group,
    still.map(({ gated }) => gated)
  )
  const due = still.map((one, i): Due =>
    held[i] === undefined ? one : heldBack(one.row, one.gated!.notificationId, held[i])
  )
  await updateDecisions(
    tx,
    group,
    due.map(({ row }) => row)
  )
  const events = await writeSends(tx, due, [])
  await addItems(
    tx,
    due.flatMap(({ digests }) => digests ?? [])
  )
  return { due, events }
}

interface Known {
  readonly contact: Contact
  readonly devices: readonly Device[]
}

async function dueOf(
  context: Context,
  desk: Desk,
  claimed: Claimed,
  known: Known,
  now: number
): Promise<Due> {
  const { bucket, envId, id, userId } = claimed
  const { send: asked, warnings } = bodyOf(claimed)
  const { schedule: _, ...send } = asked
  const environment = await context.environments.get(envId)
  try {
    // Without its environment nobody is left in whose name to send.
    if (!environment) throw new Problem('not-found', 'The environment is gone.')
    const type = await typeFor(context, envId, send)
    const place = placementHash(envId, userId)
    return await draftOf(desk, { bucket, ...known, environment, id, now, place, send, type, warnings }, true)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const messages = [...warnings, `Nothing was sent: ${error.message}`]
    return {
      outbox: [],
      row: { bucket, decisions: '{}', id, warnings: JSON.stringify(messages) }
    }
  }
}
