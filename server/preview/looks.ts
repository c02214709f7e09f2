// What each channel makes of rendered fields, measured: by the code that makes the messages which go out.

import type { Channel } from '#protocol'

import type { Channel as Sending, ChannelQueue, Made, Provider } from '../channels/channel.ts'
import { apnChannel } from '../channels/push/apns/message.ts'
import { fcmChannel } from '../channels/push/fcm/message.ts'
import { webPushChannel } from '../channels/push/web/message.ts'
import { MAX_CALL_CHARACTERS } from '../channels/sms-call/call.ts'
import { segmentsOf } from '../channels/sms-call/segments.ts'
import { MAX_SEGMENTS } from '../channels/sms-call/sms.ts'
import type { Config } from '../config/config.ts'
import { encodedBytes } from '../send/attachments/size.ts'
import type { Send } from '../send/send-request.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { composeEmail } from '../types/templates/email.ts'
import { describeScriptLink } from '../types/templates/html/script-links.ts'
import type { Renderer } from '../types/templates/render.ts'
import type { Types } from '../types/type.ts'
import { sampleDelivery } from './sample.ts'
import type { Preview } from './schema.ts'

export interface LookNeeds {
  readonly config: Config
  readonly renderer: Renderer
  readonly types: Types
}

type Fields = Readonly<Record<string, string>>

export interface Looked extends Pick<Preview, 'bytes' | 'fields' | 'segments' | 'problem'> {
  readonly warnings: string[]
}

export interface Rendered {
  readonly send: Send
  readonly content: TemplateContent
  readonly fields: Fields
  readonly locale?: string | undefined
}

type Look = (needs: LookNeeds, rendered: Rendered) => Looked | Promise<Looked>

const size = (text: string): number => Buffer.byteLength(text)
const sizes = (fields: Fields): Record<string, number> =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, size(text)]))
const encoded = (text: string): number => encodedBytes(size(text))

const plain: Look = (_needs, { fields }) => ({ bytes: sizes(fields), fields, warnings: [] })

/** Bytes of HTML above which Gmail shows the beginning and a link to the rest. */
const GMAIL = 102_400

const email: Look = ({ config }, { fields, locale }) => {
  const { subject, html = '', text } = composeEmail(fields, locale)
  const mail = encoded(html) + encoded(text)
  const script = describeScriptLink(fields['html'] ?? '')
  const warnings = [
    ...(subject === '' ? ['The subject is empty.'] : []),
    ...(size(html) > GMAIL ? [`Gmail cuts a mail whose HTML has more than ${GMAIL} bytes.`] : []),
    ...(script === undefined ? [] : [`A merge tag became a link that is taken out. ${script}`])
  ]
  const over = mail > config.emailMaxBytes
  return {
    bytes: { ...(html && { html: size(html) }), mail, text: size(text) },
    fields: { ...fields, ...(html && { html }), subject, text },
    warnings,
    ...(over && {
      problem: { detail: `A mail has at most ${config.emailMaxBytes} bytes, this one ${mail}.` }
    })
  }
}

const sms: Look = (_needs, { fields }) => {
  const text = fields['message'] ?? ''
  const segments = segmentsOf(text)
  const { count, encoding } = segments
  const wide = [...text].find(letter => segmentsOf(letter).encoding === 'UCS-2')
  const warnings =
    encoding === 'UCS-2' && count > 1
      ? [`${JSON.stringify(wide)} is no letter of GSM-7, so a segment has 67 places instead of 153.`]
      : []
  const detail =
    text === '' && fields['mediaUrls.0'] === undefined
      ? 'The message says nothing.'
      : count > MAX_SEGMENTS
        ? `A message has at most ${MAX_SEGMENTS} segments, this one ${count}.`
        : undefined
  return {
    bytes: sizes(fields),
    fields,
    segments,
    warnings,
    ...(detail !== undefined && { problem: { detail, field: 'message' } })
  }
}

const call: Look = (_needs, { fields }) => {
  const text = (fields['message'] ?? '').trim()
  const limit = MAX_CALL_CHARACTERS
  const detail =
    text === ''
      ? 'The call says nothing.'
      : text.length > limit
        ? `A call has at most ${limit} characters, this one ${text.length}.`
        : undefined
  return {
    bytes: sizes(fields),
    fields,
    warnings: [],
    ...(detail !== undefined && { problem: { detail, field: 'message' } })
  }
}

const nowhere: Provider<never> = {
  close: async () => {},
  send: () => Promise.reject(new Error('A preview is not sent.'))
}

interface Packed {
  readonly bytes: number
  /** What is left of the text. */
  readonly text: string
}

const pack = async <M>(
  channel: Sending<M>,
  name: Channel,
  { content, send }: Rendered,
  packed: (message: M) => Packed
): Promise<{ readonly queue: ChannelQueue; readonly made: Made<Packed> }> => {
  const made = await channel.make(sampleDelivery(channel.name, name, send, content))
  return { queue: channel.name, made: made.ok ? { message: packed(made.message), ok: true } : made }
}

/** A push for each kind of device: its bytes, and whether its text was cut to fit. */
async function pushed(
  { fields }: Rendered,
  packing: readonly ReturnType<typeof pack>[],
  nameOf: (queue: ChannelQueue) => string
): Promise<Looked> {
  const bytes: Record<string, number> = {}
  const warnings: string[] = []
  const failures: string[] = []
  for (const { queue, made } of await Promise.all(packing)) {
    if (!made.ok) {
      failures.push(`${queue}: ${made.detail}`)
      continue
    }
    bytes[nameOf(queue)] = made.message.bytes
    if (made.message.text !== fields['message']) {
      warnings.push(`${queue}: the text is cut to ${made.message.text.length} characters to fit.`)
    }
  }
  const problem = failures.length > 0 && { problem: { detail: failures.join(' ') } }
  return { bytes, fields, warnings, ...problem }
}

const push: Look = (needs, rendered) =>
  pushed(
    rendered,
    [
      pack(apnChannel({ ...needs, provider: nowhere }), 'PUSH', rendered, ({ payload, text }) => ({
        bytes: size(payload),
        text
      })),
      pack(fcmChannel({ ...needs, provider: nowhere }), 'PUSH', rendered, ({ body, text }) => ({
        bytes: size(JSON.stringify({ data: body['data'], notification: body['notification'] })),
        text
      }))
    ],
    queue => queue.toLowerCase()
  )

const webPush: Look = (needs, rendered) =>
  pushed(
    rendered,
    [
      pack(webPushChannel({ ...needs, provider: nowhere }), 'WEB_PUSH', rendered, ({ content, payload }) => ({
        bytes: size(payload),
        text: content.message
      }))
    ],
    () => 'payload'
  )

export const LOOKS: Readonly<Record<Channel, Look>> = {
  CALL: call,
  EMAIL: email,
  INAPP_WEB: plain,
  PUSH: push,
  SLACK: plain,
  SMS: sms,
  WEB_PUSH: webPush
}
