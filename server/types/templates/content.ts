// What a template of each channel consists of: the same fields in a stored template, in a file and in a send
// that brings its own content.

import { z } from 'zod'

import type { Channel } from '#protocol'

import {
  address,
  html,
  HTML_LIMIT,
  image,
  kindOf,
  line,
  LINE_LIMIT,
  link,
  requiredLine,
  requiredText,
  text,
  type Kind
} from './field-kind.ts'

/** Fields of a channel's template by their names, each a Liquid text or a list of them. */
export type TemplateContent = Readonly<Record<string, unknown>>

const email = z
  .object({
    subject: requiredLine('Its subject.'),
    html: html().optional().describe('Its text as HTML. Values are escaped.'),
    text: text(HTML_LIMIT).optional().describe('Its plain text; made from the HTML where it is absent.'),
    previewText: line().optional().describe('What mail programs show beside the subject.'),
    senderName: line().optional().describe('Name of the sender. Absent: that of NOTIF_EMAIL_FROM.'),
    senderEmail: address().optional().describe('Address of the sender. Absent: NOTIF_EMAIL_FROM.')
  })
  .refine(({ html: body, text: plain }) => body || plain, {
    error: 'This field is required.',
    path: ['html']
  })

const inapp = z.object({
  title: requiredText('Its first line.', LINE_LIMIT),
  body: text().optional().describe('What stands below.'),
  redirectURL: link().optional().describe('The same as `url`.'),
  imageURL: image().optional().describe('The same as `image`.'),
  url: link().optional().describe('Where it leads.'),
  image: image().optional().describe('Address of a picture, such as the face of who did it.')
})

const sms = z
  .object({
    message: text().optional().describe('Its text.'),
    from: line().optional().describe('Number or name that it comes from. Absent: NOTIF_SMS_FROM.'),
    mediaUrls: z.array(image()).max(10).optional().describe('Addresses of pictures.'),
    autoReply: z
      .object({ message: requiredText('Its text.') })
      .optional()
      .describe('What is answered to whoever answers.')
  })
  .refine(({ message: body, mediaUrls }) => body || mediaUrls?.length, {
    error: 'This field is required.',
    path: ['message']
  })

const call = z.object({ message: requiredText('What is read aloud.') })

const webPush = z.object({
  title: requiredLine('Its first line.'),
  message: requiredText('What stands below.'),
  icon: image().optional().describe('Address of a picture.'),
  url: link().optional().describe('What it opens.')
})

const push = z.object({
  title: requiredLine('Its first line.'),
  message: requiredText('What stands below.')
})

/** Fields that Slack knows and we only pass on (spec/wire.md 7.1). */
const slack = z.object({
  text: requiredText('Its text; beside blocks what notifications show.'),
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

/** Without what is empty. */
const tidy = (content: TemplateContent): TemplateContent =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && value !== ''))

/** One name for each thing. */
const renamed = ({ url, image: picture, ...rest }: z.output<typeof inapp>): TemplateContent =>
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
