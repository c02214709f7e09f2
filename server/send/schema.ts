// The body of a send on the wire (spec/interface.md "Send request", spec/wire.md 7.1), old and new names together.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { contentSchemas } from '../templates/content.ts'
import { line, optionalId, typeId } from '../types/id.ts'
import { emailAddress, phoneNumber, timeZone, userId } from '../users/contact.ts'
import { locale } from '../users/locale.ts'
import { mailbox } from '../users/mailbox.ts'
import { slackChannel } from '../users/slack.ts'
import { attachment } from './attachment.ts'
import { inFull } from './when.ts'

/** Longest display name or subject-like line, in UTF-16 units. */
const LINE_LIMIT = 255
const ADDRESSES = 50
const ATTACHMENTS = 50

const name = () => line(LINE_LIMIT)

/** Whole number, also as text: some clients have it as one. */
const whole = (min: number, max: number) =>
  z.union(
    [
      z.int().min(min).max(max),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .pipe(z.int().min(min).max(max))
    ],
    `Expected a whole number from ${min} to ${max}.`
  )

const addresses = z
  .array(mailbox)
  .max(ADDRESSES)
  .optional()
  .meta({ description: 'Each `ann@example.com` or `Ann <ann@example.com>`.' })

/** Empty texts are what some clients send for "nothing to say". */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

const options = z.object({
  email: z
    .object({
      replyToAddresses: addresses,
      ccAddresses: addresses,
      bccAddresses: addresses,
      fromName: unlessEmpty(name()).describe('Name of the sender, instead of that of the template.'),
      fromAddress: unlessEmpty(emailAddress).describe('Address of the sender, likewise.'),
      attachments: z
        .array(attachment)
        .max(ATTACHMENTS)
        .optional()
        .describe('Files. With them the mail has at most 25 MiB (`NOTIF_EMAIL_BYTES`).'),
      condition: z.string().max(1000).optional().meta({
        description:
          'The mail goes out where this holds: what may stand in `{% if ... %}` of a template, such as `plan == "pro"`, or a whole Liquid text that comes to something else than nothing and `false`.'
      })
    })
    .optional()
    .describe('The mail.'),
  apn: z
    .object({
      expiry: whole(0, 253_402_300_799)
        .optional()
        .describe('Unix time in seconds until which Apple tries; 0: now or never.'),
      priority: z
        .literal([10, 5, 1], 'Expected 10, 5 or 1.')
        .optional()
        .describe('10: at once; 5 and 1 spare the battery.'),
      collapseId: unlessEmpty(line(1000)).describe(
        'A later one with the same id replaces it. At most 64 bytes (`NOTIF_COLLAPSE_ID_BYTES`).'
      ),
      threadId: unlessEmpty(line(1000)).describe('Those with the same id are shown together.'),
      badge: z
        .int('Expected a whole number.')
        .min(0, 'Expected 0 or more.')
        .optional()
        .describe('Number on the icon of the app.'),
      sound: unlessEmpty(line(1000)).describe('Name of a sound in the app.'),
      contentAvailable: z
        .union([z.boolean(), z.literal([0, 1]).transform(Boolean)], 'Expected true or false.')
        .optional()
        .describe('Wakes the app in the background.')
    })
    .optional()
    .describe('Apple devices.'),
  fcm: z
    .object({
      android: z
        .object({
          collapseKey: unlessEmpty(line(1000)).meta({
            description:
              'Of messages with the same key only the last is delivered once the device is reachable. Firebase keeps at most 4 different keys of an app at a time; which ones of more is not defined, so use few.'
          }),
          priority: z
            .enum(['high', 'normal'], 'Expected high or normal.')
            .optional()
            .describe('high: may wake a device that sleeps.'),
          ttl: whole(0, Number.MAX_SAFE_INTEGER)
            .optional()
            .describe(
              'Seconds for which Firebase tries; at most four weeks (`NOTIF_TTL_SECONDS`), which is also its default.'
            ),
          restrictedPackageName: unlessEmpty(name()).describe('Only this app takes it.')
        })
        .optional()
        .describe('Android devices.')
    })
    .optional()
    .describe('Firebase.'),
  push: z
    .object({
      customData: z
        .record(z.string(), z.string())
        .refine(map => Object.keys(map).length <= 3, 'Expected at most 3 keys.')
        .optional()
        .describe('For the app, at most three.')
    })
    .optional()
    .describe('Both kinds of devices.')
})

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
      'What templates and content read as `{{ name }}`. Above 150 KB (`NOTIF_MERGE_TAGS_WARN`) the answer warns, above 256 KiB (`NOTIF_MERGE_TAGS_LIMIT`) the send is refused.'
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
    .transform(inFull)
    .pipe(
      z.iso.datetime({
        error: 'Expected an ISO 8601 date and time with its zone, such as 2026-11-20T04:34:37Z.',
        offset: true
      })
    )
    .optional()
    .describe(
      'When it goes out, with a zone; at most 366 days ahead (`NOTIF_SCHEDULE_LIMIT_DAYS`). Absent or past: now.'
    ),
  replace: z
    .record(z.string().min(1, 'Expected a text to replace, not an empty one.'), z.string())
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
