// What a front end or back end may say about a user (spec/interface.md "Stored user", spec/wire.md 7.4).

import { ECDH } from 'node:crypto'

import { z } from 'zod'

import { emailAddress, phoneNumber, timeZone, userId } from '../core/contact.ts'
import { isUserId, type UserKey } from '../core/id.ts'
import { locale } from '../core/locale.ts'
import { counted } from '../http/bounded-record.ts'
import { cursorOf } from '../http/cursor.ts'
import { slackChannel, slackToken } from './slack-connection.ts'

/** Absent: stays. `null`: cleared. An empty text is what some clients send for "nothing to say". */
const field = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), z.null(), schema]).optional()

const shortText = z.string().max(500)
const optionalText = z
  .string()
  .max(500)
  .nullish()
  .transform(text => text ?? undefined)

/** Names of existing clients, with their misspelling of manufacturer and both spellings of the device's id. */
const device = z
  .object({
    ad_id: optionalText.describe('Its advertising id.'),
    app_id: optionalText.describe('Id of your app.'),
    device: optionalText.describe('Its own id.'),
    device_id: optionalText.describe('The same as `device`.'),
    manufactuer: optionalText.describe('The same as `manufacturer`, as existing clients write it.'),
    manufacturer: optionalText.describe('Who made it.'),
    model: optionalText.describe('What it is called.'),
    platform: optionalText.describe('Its operating system.')
  })
  .transform(({ device: id, device_id: otherId, manufactuer, manufacturer, ...rest }) => ({
    ...rest,
    device_id: otherId || id,
    manufacturer: manufacturer || manufactuer
  }))

const pushToken = z.object({
  device: device.describe('About the device; for people.'),
  environment: z
    .enum(['sandbox', 'production'])
    .nullish()
    .describe('Of Apple: sandbox for builds in development.'),
  token: z.string().min(1).max(4096).describe('What Apple or Firebase calls the app on this device.'),
  // APM: the misspelling of one SDK.
  type: z
    .string()
    .transform(text => text.toLowerCase().replace('apm', 'apn'))
    .pipe(z.enum(['apn', 'fcm'], 'Expected apn or fcm.'))
    .describe('Who delivers: Apple or Firebase.')
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
    // One spelling, so that a sender need not care.
    .transform(text => Buffer.from(text, 'base64').toString('base64url'))

/** On the curve: encryption to any other point fails, or tells about the key. */
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
      endpoint: endpoint.describe('Address of the browser at its push service.'),
      keys: z
        .object({
          auth: base64url(16, 'the authentication secret').describe('Of the subscription.'),
          p256dh: base64url(65, 'an uncompressed P-256 point')
            .refine(text => isPoint(Buffer.from(text, 'base64url')), 'Expected an uncompressed P-256 point.')
            .describe('Its public key.')
        })
        .describe('What messages to it are encrypted with.')
    })
    .describe('A `PushSubscription` as its `toJSON()` gives it.')
})

/** Most devices in one request. */
const DEVICES = 100

/** Properties in one request. More than a user may have, because null removes one. */
const PROPERTIES = 1000

/** Body of identify. Unknown fields, and the read-only times, are ignored. */
export const identity = z.object({
  email: field(emailAddress).describe('Where mails go.'),
  emailBounce: z.unknown().optional().meta({
    description: 'null, from a back end: mail to the address works again. Anything else is ignored.'
  }),
  id: userId.nullish().describe('The same as in the path; another one is refused.'),
  locale: field(locale).describe('BCP 47, such as `de-AT`: which form of a template is used.'),
  number: field(phoneNumber).describe(
    'Of a phone, with the code of its country, such as `+15005550006`; kept in E.164.'
  ),
  properties: counted(
    PROPERTIES,
    z.record(shortText.min(1), z.union([shortText, z.number(), z.boolean(), z.null()]))
  )
    .nullish()
    .describe('What else you want to keep about the user; `null` removes one.'),
  pushTokens: z
    .array(pushToken)
    .max(DEVICES)
    .nullish()
    .describe('Phones and tablets with your app; added to those that are known.'),
  slackChannel: field(slackChannel).describe('Where in Slack messages go: `#name`, `@name` or an id.'),
  slackToken: slackToken
    .nullish()
    .describe('What Slack answered to `oauth.v2.access`. It is kept encrypted and never given out.'),
  timezone: field(timeZone).describe('IANA name, such as `Europe/Oslo`: when digests come, and dates.'),
  webPushTokens: z
    .array(webPushToken)
    .max(DEVICES)
    .nullish()
    .describe('Browsers that show pushes; added to those that are known.')
})

export type Identity = z.output<typeof identity>

/** Most users of one page. */
const PAGE_LIMIT = 1000

const place = cursorOf((parts): Pick<UserKey, 'bucket' | 'userId'> | undefined => {
  const [, bucket, userId = ''] = /^(\d{1,4})\.(.+)$/s.exec(parts) ?? []
  return isUserId(userId) && Number(bucket) < 1024 ? { bucket: Number(bucket), userId } : undefined
})

/**
 * - `count`: users of one page, 1 to 1000, default 50
 * - `cursor`: `next` of the page before
 */
export const usersQuery = z.object({
  count: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
  cursor: place.optional()
})
