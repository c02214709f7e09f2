// The outbox rows and digest items of a send.

import { uuidv7 } from '../../core/id.ts'
import type { Json } from '../../db/db.ts'
import type { NewOutboxRow } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { NotificationType } from '../../types/type.ts'
import { fetchBody } from '../attachments/fetch.ts'
import type { NewDigestItem } from '../digest/digest-items.sql.ts'
import type { DelayBody } from '../escalation/delay.ts'
import { holdRow } from '../hold/held-row.ts'
import type { PlannedDelay, PlannedDelivery, PlannedDigest } from '../plan/planned.ts'
import { deliveryQueue } from '../plan/recipient.ts'
import { withoutAttachments, type AcceptedSend } from '../send-request.ts'

/** The columns of a row for the send, due at once. */
export const outboxRow = (
  { bucket, placementHash, now, environment, send, id }: AcceptedSend,
  queue: QueueName
) => ({
  bucket,
  envId: environment.id,
  id: uuidv7(placementHash, now),
  queue,
  sendId: id,
  userId: send.to.id
})

/** @param isLate - the send was accepted earlier, so the log may have deleted it by now */
export function deliveryRow(
  input: AcceptedSend & { readonly type: Pick<NotificationType, 'settings'> },
  delivery: PlannedDelivery,
  isLate: boolean
): NewOutboxRow {
  const { send } = input
  const isEmail = delivery.channel === 'EMAIL'
  const fetch = isEmail ? fetchBody(send.options?.email?.attachments) : undefined
  const row = {
    ...outboxRow(input, fetch ? 'FETCH' : deliveryQueue(delivery.channel, delivery)),
    body: {
      notificationId: send.type,
      template: delivery.template,
      to: delivery.to,
      ...delivery.reader,
      ...(delivery.device && { device: delivery.device }),
      // The row carries the send, because the log may have deleted it.
      ...(isLate && { send: (isEmail ? send : withoutAttachments(send)) as unknown as Json }),
      ...fetch
    }
  }
  return holdRow(row, delivery.hold, input.type.settings.urgent === true)
}

/** Fetches the attachments of a later email now, because their addresses may expire before. */
export function fetchAheadRows(input: AcceptedSend): NewOutboxRow[] {
  const { id, send } = input
  const fetch = fetchBody(send.options?.email?.attachments)
  if (!fetch) return []
  const { sendId: _, ...row } = outboxRow(input, 'FETCH')
  return [{ ...row, body: { notificationId: send.type, ...fetch, aheadOf: id } }]
}

export const digestItem = (
  { bucket, environment, id, now, placementHash, send }: AcceptedSend,
  { channel, period, template, time }: PlannedDigest
): NewDigestItem => ({
  bucket,
  channel,
  envId: environment.id,
  id,
  notificationId: send.type,
  part: { send, template },
  period,
  rowId: uuidv7(placementHash, now),
  subId: send.subNotificationId ?? '',
  time,
  userId: send.to.id,
  zone: send.to.timezone
})

/** A channel that waits. The row carries the send, because the log may have deleted it by then. */
export function delayRow(input: AcceptedSend, { at, channel, unless }: PlannedDelay): NewOutboxRow {
  const { send } = input
  const body: DelayBody = {
    channel,
    notificationId: send.type,
    send: channel === 'EMAIL' ? send : withoutAttachments(send),
    ...(unless && { unless })
  }
  return { ...outboxRow(input, 'ESCALATE'), body: body as unknown as Json, runAt: new Date(at) }
}
