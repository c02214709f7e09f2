// Runs the deliveries of one channel: reads the sends of claimed rows, builds the messages and calls the provider.

import type { DatabaseGroup } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { Outcome } from '../queue/outcome.ts'
import type { Attempt, DeliveryJob } from '../queue/queue-job.ts'
import { readCloseBody } from '../send/after-read/close-body.ts'
import { forgetDevice } from '../users/devices.sql.ts'
import type { Channel, Delivery, DeliveryBody } from './channel.ts'
import { closePush } from './close-push.ts'
import { recordDeliveredCopies, readSends } from './deliveries.sql.ts'
import { markAddress } from './email/bounces/bounces.sql.ts'
import { boundContent } from './logged-content.ts'
import { ADDRESS_REMOVED_OUTCOME, isRedriven, refreshAddresses } from './refresh-address.ts'

const OPTED_OUT_OUTCOME: Outcome = {
  code: 'stopped',
  detail: 'The recipient has replied STOP to this number.',
  kind: 'gone'
}

const NO_SEND_OUTCOME: Outcome = { code: 'no-send', detail: 'The send was deleted.', kind: 'dead' }

/**
 * @param batchBytes - sends that are read in advance for one claim; other sends are read when their attempt begins. Default: all
 * @param attemptsPerSecond - default 0: no limit
 */
export function createDeliveryJob<Message>(
  channel: Channel<Message>,
  batchBytes = Number.MAX_SAFE_INTEGER,
  attemptsPerSecond = 0
): DeliveryJob {
  const deliver = async (delivery: Delivery, group: DatabaseGroup, attempt: Attempt): Promise<Outcome> => {
    const built = await channel.buildMessage(delivery)
    if (!built.ok) return { code: built.code, detail: built.detail, kind: 'dead' }
    if (attempt.isTooLate()) return { kind: 'late' }
    const outcome = await channel.provider.send(built.message, delivery, attempt)
    await recordOutcome(group, delivery, outcome)
    if (outcome.kind === 'late' || outcome.kind === 'forwarded') return outcome
    const content = boundContent(channel.describe(built.message))
    return outcome.kind === 'sent' ? { ...built.note, ...outcome, content } : { ...outcome, content }
  }
  return {
    close: async () => channel.provider.close?.(),
    kind: 'delivery',
    queue: channel.name,
    attemptsPerSecond,
    async prepare(rows: readonly ClaimedRow[], group: DatabaseGroup) {
      const redriven = rows.filter(isRedriven)
      const readStopped = () => channel.readStopped?.(group, rows)
      const [sends, stoppedBefore] = await Promise.all([
        readSends(
          group,
          rows.filter(row => !readSendInBody(row.body) && !readCloseBody(row.body)),
          batchBytes
        ),
        redriven.length === 0 ? readStopped() : undefined
      ])
      const readSend = async (row: ClaimedRow) =>
        readSendInBody(row.body) ??
        sends.get(row.sendId ?? '') ??
        (await readSends(group, [row], Number.MAX_SAFE_INTEGER)).get(row.sendId ?? '')
      const hasRedriven = redriven.length > 0
      const removed = hasRedriven && (await refreshAddresses(group, channel.name, redriven, readSend))
      // The opt-outs are those of the current numbers.
      const stopped = hasRedriven ? await readStopped() : stoppedBefore
      const inboxes = await channel.readInboxes?.(group, rows)
      const inboxByRow = new Map(rows.map((row, i) => [row.id, inboxes?.[i]]))
      return async (row, attempt) => {
        if (removed && removed.has(row.id)) return ADDRESS_REMOVED_OUTCOME
        if (stopped?.has(row.id)) return OPTED_OUT_OUTCOME
        const close = readCloseBody(row.body)
        if (close) return closePush(channel, row, close, group, attempt)
        const body = row.body as DeliveryBody
        const send = await readSend(row)
        if (!send || row.sendId === null) return NO_SEND_OUTCOME
        const { bucket, envId, id, sendId, userId } = row
        const delivery = { body, bucket, envId, id, inbox: inboxByRow.get(id), send, sendId, userId }
        return deliver(delivery, group, attempt)
      }
    },
    maxBytes: batchBytes,
    // After a crash, a prefetched row looks like one whose attempt had begun. Such a row is not repeated if that may disturb.
    ...(channel.whenUncertain === 'dead' && { prefetch: 0 }),
    concurrency: channel.concurrency,
    timeoutMs: channel.timeoutMs,
    whenUncertain: channel.whenUncertain
  }
}

/** Runs before the row is finished: after a crash in between, the next attempt has the same outcome and repeats this. */
async function recordOutcome(group: DatabaseGroup, delivery: Delivery, outcome: Outcome): Promise<void> {
  const { device, to } = delivery.body
  if (outcome.kind === 'gone' && device) {
    await forgetDevice(group, delivery, { kind: device.kind, to }, outcome.asOf)
  }
  if (outcome.kind === 'dead' && outcome.isAddressInvalid) {
    await markAddress(group.work, delivery, to, outcome)
  }
  if ('deliveredTo' in outcome && outcome.deliveredTo?.length) {
    await recordDeliveredCopies(group, delivery, outcome.deliveredTo)
  }
}

/** A row may contain its send, because the log may delete the send before a late attempt. */
function readSendInBody(body: ClaimedRow['body']): Readonly<Record<string, unknown>> | undefined {
  const send = (body as DeliveryBody | null)?.['send']
  return typeof send === 'object' && send !== null ? (send as Readonly<Record<string, unknown>>) : undefined
}
