// What a template of each channel consists of: the same fields in a stored template, in a file and in a send
// that brings its own content.
//
// Every text is Liquid. How a field is escaped and checked after rendering follows from its kind, which its
// schema carries.

import { z } from 'zod'

import type { Channel } from '#protocol'

import { emailAddress } from '../person/contact.ts'
import { isSafeImage, isSafeLink, LINK_LIMIT, mayBecomeImage, mayBecomeLink } from './link.ts'

/**
 * - `html`: values are HTML-escaped
 * - `text`: may have line breaks
 * - `line`: ends in a header or on one line; line breaks become spaces
 * - `link`: http(s), mailto or a path of the same site
 * - `image`: http(s) or a path of the same site
 * - `address`: one mail address
 */
export type Kind = 'html' | 'text' | 'line' | 'link' | 'image' | 'address'

/** Fields of a channel's template by their names, each a Liquid text or a list of them. */
export type TemplateContent = Readonly<Record<string, unknown>>

/** Characters of a template's field; what it becomes is limited by NOTIF_RENDER_BYTES. */
const HTML_LIMIT = 400_000
const TEXT_LIMIT = 20_000
const LINE_LIMIT = 2_000

const kinds = z.registry<{ kind: Kind }>()

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u
export const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%')
/** Of what is Liquid only the beginning can be judged before it is rendered. */
const staticOr =
  (isGood: (text: string) => boolean, mayBecomeGood: (beginning: string) => boolean = () => true) =>
  (text: string): boolean =>
    text === '' || (isLiquid(text) ? mayBecomeGood(text.slice(0, text.search(/\{[{%]/))) : isGood(text))

const storable = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine(value => !value.includes('\0') && value.isWellFormed(), 'Expected no NUL and no half characters.')

const html = () => storable(HTML_LIMIT).register(kinds, { kind: 'html' })
const text = (limit = TEXT_LIMIT) => storable(limit).register(kinds, { kind: 'text' })
const line = () =>
  storable(LINE_LIMIT)
    .regex(oneLine, 'Expected no line breaks or control characters.')
    .register(kinds, { kind: 'line' })
const link = () =>
  storable(LINK_LIMIT)
    .refine(
      staticOr(isSafeLink, mayBecomeLink),
      'Expected an http, https or mailto address, or a path that starts with /.'
    )
    .register(kinds, { kind: 'link' })
const image = () =>
  storable(LINK_LIMIT)
    .refine(
      staticOr(isSafeImage, mayBecomeImage),
      'Expected an http or https address, or a path that starts with /.'
    )
    .register(kinds, { kind: 'image' })
const address = () =>
  z
    .string()
    .max(254)
    .refine(
      staticOr(value => emailAddress.safeParse(value).success),
      'Expected one mail address.'
    )
    .register(kinds, { kind: 'address' })

const required = (schema: z.ZodString): z.ZodString => schema.min(1, 'Expected some text.')

const email = z
  .object({
    subject: required(line()).describe('Its subject.').register(kinds, { kind: 'line' }),
    html: html().optional().describe('Its text as HTML. Values are escaped.'),
    text: text(HTML_LIMIT).optional().describe('Its plain text; made from the HTML where it is absent.'),
    previewText: line().optional().describe('What mail programs show beside the subject.'),
    senderName: line().optional().describe('Name of the sender. Absent: NOTIF_EMAIL_FROM_NAME.'),
    senderEmail: address().optional().describe('Address of the sender. Absent: NOTIF_EMAIL_FROM.')
  })
  .refine(({ html: body, text: plain }) => body || plain, {
    error: 'This field is required.',
    path: ['html']
  })

const inapp = z.object({
  title: required(text(LINE_LIMIT)).describe('Its first line.').register(kinds, { kind: 'text' }),
  body: text().optional().describe('What stands below.'),
  redirectURL: link().optional().describe('The same as `url`.'),
  imageURL: image().optional().describe('The same as `image`.'),
  url: link().optional().describe('Where it leads.'),
  image: image().optional().describe('Address of a picture, such as the face of who did it.')
})

const message = (words: string) => required(text()).describe(words).register(kinds, { kind: 'text' })

const sms = z
  .object({
    message: text().optional().describe('Its text.'),
    from: line().optional().describe('Number or name that it comes from. Absent: NOTIF_SMS_FROM.'),
    mediaUrls: z.array(image()).max(10).optional().describe('Addresses of pictures.'),
    autoReply: z
      .object({ message: message('Its text.') })
      .optional()
      .describe('What is answered to whoever answers.')
  })
  .refine(({ message: body, mediaUrls }) => body || mediaUrls?.length, {
    error: 'This field is required.',
    path: ['message']
  })

const call = z.object({ message: message('What is read aloud.') })

const webPush = z.object({
  title: required(line()).describe('Its first line.').register(kinds, { kind: 'line' }),
  message: message('What stands below.'),
  icon: image().optional().describe('Address of a picture.'),
  url: link().optional().describe('What it opens.')
})

const push = z.object({
  title: required(line()).describe('Its first line.').register(kinds, { kind: 'line' }),
  message: message('What stands below.')
})

/** Fields that Slack knows and we only pass on (spec/wire.md 7.1). */
const slack = z.object({
  text: message('Its text; beside blocks what notifications show.'),
  blocks: z
    .array(z.record(z.string(), z.unknown()))
    .max(50)
    .optional()
    .describe('Layout, as Slack describes it.'),
  username: line().optional().describe('Name that it comes from.'),
  icon: line().optional().describe('Address of a picture, or an emoji such as `:ship:`.'),
  thread_ts: line().optional().describe('As in `chat.postMessage` of Slack.'),
  reply_broadcast: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  parse: z.enum(['full', 'none']).optional().describe('As in `chat.postMessage` of Slack.'),
  link_names: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  mrkdwn: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  unfurl_links: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  unfurl_media: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('As in `chat.postMessage` of Slack.')
})

type Content = Readonly<Record<string, unknown>>

/** Without what is empty. */
const tidy = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && value !== ''))

