// Schemas of the user routes.

import { ECDH } from 'node:crypto'

import { z } from 'zod'

import { emailAddress, phoneNumber, timeZone, userId } from '../core/contact.ts'
import { isUserId, USER_ID_LIMIT } from '../core/id.ts'
import { locale } from '../core/locale.ts'
import { boundedRecord, formerName } from '../http/common-schemas.ts'
import { cursorSchema, toCursor } from '../http/cursor.ts'
import { slackChannel, slackToken } from './slack-connection.ts'
import { SEARCHED_FIELDS, type UserPosition } from './user-pages.sql.ts'

/** An absent field does not change, `null` clears it. Some clients send an empty text for an absent field. */
const field = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), z.null(), schema]).optional()

const shortText = z.string().max(500)
const optionalText = z
  .string()
  .max(500)
  .nullish()
  .transform(text => text ?? undefined)

/** Field names of legacy clients, with their misspelling of manufacturer and both spellings of the device id. */
const device = z
  .object({
    ad_id: optionalText.describe('Advertising id.'),
    app_id: optionalText.describe('Id of your app.'),
    device: optionalText.describe('Id of the device.'),
    device_id: optionalText.describe('The same as `device`.'),
    manufactuer: formerName(optionalText, 'manufacturer'),
    manufacturer: optionalText.describe('Manufacturer.'),
    model: optionalText.describe('Model.'),
    platform: optionalText.describe('Operating system.')
  })
  .transform(({ device: id, device_id: otherId, manufactuer, manufacturer, ...rest }) => ({
    ...rest,
    device_id: otherId || id,
    manufacturer: manufacturer || manufactuer
  }))

const pushToken = z.object({
  device: device.describe('Information about the device, for display only.'),
  environment: z
    .enum(['sandbox', 'production'])
    .nullish()
    .describe('APNs environment: `sandbox` for development builds.'),
  token: z.string().min(1).max(4096).describe('Device token of APNs, or registration token of Firebase.'),
  // One SDK misspells APN as APM.
  type: z
    .string()
    .transform(text => text.toLowerCase().replace('apm', 'apn'))
    .pipe(z.enum(['apn', 'fcm'], 'Expected apn or fcm.'))
    .describe('Push provider: Apple (`apn`) or Firebase (`fcm`).')
})

const base64url = (bytes: number, what: string) =>
  z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_+/-]+={0,2}$/, `Expected ${what} in base64url.`)
    .refine(
      text => Buffer.from(text, 'base64').length === bytes,
      `Expected ${what}: ${bytes} bytes in base64url.`
    )
    // Stored in one encoding, because clients send several.
    .transform(text => Buffer.from(text, 'base64').toString('base64url'))

/** Checks that the point is on the curve: encryption to another point fails, or leaks information about the key. */
function isPoint(point: Buffer): boolean {
  try {
    return point[0] === 4 && ECDH.convertKey(point, 'prime256v1').length > 0
  } catch {
    return false
  }
}

const endpoint = z
  .string()
  .max(2048)
  .refine(text => URL.parse(text)?.protocol === 'https:', 'Expected an https address.')
  .refine(
    text => URL.parse(text)?.username === '' && URL.parse(text)?.password === '',
    'Expected no credentials.'
  )
  .transform(text => new URL(text).href)

const webPushToken = z.object({
  sub: z
    .object({
      endpoint: endpoint.describe(
        'Address of the subscription at the push service. The service must be a known one, or in `NOTIF_WEB_PUSH_HOSTS`.'
      ),
      keys: z
        .object({
          auth: base64url(16, 'the authentication secret').describe('Authentication secret.'),
          p256dh: base64url(65, 'an uncompressed P-256 point')
            .refine(text => isPoint(Buffer.from(text, 'base64url')), 'Expected an uncompressed P-256 point.')
            .describe('Public key.')
        })
        .describe('Keys that messages are encrypted with.')
    })
    .describe('`PushSubscription.toJSON()` of the browser.')
})

const MAX_DEVICES = 100

/** In one request. More than a user may have, because null deletes a property. */
const MAX_PROPERTIES = 1000

/** Body of an identify request. Unknown fields and read-only times are ignored. */
export const identity = z.object({
  email: field(emailAddress).describe('Email address.'),
  emailBounce: z.unknown().optional().meta({
    description:
      '`null`, from a back end only: the address works again after a bounce. Other values are ignored.'
  }),
  id: userId.nullish().describe('Must equal the id in the path.'),
  locale: field(locale).describe(
    'BCP 47, such as `de-AT`. Selects the template in the language of the user.'
  ),
  number: field(phoneNumber).describe(
    'Phone number with country code, such as `+15005550006`. Stored in E.164.'
  ),
  properties: boundedRecord(
    MAX_PROPERTIES,
    z.record(shortText.min(1), z.union([shortText, z.number(), z.boolean(), z.null()]))
  )
    .nullish()
    .describe('Other data about the user. `null` deletes a property.'),
  pushTokens: z
    .array(pushToken)
    .max(MAX_DEVICES)
    .nullish()
    .describe('Phones and tablets with your app; added to the stored ones.'),
  slackChannel: field(slackChannel).describe('Channel for messages: `#name`, `@name` or an id.'),
  slackToken: slackToken
    .nullish()
    .describe('Answer of Slack to `oauth.v2.access`. Stored encrypted and never returned.'),
  timezone: field(timeZone).describe(
    'IANA name, such as `Europe/Oslo`. Used for the time of digests and for dates.'
  ),
  webPushTokens: z
    .array(webPushToken)
    .max(MAX_DEVICES)
    .nullish()
    .describe('Browsers with a push subscription; added to the stored ones.')
})

export type Identity = z.output<typeof identity>

const MAX_PAGE_SIZE = 1000

/** No id and no key contains NUL. */
export const toUserCursor = ({ field, key, userId: id }: UserPosition): string =>
  toCursor([field, key, id].join('\0'))

const userCursor = cursorSchema((text): UserPosition | undefined => {
  const [name, key, id = '', ...rest] = text.split('\0')
  const searched = SEARCHED_FIELDS.find(one => one === name)
  return searched && key !== undefined && isUserId(id) && rest.length === 0
    ? { field: searched, key, userId: id }
    : undefined
})

/**
 * - `count`: users of one page, 1 to 1000, default 50
 * - `cursor`: `next` of the previous page
 * - `q`: the beginning, or all, of an id, email address or phone number
 */
export const usersQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50),
  cursor: userCursor.optional(),
  q: z
    .string()
    .trim()
    .refine(isUserId, `Expected 1 to ${USER_ID_LIMIT} characters without a NUL character.`)
    .optional()
    .describe(
      'Only users whose id, email address (in any case) or phone number begins with this text. A part of a number begins with its country code; separators do not matter.'
    )
})
