// Schemas of the environment routes.

import { z } from 'zod'

import { CLIENT_ID, isReservedId, RESERVED_ID } from '../config/client-id.ts'
import { environmentSettings, SETTINGS, type EnvironmentSettings } from '../config/environment-settings.ts'

const clientId = z
  .string()
  .regex(CLIENT_ID, 'Expected 1 to 255 letters, digits, dots, dashes, ~ or _.')
  .refine(text => !isReservedId(text), RESERVED_ID)

const clientSecret = z.string().regex(/^[\x21-\x7e]{16,255}$/, 'Expected 16 to 255 visible ASCII characters.')

/** `null` resets a setting to its default. */
const orDefault = <T extends z.ZodType>(schema: T) => schema.nullish().meta(schema.meta() ?? {})

const settings = {
  contactsFromBackEndOnly: orDefault(SETTINGS.contactsFromBackEndOnly),
  defaultTimezone: orDefault(SETTINGS.defaultTimezone),
  defaults: orDefault(SETTINGS.defaults),
  disabledChannels: orDefault(SETTINGS.disabledChannels),
  legacyUserHash: orDefault(SETTINGS.legacyUserHash),
  limits: orDefault(SETTINGS.limits),
  logo: orDefault(SETTINGS.logo),
  origins: orDefault(SETTINGS.origins),
  retentionDays: orDefault(SETTINGS.retentionDays),
  secureMode: orDefault(SETTINGS.secureMode),
  title: orDefault(SETTINGS.title),
  webhook: orDefault(SETTINGS.webhook)
}

export const createBody = z.strictObject({
  clientId: clientId.optional().describe('Absent: the server generates one.'),
  clientSecret: clientSecret
    .optional()
    .describe('Absent: the server generates one. Only the answer to this call contains it.'),
  ...settings
})

export const patchBody = z.strictObject(settings)

type Change = z.output<typeof patchBody>

/** Applies a change: absent settings stay, `null` resets to the default. */
export function applyChange(from: Partial<EnvironmentSettings>, change: Change): EnvironmentSettings {
  const given = Object.entries({ ...from, ...change }).filter(
    ([, value]) => value !== null && value !== undefined
  )
  return environmentSettings.parse(Object.fromEntries(given))
}

const DAY_SECONDS = 86_400

export const rotateBody = z.strictObject({
  graceSeconds: z
    .int()
    .min(0)
    .max(30 * DAY_SECONDS)
    .default(DAY_SECONDS)
    .describe('Seconds for which the previous secret stays valid. Default: a day.')
})

export const listQuery = z.object({
  count: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(255).default('')
})