/** One name for each thing. */
const renamed = ({ url, image: picture, ...rest }: z.output<typeof inapp>): Content =>
  tidy({ redirectURL: url, imageURL: picture, ...tidy(rest) })

const shapes = {
  CALL: call,
  EMAIL: email,
  INAPP_WEB: inapp,
  PUSH: push,
  SLACK: slack,
  SMS: sms,
  WEB_PUSH: webPush
}

/** Content of a send: unknown fields are dropped. */
export const contentSchemas = {
  CALL: call.transform(tidy),
  EMAIL: email.transform(tidy),
  INAPP_WEB: inapp.transform(renamed),
  PUSH: push.transform(tidy),
  SLACK: slack.transform(tidy),
  SMS: sms.transform(tidy),
  WEB_PUSH: webPush.transform(tidy)
} as const satisfies Record<Channel, z.ZodType>

/** A stored template: a field that is not known is a misspelt one and is refused. */
export const templateSchemas = {
  CALL: call.strict().transform(tidy),
  EMAIL: email.strict().transform(tidy),
  INAPP_WEB: inapp.strict().transform(renamed),
  PUSH: push.strict().transform(tidy),
  SLACK: slack.strict().transform(tidy),
  SMS: sms.strict().transform(tidy),
  WEB_PUSH: webPush.strict().transform(tidy)
} as const satisfies Record<Channel, z.ZodType>

const kindOf = (schema: z.core.$ZodType): Kind | undefined => {
  if (schema instanceof z.ZodOptional) return kindOf(schema.unwrap())
  if (schema instanceof z.ZodArray) return kindOf(schema.element)
  return kinds.get(schema)?.kind
}

export interface Field {
  readonly kind: Kind
  /** Is there even when it is empty. */
  readonly required: boolean
}

/** Every field of every channel, by name; what is not in here is text. */
export const FIELDS: Readonly<Record<Channel, ReadonlyMap<string, Field>>> = Object.fromEntries(
  Object.entries(shapes).map(([channel, { shape }]) => [
    channel,
    new Map(
      Object.entries(shape).map(([name, schema]) => [
        name,
        { kind: kindOf(schema) ?? 'text', required: !(schema instanceof z.ZodOptional) }
      ])
    )
  ])
) as Record<Channel, Map<string, Field>>
