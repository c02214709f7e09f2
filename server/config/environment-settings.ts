// Environments: the settings of a client id, and the interface of their cache.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { timeZone } from '../core/contact.ts'
import { isOrigin } from './parse.ts'

const MAX_RETENTION_DAYS = 3650
const MAX_ORIGINS = 100
const MAX_PER_SECOND = 1_000_000

const isWebAddress = (text: string): boolean => text === '' || isPlainWebAddress(URL.parse(text))

/** `https://bank.example@evil` looks like an address of the bank. */
const isPlainWebAddress = (url: URL | null): boolean =>
  ['http:', 'https:'].includes(url?.protocol ?? '') && url?.username === '' && url.password === ''

const rate = z.int().min(1).max(MAX_PER_SECOND)

export const SETTINGS = {
  title: z.string().max(255).describe('Name that operators see.'),
  secureMode: z.boolean().describe('Front-end calls need the user hash.'),
  legacyUserHash: z
    .boolean()
    .describe('Also accepts base64(SHA-256(secret + user id)), the weaker hash of one legacy server SDK.'),
  contactsFromBackEndOnly: z
    .boolean()
    .describe(
      'Front-end calls cannot change email address, phone number and Slack connection of their user. They can register devices and browsers.'
    ),
  origins: z
    .array(z.string().refine(isOrigin, 'Expected an origin such as https://example.com, or *.'))
    .max(MAX_ORIGINS)
    .describe('Origins whose pages may call the server and connect; `*`: all origins.'),
  logo: z
    .string()
    .max(2048)
    .refine(isWebAddress, 'Expected an http or https address.')
    .describe('Address of an image for your own pages.'),
  webhook: z
    .strictObject({
      url: z
        .string()
        .min(1)
        .max(2048)
        .refine(isWebAddress, 'Expected an http or https address without a user name.')
        .describe('Address of your back end.')
    })
    .optional()
    .describe(
      'Receives the buttons (with `send`) and replies of in-app notifications, signed as Standard Webhooks. `webhookSecret` of the client has the secret.'
    ),
  disabledChannels: z
    .array(z.enum(CHANNELS))
    .max(50)
    .describe('Channels that are off for the whole environment.'),
  defaults: z
    .partialRecord(z.enum(CHANNELS), z.enum(DELIVERIES))
    .describe('Delivery by channel, if neither the user nor the type sets one.'),
  defaultTimezone: timeZone
    .optional()
    .describe('IANA time zone of users without a stored one. Absent: NOTIF_TIMEZONE.'),
  retentionDays: z
    .int()
    .min(1)
    .max(MAX_RETENTION_DAYS)
    .optional()
    .describe('Days for which logs are kept. Absent: NOTIF_RETENTION_DAYS.'),
  limits: z
    .strictObject({
      requestsPerSecond: rate
        .optional()
        .describe('Back-end calls per second. Absent: NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND.'),
      sendsPerSecond: rate
        .optional()
        .describe('Sends per second. Absent: only the limit of all calls applies.')
    })
    .describe('Rate limits of back-end calls.')
}

export const environmentSettings = z.object({
  ...SETTINGS,
  contactsFromBackEndOnly: SETTINGS.contactsFromBackEndOnly.default(false),
  defaults: SETTINGS.defaults.default({}),
  disabledChannels: SETTINGS.disabledChannels.default([]),
  legacyUserHash: SETTINGS.legacyUserHash.default(false),
  limits: SETTINGS.limits.default({}),
  logo: SETTINGS.logo.default(''),
  origins: SETTINGS.origins.default(['*']),
  secureMode: SETTINGS.secureMode.default(true),
  title: SETTINGS.title.default('')
})

export type EnvironmentSettings = z.output<typeof environmentSettings>

export interface Environment {
  /** The client id. */
  readonly id: string
  /** The current client secret, which is also the key of the user hashes. Never logged and never part of an answer. */
  readonly secret: string
  /** All valid secrets, newest first: after a change, the previous one stays valid for a while. */
  readonly secrets: readonly string[]
  readonly settings: EnvironmentSettings
}

/** Cached environments. Changes of other nodes arrive within seconds. */
export interface Environments {
  get(id: string): Promise<Environment | undefined>
  forget(id: string): void
}

/** Days for which an environment keeps its log. */
export const retentionInDays = (
  settings: EnvironmentSettings,
  { retentionDays }: { readonly retentionDays: number }
): number => settings.retentionDays ?? retentionDays
