// Builds a push by Firebase Cloud Messaging, in the format of its HTTP v1 API.
//
// https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages

import { PUSH_CONNECTIONS } from '../../../config/connections.ts'
import { closeData } from '../../../send/after-read/close-body.ts'
import type { FcmOptions } from '../../../send/send-request.ts'
import type { Channel, Delivery, MessageResult } from '../../channel.ts'
import { rejectMessage, renderContent, type ChannelOptions } from '../../content.ts'
import { truncateText } from '../truncate.ts'

export interface FcmMessage {
  /** Value of the member `message` of the request. */
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string
  readonly title: string
  readonly text: string
}

/** Of notification and data together. */
const MAX_PAYLOAD_BYTES = 4096
const TIMEOUT_MS = 15_000

/** Firebase rejects a message with one of these keys in its data. */
const RESERVED_KEYS = /^(?:from|message_type|collapse_key|gcm.*|google.*)$/

/** @param tag - a repeated message replaces the first, because both have this tag */
const buildAndroidConfig = ({ android = {} }: FcmOptions, tag: string): Record<string, unknown> => {
  const { collapseKey, priority, restrictedPackageName, ttl } = android
  return {
    notification: { tag },
    ...(collapseKey !== undefined && { collapse_key: collapseKey }),
    ...(priority !== undefined && { priority: priority.toUpperCase() }),
    ...(restrictedPackageName !== undefined && { restricted_package_name: restrictedPackageName }),
    ...(ttl !== undefined && { ttl: `${ttl}s` })
  }
}

export function createFcmChannel({
  config,
  provider,
  ...context
}: ChannelOptions<FcmMessage>): Channel<FcmMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<FcmMessage>> {
      const { body, sendId } = delivery
      const rendered = await renderContent(context, 'PUSH', delivery)
      if (!rendered.ok) return rendered
      const { title = '', message = '' } = rendered.fields
      const { options = {} } = rendered.send
      const customData = options.push?.customData ?? {}
      const reserved = Object.keys(customData).find(key => RESERVED_KEYS.test(key))
      if (reserved !== undefined) {
        const detail = `Firebase reserves the key ${JSON.stringify(reserved)} of customData. Choose another key.`
        return rejectMessage('reserved-key', detail)
      }
      const toPayload = (text: string) => ({
        // Apps that were written for the hosted product read the data first.
        data: { ...customData, body: text, messageId: sendId, title },
        notification: { body: text, title }
      })
      const truncated = truncateText(message, MAX_PAYLOAD_BYTES, text =>
        Buffer.byteLength(JSON.stringify(toPayload(text)))
      )
      if (!truncated.ok) return truncated
      const { message: text, note } = truncated
      const android = buildAndroidConfig(options.fcm ?? {}, sendId)
      return {
        message: { body: { ...toPayload(text), android, token: body.to }, text, title, token: body.to },
        note,
        ok: true
      }
    },
    // Without a notification nothing is shown. Values of `data` are texts.
    buildClose: body => ({
      body: {
        android: { priority: 'NORMAL' },
        apns: {
          headers: { 'apns-priority': '5', 'apns-push-type': 'background' },
          payload: { aps: { 'content-available': 1 } }
        },
        data: { notif: JSON.stringify(closeData(body).notif) },
        token: body.to
      },
      text: '',
      title: '',
      token: body.to
    }),
    describe: ({ text, title }) => ({ subject: title, text }),
    name: 'FCM',
    provider,
    concurrency: config.pushConcurrency ?? PUSH_CONNECTIONS,
    timeoutMs: TIMEOUT_MS,
    // The tag is the same, so a repeated message replaces the first.
    whenUncertain: 'retry'
  }
}
