// Builds a push to an Apple device: headers and payload from the send and its options.
//
// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns

import { closeData } from '../../../send/after-read/close-body.ts'
import type { ApnOptions } from '../../../send/send-request.ts'
import type { Channel, Delivery, MessageResult } from '../../channel.ts'
import { renderContent, type ChannelOptions } from '../../content.ts'
import { truncateText } from '../truncate.ts'

export interface ApnMessage {
  readonly token: string
  /** Undefined if the app did not register it. */
  readonly environment: 'sandbox' | 'production' | undefined
  /** Headers of this message, without those of the provider. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly payload: string
  readonly title: string
  readonly text: string
}

const TIMEOUT_MS = 15_000
/** Apple accepts 4,096 bytes, but old devices and MDM profiles show less. */
const MAX_PAYLOAD_BYTES = 2048
/** Streams of the connections to Apple. */
const DEFAULT_CONCURRENCY = 100

/** Whether the push only wakes the app, without anything that the user notices. */
const isSilent = (text: string, { contentAvailable, badge, sound }: ApnOptions): boolean =>
  contentAvailable === true && text === '' && badge === undefined && sound === undefined

function buildHeaders(isBackground: boolean, options: ApnOptions, sendId: string): Record<string, string> {
  const { collapseId = sendId, expiry, priority } = options
  // Apple rejects priority 10 for background pushes.
  const allowedPriority = isBackground && priority !== 1 ? 5 : priority
  return {
    // Always set, so that a repeated message replaces the first.
    'apns-collapse-id': collapseId,
    'apns-push-type': isBackground ? 'background' : 'alert',
    ...(allowedPriority !== undefined && { 'apns-priority': String(allowedPriority) }),
    ...(expiry !== undefined && { 'apns-expiration': String(expiry) })
  }
}

export function createApnChannel({
  config,
  provider,
  ...context
}: ChannelOptions<ApnMessage>): Channel<ApnMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<ApnMessage>> {
      const { body, sendId } = delivery
      const rendered = await renderContent(context, 'PUSH', delivery)
      if (!rendered.ok) return rendered
      const { title = '', message = '' } = rendered.fields
      const options = rendered.send.options?.apn ?? {}
      const { badge, contentAvailable, sound, threadId } = options
      const isBackground = isSilent(title + message, options)
      const toPayload = (text: string): string =>
        JSON.stringify({
          ...rendered.send.options?.push?.customData,
          aps: {
            ...(!isBackground && { alert: { ...(title && { title }), body: text } }),
            ...(badge !== undefined && { badge }),
            ...(sound !== undefined && { sound }),
            ...(threadId !== undefined && { 'thread-id': threadId }),
            ...(contentAvailable && { 'content-available': 1 })
          },
          messageId: sendId
        })
      const truncated = truncateText(message, MAX_PAYLOAD_BYTES, text => Buffer.byteLength(toPayload(text)))
      if (!truncated.ok) return truncated
      const { message: text, note } = truncated
      return {
        message: {
          environment: body.device?.environment,
          headers: buildHeaders(isBackground, options, sendId),
          payload: toPayload(text),
          text,
          title,
          token: body.to
        },
        note,
        ok: true
      }
    },
    buildClose: body => ({
      environment: body.device.environment,
      headers: buildHeaders(
        true,
        { priority: 5, ...(body.collapseId !== undefined && { collapseId: body.collapseId }) },
        body.close
      ),
      payload: JSON.stringify({
        ...closeData(body),
        aps: { 'content-available': 1, ...(body.threadId !== undefined && { 'thread-id': body.threadId }) }
      }),
      text: '',
      title: '',
      token: body.to
    }),
    describe: ({ text, title }) => ({ subject: title, text }),
    name: 'APN',
    provider,
    concurrency: config.pushConcurrency ?? DEFAULT_CONCURRENCY,
    timeoutMs: TIMEOUT_MS,
    // The collapse id is the same, so a repeated message replaces the first.
    whenUncertain: 'retry'
  }
}
