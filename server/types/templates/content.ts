// Schemas of the template fields of each channel, for stored templates, files, and sends with their own content.

import { z } from 'zod'

import type { Channel } from '#protocol'

import { formerName } from '../../http/common-schemas.ts'
import {
  address,
  html,
  MAX_HTML_CHARACTERS,
  image,
  fieldKind,
  line,
  MAX_LINE_CHARACTERS,
  link,
  requiredLine,
  requiredRich,
  requiredText,
  rich,
  text,
  withoutWrappers,
  type FieldKind
} from './field-kind.ts'
import { inAppExtras } from './in-app-extras.ts'

/** The names of each channel's content in sends and type files, which are also the prefixes of its fields in log records. */
export const CONTENT_FIELDS = {
  CALL: 'call',
  EMAIL: 'email',
  INAPP_WEB: 'inapp',
  PUSH: 'mobile_push',
  SLACK: 'slack',
  SMS: 'sms',
  WEB_PUSH: 'web_push'
} as const satisfies Record<Channel, string>

/** Fields by name, each a Liquid text or a list of texts. */
export type TemplateContent = Readonly<Record<string, unknown>>

const email = z
  .object({
    subject: requiredLine('Subject.'),
    html: html().optional().describe('HTML body. Values are escaped.'),
    text: text(MAX_HTML_CHARACTERS).optional().describe('Plain text body. Default: built from the HTML.'),
    previewText: line().optional().describe('Preview that mail programs show beside the subject.'),
    senderName: line().optional().describe('Name of the sender. Default: from NOTIF_EMAIL_FROM.'),
    senderEmail: address().optional().describe('Address of the sender. Default: NOTIF_EMAIL_FROM.')
  })
  .refine(({ html: body, text: plain }) => body || plain, {
    error: 'This field is required.',
    path: ['html']
  })

const inapp = z.object({
  title: requiredRich(
    'Title. A template may have mark-up in it, inline content is plain text.',
    MAX_LINE_CHARACTERS
  ),
  body: rich().optional().describe('Text below the title, with mark-up as the title.'),
  redirectURL: formerName(link(), 'url'),
  imageURL: formerName(image(), 'image'),
  url: link().optional().describe('Address that a click opens.'),
  image: image().optional().describe('Address of an image, such as an avatar.'),
  ...inAppExtras
})

const sms = z
  .object({
    message: text().optional().describe('Text of the message.'),
    from: line().optional().describe('Number or name of the sender. Default: NOTIF_SMS_FROM.'),
    mediaUrls: z.array(image()).max(10).optional().describe('Addresses of images.'),
    autoReply: z
      .object({ message: requiredText('Text of the reply.') })
      .optional()
      .describe('Sent to users who reply.')
  })
  .refine(({ message: body, mediaUrls }) => body || mediaUrls?.length, {
    error: 'This field is required.',
    path: ['message']
  })

const call = z.object({ message: requiredText('Text that is read aloud.') })

const webPush = z.object({
  title: requiredLine('Title.'),
  message: requiredText('Text below the title.'),
  icon: image().optional().describe('Address of an image.'),
  url: link().optional().describe('Address that a click opens.')
})

const push = z.object({
  title: requiredLine('Title.'),
  message: requiredText('Text below the title.')
})

/** The fields are passed to Slack. */
const slack = z.object({
  text: requiredText('Text; with blocks, the text of the notification.'),
  blocks: z
    .array(z.record(z.string(), z.unknown()))
    .max(50)
    .optional()
    .describe("Blocks of Slack's Block Kit."),
  username: line().optional().describe('Name of the sender.'),
  icon: line().optional().describe('Address of an image, or an emoji such as `:ship:`.'),
  thread_ts: line().optional().describe('As in `chat.postMessage` of Slack.'),
  reply_broadcast: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  parse: z.enum(['full', 'none']).optional().describe('As in `chat.postMessage` of Slack.'),
  link_names: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  mrkdwn: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  unfurl_links: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  unfurl_media: z.boolean().optional().describe('As in `chat.postMessage` of Slack.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('As in `chat.postMessage` of Slack.')
})

const removeEmpty = (content: TemplateContent): TemplateContent =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && value !== ''))

/** Uses one name for each field. */
const renameFields = ({ url, image: imageAlias, ...rest }: z.output<typeof inapp>): TemplateContent =>
  removeEmpty({ redirectURL: url, imageURL: imageAlias, ...removeEmpty(rest) })

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
  CALL: call.transform(removeEmpty),
  EMAIL: email.transform(removeEmpty),
  INAPP_WEB: inapp.transform(renameFields),
  PUSH: push.transform(removeEmpty),
  SLACK: slack.transform(removeEmpty),
  SMS: sms.transform(removeEmpty),
  WEB_PUSH: webPush.transform(removeEmpty)
} as const satisfies Record<Channel, z.ZodType>

/** Content of a stored template: unknown fields are rejected, because they are misspelt. */
export const templateSchemas = {
  CALL: call.strict().transform(removeEmpty),
  EMAIL: email.strict().transform(removeEmpty),
  INAPP_WEB: inapp.strict().transform(renameFields),
  PUSH: push.strict().transform(removeEmpty),
  SLACK: slack.strict().transform(removeEmpty),
  SMS: sms.strict().transform(removeEmpty),
  WEB_PUSH: webPush.strict().transform(removeEmpty)
} as const satisfies Record<Channel, z.ZodType>

export interface Field {
  readonly kind: FieldKind
  /** Rendered also if it is empty. */
  readonly isRequired: boolean
}

/** The fields of each channel by name; other fields are plain text. */
export const FIELDS: Readonly<Record<Channel, ReadonlyMap<string, Field>>> = Object.fromEntries(
  Object.entries(shapes).map(([channel, { shape }]) => [channel, new Map(listFields(shape))])
) as Record<Channel, Map<string, Field>>

/** Fields of objects in a field have names with dots, without the positions of lists: `actions.label`. */
function* listFields(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  prefix = ''
): Generator<[string, Field]> {
  for (const [key, schema] of Object.entries(shape)) {
    const isRequired = !(schema instanceof z.ZodOptional)
    yield [prefix + key, { kind: fieldKind(schema) ?? 'text', isRequired }]
    const inner = withoutWrappers(schema)
    if (inner instanceof z.ZodObject) yield* listFields(inner.shape, `${prefix}${key}.`)
  }
}
