// Builds a web push: the content for the service worker, with a declarative part for browsers that need no worker, within the size
// limit of a push message.

import { PUSH_CONNECTIONS } from '../../../config/connections.ts'
import { readInboxSummaries } from '../../../inbox/item-states.sql.ts'
import type { SubscriptionKeys } from '../../../users/device.ts'
import type { Channel, Delivery, MessageResult } from '../../channel.ts'
import { rejectMessage, renderContent, type ChannelOptions } from '../../content.ts'
import { truncateText } from '../truncate.ts'
import { buildDeclarativePush } from './declarative.ts'
import { MAX_PAYLOAD_BYTES } from './request.ts'

/** Read by the service worker. */
export interface WebPushContent {
  readonly title: string
  readonly message: string
  readonly icon?: string
  /** The tracking id: a repeated message replaces the first. */
  readonly tag: string
  /** Tags of notifications to close, because the user has read them. */
  readonly close?: readonly string[]
  /** Opened by a click. A path belongs to the origin of the service worker. */
  readonly url?: string
}

export interface WebPushMessage {
  readonly endpoint: string
  readonly keys: SubscriptionKeys
  readonly content: WebPushContent
  /** The content and its declarative part as JSON, before their encryption. */
  readonly payload: string
}

const TIMEOUT_MS = 20_000
/** Each has 39 bytes. */
const MAX_CLOSED = 10
const CLOSED_WITHIN_MS = 3 * 86_400_000

export function createWebPushChannel({
  config,
  provider,
  ...context
}: ChannelOptions<WebPushMessage>): Channel<WebPushMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<WebPushMessage>> {
      const { body, inbox, sendId } = delivery
      const close = inbox?.read.filter(id => id !== sendId) ?? []
      const rendered = await renderContent(context, 'WEB_PUSH', delivery)
      if (!rendered.ok) return rendered
      const { title = '', message: fullText = '', icon, url } = rendered.fields
      const toContent = (message: string): WebPushContent => ({
        message,
        tag: sendId,
        title,
        ...(close.length > 0 && { close }),
        ...(icon && { icon }),
        ...(url && { url })
      })
      const declarative = buildDeclarativePush(toContent(fullText), inbox?.unseen)
      const toPayload = (message: string): string => JSON.stringify({ ...toContent(message), ...declarative })
      const truncated = truncateText(fullText, MAX_PAYLOAD_BYTES, text => Buffer.byteLength(toPayload(text)))
      if (!truncated.ok) return truncated
      const keys = body.device?.keys
      if (!keys) return rejectMessage('no-keys', 'The subscription has no keys.')
      const { message } = truncated
      return {
        message: { content: toContent(message), endpoint: body.to, keys, payload: toPayload(message) },
        note: truncated.note,
        ok: true
      }
    },
    readInboxes: (group, rows) =>
      readInboxSummaries(group.work, group, rows, {
        count: MAX_CLOSED,
        sinceMs: Date.now() - CLOSED_WITHIN_MS
      }),
    describe: ({ content: { message, title } }) => ({ subject: title, text: message }),
    name: 'WEB_PUSH',
    provider,
    concurrency: config.pushConcurrency ?? PUSH_CONNECTIONS,
    timeoutMs: TIMEOUT_MS,
    // The tag is the same, so a repeated message replaces the first.
    whenUncertain: 'retry'
  }
}
