// The schemas of a send and a retraction, with old and new names.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { contactOrMalformed, emailAddress, phoneNumber, timeZone, userId } from '../core/contact.ts'
import { toFullDateTime } from '../core/instant.ts'
import { locale } from '../core/locale.ts'
import { boundedRecord, formerName } from '../http/common-schemas.ts'
import { contentSchemas } from '../types/templates/content.ts'
import { optionalId, typeId } from '../types/type-id.ts'
import { slackChannel } from '../users/slack-connection.ts'
import { options, unlessEmpty } from './options.ts'

export const recipient = z.object(
  {
    id: userId
      .optional()
      .describe(
        'Id of the user in your system. Default: the email address in lower case, or else the number in E.164.'
      ),
    email: contactOrMalformed(emailAddress).describe(
      'Email address. Default: the stored one. A malformed one discards the email, and `messages` says so.'
    ),
    number: contactOrMalformed(phoneNumber).describe(
      'Phone number with country code; spaces, dots, hyphens and parentheses are removed. Default: the stored one. A malformed one discards SMS and calls, and `messages` says so.'
    ),
    timezone: unlessEmpty(timeZone).describe(
      'IANA name, such as `Europe/Oslo`, for the time of digests and for dates. Default: the stored one.'
    ),
    locale: unlessEmpty(locale).describe(
      'Language tag (BCP 47), such as `de-AT`, which selects the variant of a template. Default: the stored one.'
    ),
    slackChannel: unlessEmpty(slackChannel).describe('Slack channel or person. Default: the stored one.'),
    slackChannelName: formerName(unlessEmpty(slackChannel), 'slackChannel')
  },
  { error: ({ input }) => (Array.isArray(input) ? 'Expected one user, not a list.' : undefined) }
)

export type RecipientBody = z.output<typeof recipient>

/** Accepts any values, because only templates read them. */
export const mergeTags = z
  .custom<Readonly<Record<string, unknown>>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Expected an object.'
  )
  .meta({ additionalProperties: {}, type: 'object' })

const inline = <T extends z.ZodType>(schema: T) =>
  schema.optional().describe('Content for this channel, used instead of the template of the type.')

const MAX_REPLACEMENTS = 1000

export const sendBody = z.object({
  type: typeId
    .optional()
    .describe('Id of the notification type. A type that does not exist is created if the send has content.'),
  to: recipient.optional().describe('The user, with an id, an email address or a number.'),
  parameters: mergeTags
    .optional()
    .describe(
      'Values that templates and content read as `{{ name }}`. Above 150 KB the answer contains a warning; above 256 KiB the send is refused.'
    ),
  secondaryId: formerName(optionalId, 'subNotificationId'),
  subNotificationId: optionalId
    .optional()
    .describe('Part of the type, such as a project, with preferences of its own.'),
  templateId: optionalId
    .optional()
    .describe(
      'Template to use on each channel. A channel without this template uses the default template, and the answer says so.'
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
    .describe(
      'Time of the send, with a zone; at most 366 days ahead. A time in the past means now. Default: now.'
    ),
  replace: boundedRecord(
    MAX_REPLACEMENTS,
    z.record(z.string().min(1, 'Expected a text to replace, not an empty one.'), z.string())
  )
    .optional()
    .describe('Texts to replace in the rendered content, each with its replacement.'),
  forceChannels: z
    .array(z.enum(CHANNELS, `Expected one of ${CHANNELS.join(', ')}.`))
    .max(50)
    .optional()
    .describe('Channels to use instead of those of the type. Preferences of the user still apply.'),
  options: options.optional().describe('Options for single channels and providers.'),
  email: inline(contentSchemas.EMAIL),
  inapp: inline(contentSchemas.INAPP_WEB),
  sms: inline(contentSchemas.SMS),
  call: inline(contentSchemas.CALL),
  web_push: inline(contentSchemas.WEB_PUSH),
  mobile_push: inline(contentSchemas.PUSH),
  slack: inline(contentSchemas.SLACK),
  // Former names; the names above take precedence.
  notificationId: formerName(typeId, 'type'),
  user: formerName(recipient, 'to'),
  mergeTags: formerName(mergeTags, 'parameters')
})

export type SendBody = z.output<typeof sendBody>

export const retractBody = z.object({
  notificationId: typeId.optional().describe('Type of the notifications to remove.'),
  userId: userId.describe('User from whose inbox and digests they are removed.'),
  secondaryId: formerName(optionalId, 'subNotificationId'),
  subNotificationId: optionalId
    .optional()
    .describe('Removes only notifications of this part of the type. Default: all of the type.'),
  type: typeId.optional().describe('Another name of `notificationId`.')
})
