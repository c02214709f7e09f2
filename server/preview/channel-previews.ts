// Measures the rendered fields of each channel, with the code that builds the messages of real deliveries.

import type { Channel } from '#protocol'

import type {
  Channel as DeliveryChannel,
  ChannelQueue,
  MessageResult,
  Provider
} from '../channels/channel.ts'
import { createApnChannel } from '../channels/push/apns/message.ts'
import { createFcmChannel } from '../channels/push/fcm/message.ts'
import { createWebPushChannel } from '../channels/push/web/message.ts'
import { MAX_CALL_CHARACTERS } from '../channels/sms-call/call.ts'
import type { Config } from '../config/config.ts'
import { countSegments, describeTooLongSms } from '../core/sms-segments.ts'
import { encodedBytes } from '../send/attachments/attachment.ts'
import type { Send } from '../send/send-request.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { composeEmail } from '../types/templates/email.ts'
import { describeScriptLink } from '../types/templates/html/script-links.ts'
import type { RenderOrigin } from '../types/templates/render-pool.ts'
import type { Renderer } from '../types/templates/render.ts'
import type { Types } from '../types/type.ts'
import { sampleDelivery } from './sample.ts'
import type { Preview } from './schema.ts'

export interface PreviewContext {
  readonly config: Config
  readonly renderer: Renderer
  readonly types: Types
  readonly origin: RenderOrigin
}

type Fields = Readonly<Record<string, string>>

export interface ChannelPreview extends Pick<Preview, 'bytes' | 'fields' | 'segments' | 'problem'> {
  readonly warnings: string[]
}

export interface RenderedContent {
  readonly send: Send
  readonly content: TemplateContent
  readonly fields: Fields
  readonly locale?: string | undefined
}

type PreviewChannel = (
  context: PreviewContext,
  rendered: RenderedContent
) => ChannelPreview | Promise<ChannelPreview>

const byteCount = (text: string): number => Buffer.byteLength(text)
const byteCounts = (fields: Fields): Record<string, number> =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, byteCount(text)]))

const previewFields: PreviewChannel = (_context, { fields }) => ({
  bytes: byteCounts(fields),
  fields,
  warnings: []
})

/** Gmail cuts a longer HTML part and links to the rest. */
const GMAIL_MAX_HTML_BYTES = 102_400

const previewEmail: PreviewChannel = ({ config }, { fields, locale }) => {
  const { subject, html = '', text } = composeEmail(fields, locale)
  const emailBytes = encodedBytes(byteCount(html)) + encodedBytes(byteCount(text))
  const scriptLink = describeScriptLink(fields['html'] ?? '')
  const warnings = [
    ...(subject === '' ? ['The subject is empty.'] : []),
    ...(byteCount(html) > GMAIL_MAX_HTML_BYTES
      ? [`Gmail cuts an email whose HTML has more than ${GMAIL_MAX_HTML_BYTES} bytes.`]
      : []),
    ...(scriptLink === undefined ? [] : [`A parameter created a link that is removed. ${scriptLink}`])
  ]
  const detail = `The email has ${emailBytes} bytes; at most ${config.emailMaxBytes} are allowed.`
  return {
    bytes: { ...(html && { html: byteCount(html) }), mail: emailBytes, text: byteCount(text) },
    fields: { ...fields, ...(html && { html }), subject, text },
    warnings,
    ...(emailBytes > config.emailMaxBytes && { problem: { detail } })
  }
}

const previewSms: PreviewChannel = (_context, { fields }) => {
  const text = fields['message'] ?? ''
  const segments = countSegments(text)
  const { count, encoding } = segments
  const character = [...text].find(letter => countSegments(letter).encoding === 'UCS-2')
  const warnings =
    encoding === 'UCS-2' && count > 1
      ? [`${JSON.stringify(character)} is not in GSM-7, so a segment has 67 characters instead of 153.`]
      : []
  const detail =
    text === '' && fields['mediaUrls.0'] === undefined ? 'The message is empty.' : describeTooLongSms(text)
  return {
    bytes: byteCounts(fields),
    fields,
    segments,
    warnings,
    ...(detail !== undefined && { problem: { detail, field: 'message' } })
  }
}

const previewCall: PreviewChannel = (_context, { fields }) => {
  const text = (fields['message'] ?? '').trim()
  const detail =
    text === ''
      ? 'The text of the call is empty.'
      : text.length > MAX_CALL_CHARACTERS
        ? `The text of the call has ${text.length} characters; at most ${MAX_CALL_CHARACTERS} are allowed.`
        : undefined
  return {
    bytes: byteCounts(fields),
    fields,
    warnings: [],
    ...(detail !== undefined && { problem: { detail, field: 'message' } })
  }
}

const NO_PROVIDER: Provider<never> = {
  send: () => Promise.reject(new Error('A preview is not sent.'))
}

interface PushPayload {
  readonly bytes: number
  readonly text: string
}

async function buildPayload<M>(
  channel: DeliveryChannel<M>,
  name: Channel,
  { content, send }: RenderedContent,
  toPayload: (message: M) => PushPayload
): Promise<{ readonly queue: ChannelQueue; readonly payload: MessageResult<PushPayload> }> {
  const message = await channel.buildMessage(sampleDelivery(channel.name, name, send, content))
  const payload = message.ok ? ({ message: toPayload(message.message), ok: true } as const) : message
  return { payload, queue: channel.name }
}

/** Previews one push for each kind of device. */
async function previewPayloads(
  { fields }: RenderedContent,
  building: readonly ReturnType<typeof buildPayload>[],
  payloadName: (queue: ChannelQueue) => string
): Promise<ChannelPreview> {
  const bytes: Record<string, number> = {}
  const warnings: string[] = []
  const failures: string[] = []
  for (const { payload, queue } of await Promise.all(building)) {
    if (!payload.ok) {
      failures.push(`${queue}: ${payload.detail}`)
      continue
    }
    bytes[payloadName(queue)] = payload.message.bytes
    if (payload.message.text !== fields['message']) {
      warnings.push(`${queue}: the text is cut to ${payload.message.text.length} characters to fit.`)
    }
  }
  return { bytes, fields, warnings, ...(failures.length > 0 && { problem: { detail: failures.join(' ') } }) }
}

const previewPush: PreviewChannel = (context, rendered) => {
  const apn = createApnChannel({ ...context, provider: NO_PROVIDER })
  const fcm = createFcmChannel({ ...context, provider: NO_PROVIDER })
  return previewPayloads(
    rendered,
    [
      buildPayload(apn, 'PUSH', rendered, ({ payload, text }) => ({ bytes: byteCount(payload), text })),
      buildPayload(fcm, 'PUSH', rendered, ({ body, text }) => ({
        bytes: byteCount(JSON.stringify({ data: body['data'], notification: body['notification'] })),
        text
      }))
    ],
    queue => queue.toLowerCase()
  )
}

const previewWebPush: PreviewChannel = (context, rendered) => {
  const webPush = createWebPushChannel({ ...context, provider: NO_PROVIDER })
  return previewPayloads(
    rendered,
    [
      buildPayload(webPush, 'WEB_PUSH', rendered, ({ content, payload }) => ({
        bytes: byteCount(payload),
        text: content.message
      }))
    ],
    () => 'payload'
  )
}

export const CHANNEL_PREVIEWS: Readonly<Record<Channel, PreviewChannel>> = {
  CALL: previewCall,
  EMAIL: previewEmail,
  INAPP_WEB: previewFields,
  PUSH: previewPush,
  SLACK: previewFields,
  SMS: previewSms,
  WEB_PUSH: previewWebPush
}
