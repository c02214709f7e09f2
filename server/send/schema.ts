// The body of a send on the wire (spec/interface.md "Send request", spec/wire.md 7.1), old and new names together.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { emailAddress, phoneNumber, timeZone, userId } from '../core/contact.ts'
import { toFullDateTime } from '../core/date-time.ts'
import { locale } from '../core/locale.ts'
import { counted } from '../http/bounded-record.ts'
import { contentSchemas } from '../types/templates/content.ts'
import { optionalId, typeId } from '../types/type-id.ts'
import { slackChannel } from '../users/slack-connection.ts'
import { options, unlessEmpty } from './options.ts'

const recipient = z.object({
  id: userId
    .optional()
    .describe('Yours. Without one it is the e-mail address in lower case, or else the number in E.164.'),
  email: unlessEmpty(emailAddress).describe('Instead of the one that is stored for the user.'),
  number: unlessEmpty(phoneNumber).describe(
    'Of a phone, with the code of its country; instead of the one that is stored.'
  ),
  timezone: unlessEmpty(timeZone).describe('IANA name, such as `Europe/Oslo`: when digests come, and dates.'),
  locale: unlessEmpty(locale).describe('BCP 47, such as `de-AT`: which form of a template is used.'),
  slackChannel: unlessEmpty(slackChannel).describe('Instead of the one that is stored for the user.'),
  slackChannelName: unlessEmpty(slackChannel).describe(
    'The same as `slackChannel`, as one existing client calls it.'
  )
})

/** Values are taken as they are: templates read them, nothing else. */
const mergeTags = z
  .custom<Readonly<Record<string, unknown>>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Expected an object.'
  )
  .meta({ type: 'object' })

const own = <T extends z.ZodType>(schema: T) =>
  schema.optional().describe('Content for this channel, instead of the template of the type.')

/** Most texts that one send replaces. */
const REPLACED = 1000

export const sendBody = z.object({
  type: typeId
    .optional()
    .describe(
      'Id of the notification type. Required; one that is not known is made if the send brings content.'
    ),
  to: recipient.optional().describe('The user. Required, with an id, an e-mail address or a number.'),
  parameters: mergeTags
    .optional()
    .describe(
      'What templates and content read as `{{ name }}`. Above 150 KB the answer warns, above 256 KiB the send is refused.'
    ),
  secondaryId: optionalId.optional().describe('Former name of `subNotificationId`.'),
  subNotificationId: optionalId
    .optional()
    .describe('A part of the type, such as a project, that users choose about by itself.'),
  templateId: optionalId
    .optional()
    .describe(
      'Template to use in each channel; where there is none of this id, the default one and a message.'
    ),
  schedule: z
    .string()
    .meta({ format: 'date-time' })
    .transform(toFullDateTime)
    .pipe(
      z.iso.datetime({
        error: 'Expected an ISO 8601 date and time with its zone, such as 2026-11-20T04:34:37Z.',
        offset: true
      })
    )
    .optional()
    .describe('When it goes out, with a zone; at most 366 days ahead. Absent or past: now.'),
  replace: counted(
    REPLACED,
    z.record(z.string().min(1, 'Expected a text to replace, not an empty one.'), z.string())
  )
    .optional()
    .describe('Texts and what stands in their place, after the templates have been filled in.'),
  forceChannels: z
    .array(z.enum(CHANNELS, `Expected one of ${CHANNELS.join(', ')}.`))
    .max(50)
    .optional()
    .describe('Channels instead of those of the type; what the user has chosen still counts.'),
  options: options.optional().describe('What only one channel or provider knows.'),
  // Content of its own, instead of the templates of the type.
  email: own(contentSchemas.EMAIL),
  inapp: own(contentSchemas.INAPP_WEB),
  sms: own(contentSchemas.SMS),
  call: own(contentSchemas.CALL),
  web_push: own(contentSchemas.WEB_PUSH),
  mobile_push: own(contentSchemas.PUSH),
  slack: own(contentSchemas.SLACK),
  // The names of before: the ones above win.
  notificationId: typeId.optional().describe('Former name of `type`.'),
  user: recipient.optional().describe('Former name of `to`.'),
  mergeTags: mergeTags.optional().describe('Former name of `parameters`.')
})

export type SendBody = z.output<typeof sendBody>

/** Body of a retraction; `type` as in a send. */
export const retractBody = z.object({
  notificationId: typeId.optional().describe('The type whose notifications go. Required.'),
  userId: userId.describe('Whose inbox.'),
  secondaryId: optionalId.optional().describe('Former name of `subNotificationId`.'),
  subNotificationId: optionalId.optional().describe('Only those of this part. Absent: all of the type.'),
  type: typeId.optional().describe('Another name of `notificationId`.')
})
