// A push by Firebase Cloud Messaging: the message of its HTTP v1 interface (spec/interface.md, options.fcm).

import type { Config } from '../../../config/config.ts'
import { PUSH_CONNECTIONS } from '../../../config/connections.ts'
import type { FcmOptions } from '../../../send/send-request.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../../channel.ts'
import { renderContent, type Desk } from '../../content.ts'
import { cutNote, fit } from '../truncate.ts'

export interface FcmMessage {
  /** As it stands under `message`. */
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string
  readonly title: string
  readonly text: string
}

/** Bytes of notification and data together. */
const LIMIT = 4096
/** Milliseconds of one try. */
const TIMEOUT = 15_000

/** Firebase refuses the whole message for one of these keys. */
const RESERVED = /^(?:from|message_type|collapse_key|gcm.*|google.*)$/

/** @param tag - a repeated try replaces what is shown under it */
const androidOf = ({ android = {} }: FcmOptions, tag: string): Record<string, unknown> => {
  const { collapseKey, priority, restrictedPackageName, ttl } = android
  return {
    notification: { tag },
    ...(collapseKey !== undefined && { collapse_key: collapseKey }),
    ...(priority !== undefined && { priority: priority.toUpperCase() }),
    ...(restrictedPackageName !== undefined && { restricted_package_name: restrictedPackageName }),
    ...(ttl !== undefined && { ttl: `${ttl}s` })
  }
}

export interface FcmChannelOptions extends Desk {
  readonly config: Pick<Config, 'pushConcurrency'>
  readonly provider: Provider<FcmMessage>
}

export function fcmChannel({ config, provider, ...desk }: FcmChannelOptions): Channel<FcmMessage> {
  return {
    async makeMessage(delivery: Delivery): Promise<MessageResult<FcmMessage>> {
      const { body, sendId } = delivery
      const said = await renderContent(desk, 'PUSH', delivery)
      if (!said.ok) return said
      const { title = '', message: text = '' } = said.fields
      const { options = {} } = said.send
      const custom = options.push?.customData ?? {}
      const reserved = Object.keys(custom).find(key => RESERVED.test(key))
      if (reserved !== undefined) {
        const detail = `Firebase keeps the key ${JSON.stringify(reserved)} of customData to itself.`
        return { code: 'reserved-key', detail, ok: false }
      }
      const sizedOf = (message: string) => ({
        // Apps of the hosted product read the data first (spec/wire.md 8.4).
        data: { ...custom, body: message, messageId: sendId, title },
        notification: { body: message, title }
      })
      const fitting = fit(text, LIMIT, one => Buffer.byteLength(JSON.stringify(sizedOf(one))))
      if (fitting === undefined) {
        const detail = `Even without its text the message has more than ${LIMIT} bytes.`
        return { code: 'too-large', detail, ok: false }
      }
      return {
        message: {
          body: { ...sizedOf(fitting), android: androidOf(options.fcm ?? {}, sendId), token: body.to },
          text: fitting,
          title,
          token: body.to
        },
        note: cutNote(text, fitting, LIMIT),
        ok: true
      }
    },
    name: 'FCM',
    provider,
    concurrency: config.pushConcurrency ?? PUSH_CONNECTIONS,
    timeoutMs: TIMEOUT,
    // The tag is the same, so the second of two replaces the first.
    whenUncertain: 'retry'
  }
}
