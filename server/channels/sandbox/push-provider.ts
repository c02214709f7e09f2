// The sandbox of push messages: they are kept as the device would have got them, instead of being sent.

import type { Db, Json } from '../../db/db.ts'
import type { Delivery, Provider } from '../channel.ts'
import type { ApnMessage } from '../push/apns/message.ts'
import type { FcmMessage } from '../push/fcm/message.ts'
import type { WebPushMessage } from '../push/web/message.ts'
import { keepMessage } from './sandbox.sql.ts'

/** What is shown, and what would have left. */
interface Kept {
  readonly subject: string
  readonly text: string
  readonly payload: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly [key: string]: Json
}

const keep = (db: Db, channel: 'PUSH' | 'WEB_PUSH', delivery: Delivery, { payload, ...kept }: Kept) =>
  keepMessage(db, channel, delivery, {
    ...kept,
    bytes: Buffer.byteLength(payload),
    raw: JSON.stringify(JSON.parse(payload), null, 2),
    to: delivery.body.to
  })

export const webPushSandbox = (db: Db): Provider<WebPushMessage> => ({
  close: async () => {},
  send: ({ content: { title, message, icon, url }, payload }, delivery) =>
    keep(db, 'WEB_PUSH', delivery, {
      headers: [],
      payload,
      subject: title,
      text: message,
      ...(icon !== undefined && { icon }),
      ...(url !== undefined && { url })
    })
})

export const apnSandbox = (db: Db): Provider<ApnMessage> => ({
  close: async () => {},
  send: ({ environment = 'production', headers, payload, text, title }, delivery) =>
    keep(db, 'PUSH', delivery, {
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      payload,
      provider: `APNs, ${environment}`,
      subject: title,
      text
    })
})

export const fcmSandbox = (db: Db): Provider<FcmMessage> => ({
  close: async () => {},
  send: ({ body, text, title }, delivery) =>
    keep(db, 'PUSH', delivery, {
      headers: [],
      payload: JSON.stringify({ message: body }),
      provider: 'FCM',
      subject: title,
      text
    })
})
