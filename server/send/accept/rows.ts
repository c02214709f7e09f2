// What waits for delivery or for a digest, as the rows that a send writes.

import { uuidv7 } from '../../core/id.ts'
import type { Json } from '../../db/db.ts'
import type { NewRow } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import { fetchOf } from '../attachments/fetch.ts'
import { withoutFiles } from '../attachments/inline-files.ts'
import type { NewItem } from '../digest/items.sql.ts'
import type { PlannedDelivery, PlannedDigest } from '../plan/plan.ts'
import type { Accepted } from '../send-request.ts'

export const rowOf = ({ bucket, place, now, environment, send, id }: Accepted, queue: QueueName) => ({
  bucket,
  envId: environment.id,
  id: uuidv7(place, now),
  queue,
  sendId: id,
  userId: send.to.id
})

/** A channel's queue has the channel's name, and mobile push the provider's. */
export const queueOf = ({ channel, device }: PlannedDelivery): QueueName =>
  channel === 'PUSH' ? (device?.kind === 'apn' ? 'APN' : 'FCM') : (channel as QueueName)

/** @param late - the log may have forgotten the send by then, so the row brings it along */
export function deliveryRow(input: Accepted, delivery: PlannedDelivery, late: boolean): NewRow {
  const { send } = input
  const isMail = delivery.channel === 'EMAIL'
  const fetch = isMail ? fetchOf(send.options?.email?.attachments) : undefined
  return {
    ...rowOf(input, fetch ? 'FETCH' : queueOf(delivery)),
    body: {
      notificationId: send.type,
      template: delivery.template,
      to: delivery.to,
      ...delivery.reader,
      ...(delivery.device && { device: delivery.device }),
      ...(late && { send: (isMail ? send : withoutFiles(send)) as unknown as Json }),
      ...fetch
    }
  }
}

/** Fetches now what a mail will need later: its addresses may not live so long. */
export function fetchAhead(input: Accepted): NewRow[] {
  const { id, send } = input
  const fetch = fetchOf(send.options?.email?.attachments)
  if (!fetch) return []
  const { sendId: _, ...row } = rowOf(input, 'FETCH')
  return [{ ...row, body: { notificationId: send.type, ...fetch, ahead: id } }]
}

export const digestItem = (
  { bucket, environment, id, now, place, send }: Accepted,
  { channel, due, period, template }: PlannedDigest
): NewItem => ({
  bucket,
  channel,
  due,
  envId: environment.id,
  headId: uuidv7(place, now),
  id,
  notificationId: send.type,
  part: { send, template },
  period,
  subId: send.subNotificationId ?? '',
  userId: send.to.id,
  zone: send.to.timezone
})
