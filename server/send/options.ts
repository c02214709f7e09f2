// What only one channel or provider knows of a send, on the wire (spec/interface.md "Options").

import { z } from 'zod'

import { emailAddress } from '../core/contact.ts'
import { mailbox } from '../core/mailbox.ts'
import { counted } from '../http/bounded-record.ts'
import { line } from '../types/type-id.ts'
import { attachment } from './attachments/attachment-schema.ts'

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
export const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

export const options = z.object({
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
        .describe('Files. With them the mail has at most 25 MiB (`NOTIF_EMAIL_MAX_BYTES`).'),
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
        'A later one with the same id replaces it. At most 64 bytes.'
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
            .describe('Seconds for which Firebase tries; at most four weeks, which is also its default.'),
          restrictedPackageName: unlessEmpty(name()).describe('Only this app takes it.')
        })
        .optional()
        .describe('Android devices.')
    })
    .optional()
    .describe('Firebase.'),
  push: z
    .object({
      customData: counted(3, z.record(z.string(), z.string()))
        .optional()
        .describe('For the app, at most three.')
    })
    .optional()
    .describe('Both kinds of devices.')
})
