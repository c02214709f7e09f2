// The body of a send on the wire (spec/interface.md "Send request", spec/wire.md 7.1), old and new names together.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { contentSchemas } from '../templates/content.ts'
import { line, optionalId, typeId } from '../types/id.ts'
import { emailAddress, phoneNumber, timeZone, userId } from '../users/contact.ts'
import { locale } from '../users/locale.ts'
import { mailbox } from '../users/mailbox.ts'
import { slackChannel } from '../users/slack.ts'
import { inFull } from './when.ts'

/** Longest display name, subject-like line or file name, in UTF-16 units. */
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

const httpAddress = line(2048).refine(
  text => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  'Expected an http or https address.'
)

const attachment = z
  .object({
    filename: name().min(1).optional(),
    fileName: name().min(1).optional(),
    url: httpAddress.optional(),
    content: z
      .string()
      .transform(text => text.replace(/\s+/g, ''))
      .pipe(z.base64('Expected base64.'))
      .optional(),
    contentType: z
      .string()
      .max(LINE_LIMIT)
      .regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/,
        'Expected a media type.'
      )
      .optional()
  })
  .check(({ value, issues }) => {
    const wrong = (key: string, message: string) =>
      issues.push({ code: 'custom', input: value, message, path: [key] })
    if (value.filename === undefined && value.fileName === undefined)
      wrong('filename', 'This field is required.')
    if (value.url === undefined && value.content === undefined) wrong('url', 'Expected url or content.')
    if (value.url !== undefined && value.content !== undefined) {
      wrong('content', 'Expected either url or content, not both.')
    }
  })
  .transform(({ filename, fileName, url, content, contentType }) => {
    const name = filename ?? fileName!
    if (url !== undefined) return { filename: name, url }
    return { content: content!, filename: name, ...(contentType !== undefined && { contentType }) }
  })

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
      fromName: unlessEmpty(name()),
      fromAddress: unlessEmpty(emailAddress),
      attachments: z.array(attachment).max(ATTACHMENTS).optional(),
      condition: z.string().max(1000).optional().meta({
        description:
          'The mail goes out where this holds: what may stand in `{% if ... %}` of a template, such as `plan == "pro"`, or a whole Liquid text that comes to something else than nothing and `false`.'
      })
    })
    .optional(),
  apn: z
    .object({
      expiry: whole(0, 253_402_300_799).optional(),
      priority: z.literal([10, 5, 1], 'Expected 10, 5 or 1.').optional(),
      collapseId: unlessEmpty(line(1000)),
      threadId: unlessEmpty(line(1000)),
      badge: z.int('Expected a whole number.').min(0, 'Expected 0 or more.').optional(),
      sound: unlessEmpty(line(1000)),
      contentAvailable: z
        .union([z.boolean(), z.literal([0, 1]).transform(Boolean)], 'Expected true or false.')
        .optional()
    })
    .optional(),
  fcm: z
    .object({
      android: z
        .object({
          collapseKey: unlessEmpty(line(1000)).meta({
            description:
              'Of messages with the same key only the last is delivered once the device is reachable. Firebase keeps at most 4 different keys of an app at a time; which ones of more is not defined, so use few.'
          }),
          priority: z.enum(['high', 'normal'], 'Expected high or normal.').optional(),
          ttl: whole(0, Number.MAX_SAFE_INTEGER).optional(),
          restrictedPackageName: unlessEmpty(name())
        })
        .optional()
    })
    .optional(),
  push: z
    .object({
      customData: z
        .record(z.string(), z.string())
        .refine(map => Object.keys(map).length <= 3, 'Expected at most 3 keys.')
        .optional()
    })
    .optional()
})

const says = (description: string) => ({ description })

const recipient = z.object({
  id: userId
    .optional()
    .meta(says('Yours. Without one it is the e-mail address in lower case, or else the number in E.164.')),
  email: unlessEmpty(emailAddress),
  number: unlessEmpty(phoneNumber),
  timezone: unlessEmpty(timeZone).meta(
    says('IANA name, such as `Europe/Oslo`: when digests come, and dates.')
  ),
  locale: unlessEmpty(locale).meta(says('BCP 47, such as `de-AT`: which form of a template is used.')),
  slackChannel: unlessEmpty(slackChannel).meta(says('Instead of the one that is stored for the user.')),
  /** The same, as one existing client calls it. */
  slackChannelName: unlessEmpty(slackChannel)
})

/** Values are taken as they are: templates read them, nothing else. */
const mergeTags = z
  .custom<Readonly<Record<string, unknown>>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Expected an object.'
  )
  .meta({ type: 'object' })

export const sendBody = z.object({
  type: typeId
    .optional()
    .meta(
      says('Id of the notification type. Required; one that is not known is made if the send brings content.')
    ),
  to: recipient.optional().meta(says('The user. Required, with an id, an e-mail address or a number.')),
  parameters: mergeTags.optional().meta(says('What templates and content read as `{{ name }}`.')),
  secondaryId: optionalId.optional().meta(says('Former name of `subNotificationId`.')),
  subNotificationId: optionalId
    .optional()
    .meta(says('A part of the type, such as a project, that users choose about by itself.')),
  templateId: optionalId
    .optional()
    .meta(
      says('Template to use in each channel; where there is none of this id, the default one and a message.')
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
    .meta(says('When it goes out, with a zone. Absent or past: now.')),
  replace: z
    .record(z.string().min(1, 'Expected a text to replace, not an empty one.'), z.string())
    .optional()
    .meta(says('Texts and what stands in their place, after the templates have been filled in.')),
  forceChannels: z
    .array(z.enum(CHANNELS, `Expected one of ${CHANNELS.join(', ')}.`))
    .max(50)
    .optional()
    .meta(says('Channels instead of those of the type; what the user has chosen still counts.')),
  options: options.optional().meta(says('What only one channel or provider knows.')),
  // Content of its own, instead of the templates of the type.
  email: contentSchemas.EMAIL.optional(),
  inapp: contentSchemas.INAPP_WEB.optional(),
  sms: contentSchemas.SMS.optional(),
  call: contentSchemas.CALL.optional(),
  web_push: contentSchemas.WEB_PUSH.optional(),
  mobile_push: contentSchemas.PUSH.optional(),
  slack: contentSchemas.SLACK.optional(),
  // The names of before: the ones above win.
  notificationId: typeId.optional().meta(says('Former name of `type`.')),
  user: recipient.optional().meta(says('Former name of `to`.')),
  mergeTags: mergeTags.optional().meta(says('Former name of `parameters`.'))
})

export type SendBody = z.output<typeof sendBody>

/** Body of a retraction; `type` as in a send. */
export const retractBody = z.object({
  notificationId: typeId.optional(),
  userId,
  secondaryId: optionalId.optional(),
  subNotificationId: optionalId.optional(),
  type: typeId.optional()
})
