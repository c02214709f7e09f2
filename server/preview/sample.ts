// Sample data of previews: the user, the send and the delivery if the request gives none.

import type { Channel } from '#protocol'

import type { ChannelQueue, Delivery } from '../channels/channel.ts'
import type { StoredReader } from '../send/plan/recipient.ts'
import type { Recipient, Send } from '../send/send-request.ts'
import { CONTENT_FIELDS, type TemplateContent } from '../types/templates/content.ts'
import type { DeviceInfo } from '../users/device.ts'
import type { PreviewBody } from './schema.ts'

/** Values that are reserved for examples (RFC 2606) and for tests of providers. */
const USER: Recipient = { email: 'user@example.com', id: 'user', number: '+15005550006' }

const SEND_ID = '00000000-0000-7000-8000-000000000000'

export function sampleSend(
  type: string,
  { options, parameters, replace, to }: PreviewBody,
  reader: StoredReader
): Send {
  const { id = USER.id, email = USER.email, number = USER.number } = to ?? {}
  return {
    to: { email: email!, id, number: number!, ...reader },
    type,
    ...(options && { options: options as NonNullable<Send['options']> }),
    ...(parameters && { parameters }),
    ...(replace && { replace })
  }
}

const DEVICES: Readonly<Partial<Record<ChannelQueue, DeviceInfo>>> = {
  APN: { kind: 'apn' },
  FCM: { kind: 'fcm' },
  WEB_PUSH: { keys: { auth: '', p256dh: '' }, kind: 'web' }
}

/** A delivery of a send that has the template as content of its own. */
export function sampleDelivery(
  queue: ChannelQueue,
  channel: Channel,
  send: Send,
  content: TemplateContent
): Delivery {
  const { id, number } = send.to
  const device = DEVICES[queue]
  return {
    body: {
      notificationId: send.type,
      template: null,
      to: channel === 'SMS' || channel === 'CALL' ? number! : id,
      ...(device && { device })
    },
    bucket: 0,
    envId: '',
    id: SEND_ID,
    send: { ...send, [CONTENT_FIELDS[channel]]: content },
    sendId: SEND_ID,
    userId: id
  }
}
