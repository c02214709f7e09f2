// The schema of a send's options for single channels and providers.

import { z } from 'zod'

import { emailAddress } from '../core/contact.ts'
import { mailbox } from '../core/mailbox.ts'
import { boundedRecord } from '../http/common-schemas.ts'
import { lineText } from '../types/type-id.ts'
import { attachmentSchema } from './attachments/attachment.ts'

const MAX_NAME_LENGTH = 255
const MAX_ADDRESSES = 50
const MAX_ATTACHMENTS = 50

const name = () => lineText(MAX_NAME_LENGTH)

/** A whole number, also as text, because some clients send text. */
const wholeNumber = (min: number, max: number) =>
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
  .max(MAX_ADDRESSES)
  .optional()
  .meta({ description: 'Each `ann@example.com` or `Ann <ann@example.com>`.' })

/** Accepts an empty text as absent, because some clients send one. */
export const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

export const options = z.object({
  email: z
    .object({
      replyToAddresses: addresses,
      ccAddresses: addresses,
      bccAddresses: addresses,
      fromName: unlessEmpty(name()).describe('Name of the sender. Default: the name in the template.'),
      fromAddress: unlessEmpty(emailAddress).describe(
        'Address of the sender. Default: the address in the template.'
      ),
      attachments: z
        .array(attachmentSchema)
        .max(MAX_ATTACHMENTS)
        .optional()
        .describe('Files. The whole email has at most 25 MiB (`NOTIF_EMAIL_MAX_BYTES`).'),
      condition: z.string().max(1000).optional().meta({
        description:
          'Condition for the email, evaluated when it would be sent: an expression as in `{% if ... %}`, such as `plan == "pro"`, or a Liquid text, which means no if it renders to an empty text or to `false`.'
      })
    })
    .optional()
    .describe('Options of the email.'),
  apn: z
    .object({
      expiry: wholeNumber(0, 253_402_300_799)
        .optional()
        .describe('Unix time in seconds until which Apple tries to deliver; 0: one attempt.'),
      priority: z
        .literal([10, 5, 1], 'Expected 10, 5 or 1.')
        .optional()
        .describe('10: at once; 5 and 1 save battery.'),
      collapseId: unlessEmpty(lineText(1000)).describe(
        'A later notification with the same id replaces this one. At most 64 bytes.'
      ),
      threadId: unlessEmpty(lineText(1000)).describe('Notifications with the same id are shown as a group.'),
      badge: z
        .int('Expected a whole number.')
        .min(0, 'Expected 0 or more.')
        .optional()
        .describe('Number on the icon of the app.'),
      sound: unlessEmpty(lineText(1000)).describe('Name of a sound in the app.'),
      contentAvailable: z
        .union([z.boolean(), z.literal([0, 1]).transform(Boolean)], 'Expected true or false.')
        .optional()
        .describe('Wakes the app in the background.')
    })
    .optional()
    .describe('Options for Apple devices.'),
  fcm: z
    .object({
      android: z
        .object({
          collapseKey: unlessEmpty(lineText(1000)).meta({
            description:
              'A device that was offline receives only the last message of each key. Firebase keeps at most 4 keys for an app and does not define which, so use few.'
          }),
          priority: z
            .enum(['high', 'normal'], 'Expected high or normal.')
            .optional()
            .describe('high: may wake a sleeping device.'),
          ttl: wholeNumber(0, Number.MAX_SAFE_INTEGER)
            .optional()
            .describe(
              'Seconds for which Firebase tries to deliver; at most four weeks, which is also the default.'
            ),
          restrictedPackageName: unlessEmpty(name()).describe(
            'Only the app with this package name receives it.'
          )
        })
        .optional()
        .describe('Options for Android devices.')
    })
    .optional()
    .describe('Options for Firebase.'),
  push: z
    .object({
      customData: boundedRecord(3, z.record(z.string(), z.string()))
        .optional()
        .describe('Data for the app, at most three keys.')
    })
    .optional()
    .describe('Options for APNs and Firebase.')
})
