// Web push: what a browser's worker is told (spec/wire.md 8.3), within the bytes that a push message may have.

import type { Config } from '../../../config/config.ts'
import { PUSH_CONNECTIONS } from '../../../config/connections.ts'
import type { SubscriptionKeys } from '../../../users/device.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../../channel.ts'
import { renderContent, type Desk } from '../../content.ts'
import { cutNote, fit } from '../truncate.ts'
import { MAX_PAYLOAD_BYTES } from './request.ts'

/** What the worker reads. */
export interface WebPushContent {
  readonly title: string
  readonly message: string
  readonly icon?: string
  /** The tracking id: a repeated message replaces itself. */
  readonly tag: string
  /** Where a click leads; a path is of the site whose worker it is. */
  readonly url?: string
}

export interface WebPushMessage {
  readonly endpoint: string
  readonly keys: SubscriptionKeys
  readonly content: WebPushContent
  /** The content as it is encrypted. */
  readonly payload: string
}

/** Milliseconds of one try. */
const TIMEOUT = 20_000

export interface WebPushOptions extends Desk {
  readonly config: Pick<Config, 'pushConcurrency'>
  readonly provider: Provider<WebPushMessage>
}

export function webPushChannel({ config, provider, ...desk }: WebPushOptions): Channel<WebPushMessage> {
  const limit = MAX_PAYLOAD_BYTES
  return {
    async makeMessage(delivery: Delivery): Promise<MessageResult<WebPushMessage>> {
      const { body, sendId } = delivery
      const said = await renderContent(desk, 'WEB_PUSH', delivery)
      if (!said.ok) return said
      const { title = '', message: text = '', icon, url } = said.fields
      const withText = (message: string): WebPushContent => ({
        message,
        tag: sendId,
        title,
        ...(icon && { icon }),
        ...(url && { url })
      })
      const payloadOf = (message: string): string => JSON.stringify(withText(message))
      const message = fit(text, limit, one => Buffer.byteLength(payloadOf(one)))
      if (message === undefined) {
        const detail = `Even without its text the message has more than ${limit} bytes.`
        return { code: 'too-large', detail, ok: false }
      }
      const keys = body.device?.keys
      if (!keys) return { code: 'no-keys', detail: 'The subscription has no keys.', ok: false }
      return {
        message: { content: withText(message), endpoint: body.to, keys, payload: payloadOf(message) },
        note: cutNote(text, message, limit),
        ok: true
      }
    },
    name: 'WEB_PUSH',
    provider,
    concurrency: config.pushConcurrency ?? PUSH_CONNECTIONS,
    timeoutMs: TIMEOUT,
    // The tag is the same, so a repeated message replaces the first.
    whenUncertain: 'retry'
  }
}
