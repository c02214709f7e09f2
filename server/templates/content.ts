// What a template of each channel consists of: the same fields in a stored template, in a file and in a send
// that brings its own content.
//
// Every text is Liquid. How a field is escaped and checked after rendering follows from its kind, which its
// schema carries.

import { z } from 'zod'

import type { Channel } from '#protocol'

import { emailAddress } from '../users/contact.ts'
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
    subject: required(line()).register(kinds, { kind: 'line' }),
    html: html().optional(),
    /** Plain part; made from the HTML where it is absent. */
    text: text(HTML_LIMIT).optional(),
    /** What mail programs show beside the subject. */
    previewText: line().optional(),
    senderName: line().optional(),
    senderEmail: address().optional()
  })
  .refine(({ html: body, text: plain }) => body || plain, {
    error: 'This field is required.',
    path: ['html']
  })

const inapp = z.object({
  title: required(text(LINE_LIMIT)).register(kinds, { kind: 'text' }),
  body: text().optional(),
  /** `url` and `image` are the names in a send. */
  redirectURL: link().optional(),
  imageURL: image().optional(),
  url: link().optional(),
  image: image().optional()
})

const message = () => required(text()).register(kinds, { kind: 'text' })

const sms = z
  .object({
    message: text().optional(),
    from: line().optional(),
    mediaUrls: z.array(image()).max(10).optional(),
    autoReply: z.object({ message: message() }).optional()
  })
  .refine(({ message: body, mediaUrls }) => body || mediaUrls?.length, {
    error: 'This field is required.',
    path: ['message']
  })

const call = z.object({ message: message() })

const webPush = z.object({
  title: required(line()).register(kinds, { kind: 'line' }),
  message: message(),
  icon: image().optional(),
  url: link().optional()
})

const push = z.object({ title: required(line()).register(kinds, { kind: 'line' }), message: message() })

/** Fields that Slack knows and we only pass on (spec/wire.md 7.1). */
const slack = z.object({
  text: message(),
  blocks: z.array(z.record(z.string(), z.unknown())).max(50).optional(),
  username: line().optional(),
  icon: line().optional(),
  thread_ts: line().optional(),
  reply_broadcast: z.boolean().optional(),
  parse: z.enum(['full', 'none']).optional(),
  link_names: z.boolean().optional(),
  mrkdwn: z.boolean().optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional()
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
