// Stores push messages as the device would have received them, instead of sending them.

import type { Db, Json } from '../../db/db.ts'
import type { Delivery, Provider } from '../channel.ts'
import type { ApnMessage } from '../push/apns/message.ts'
import type { FcmMessage } from '../push/fcm/message.ts'
import type { WebPushMessage } from '../push/web/message.ts'
import { storeMessage } from './sandbox.sql.ts'

interface StoredPush {
  readonly subject: string
  readonly text: string
  /** JSON as it would have been sent. */
  readonly payload: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly [key: string]: Json
}

const storePush = (
  db: Db,
  channel: 'PUSH' | 'WEB_PUSH',
  delivery: Delivery,
  { payload, ...push }: StoredPush
) =>
  storeMessage(db, channel, delivery, {
    ...push,
    bytes: Buffer.byteLength(payload),
    raw: JSON.stringify(JSON.parse(payload), null, 2),
    to: delivery.body.to
  })

export const openWebPushSandbox = (db: Db): Provider<WebPushMessage> => ({
  send: ({ content: { title, message, icon, url }, payload }, delivery) =>
    storePush(db, 'WEB_PUSH', delivery, {
      headers: [],
      payload,
      subject: title,
      text: message,
      ...(icon !== undefined && { icon }),
      ...(url !== undefined && { url })
    })
})

export const openApnSandbox = (db: Db): Provider<ApnMessage> => ({
  send: ({ environment = 'production', headers, payload, text, title }, delivery) =>
    storePush(db, 'PUSH', delivery, {
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      payload,
      provider: `APNs, ${environment}`,
      subject: title,
      text
    })
})

export const openFcmSandbox = (db: Db): Provider<FcmMessage> => ({
  send: ({ body, text, title }, delivery) =>
    storePush(db, 'PUSH', delivery, {
      headers: [],
      payload: JSON.stringify({ message: body }),
      provider: 'FCM',
      subject: title,
      text
    })
})
