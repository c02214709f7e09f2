// A push to an Apple device: headers and payload from the send and its options (spec/interface.md, options.apn).

import type { Config } from '../../../config/config.ts'
import type { ApnOptions } from '../../../send/send-request.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../../channel.ts'
import { renderContent, type Desk } from '../../content.ts'
import { cutNote, fit } from '../truncate.ts'

export interface ApnMessage {
  readonly token: string
  /** Undefined: the app did not say. */
  readonly environment: 'sandbox' | 'production' | undefined
  /** Without those of the connection. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly payload: string
  readonly title: string
  readonly text: string
}

/** Milliseconds of one try. */
const TIMEOUT = 15_000
/** Streams of the one connection. */

/** Only a wake-up of the app: nothing that a person would notice. */
const isSilent = (title: string, { contentAvailable, badge, sound }: ApnOptions): boolean =>
  contentAvailable === true && title === '' && badge === undefined && sound === undefined

function headersOf(silent: boolean, options: ApnOptions, sendId: string): Record<string, string> {
  const { collapseId = sendId, expiry, priority } = options
  // Apple refuses 10 for a wake-up.
  const urgency = silent && priority !== 1 ? 5 : priority
  return {
    // Also where nobody asked for it: a repeated try replaces the first.
    'apns-collapse-id': collapseId,
    'apns-push-type': silent ? 'background' : 'alert',
    ...(urgency !== undefined && { 'apns-priority': String(urgency) }),
    ...(expiry !== undefined && { 'apns-expiration': String(expiry) })
  }
}

/** Apple accepts 4,096 bytes; old devices and MDM profiles show less, and a longer text is cut. */
const MAX_PAYLOAD_BYTES = 2048

/** Streams in progress on the connections to Apple. */
const CONCURRENCY = 100

export interface ApnChannelOptions extends Desk {
  readonly config: Pick<Config, 'pushConcurrency'>
  readonly provider: Provider<ApnMessage>
}

export function apnChannel({ config, provider, ...desk }: ApnChannelOptions): Channel<ApnMessage> {
  return {
    async makeMessage(delivery: Delivery): Promise<MessageResult<ApnMessage>> {
      const { body, sendId } = delivery
      const said = await renderContent(desk, 'PUSH', delivery)
      if (!said.ok) return said
      const { title = '', message: text = '' } = said.fields
      const options = said.send.options?.apn ?? {}
      const { badge, contentAvailable, sound, threadId } = options
      const silent = isSilent(title + text, options)
      const payloadOf = (message: string): string =>
        JSON.stringify({
          ...said.send.options?.push?.customData,
          aps: {
            ...(!silent && { alert: { ...(title && { title }), body: message } }),
            ...(badge !== undefined && { badge }),
            ...(sound !== undefined && { sound }),
            ...(threadId !== undefined && { 'thread-id': threadId }),
            ...(contentAvailable && { 'content-available': 1 })
          },
          messageId: sendId
        })
      const limit = MAX_PAYLOAD_BYTES
      const fitting = fit(text, limit, one => Buffer.byteLength(payloadOf(one)))
      if (fitting === undefined) {
        const detail = `Even without its text the payload has more than ${limit} bytes.`
        return { code: 'too-large', detail, ok: false }
      }
      return {
        message: {
          environment: body.device?.environment,
          headers: headersOf(silent, options, sendId),
          payload: payloadOf(fitting),
          text: fitting,
          title,
          token: body.to
        },
        note: cutNote(text, fitting, limit),
        ok: true
      }
    },
    name: 'APN',
    provider,
    concurrency: config.pushConcurrency ?? CONCURRENCY,
    timeoutMs: TIMEOUT,
    // The collapse id is the same, so the second of two replaces the first.
    whenUncertain: 'retry'
  }
}
