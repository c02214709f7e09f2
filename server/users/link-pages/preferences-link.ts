// Creates links to the preferences of a user. A link works without signing in, and authorizes to read and change these preferences only.

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { linkUrl, defineLinkToken } from './link-token.ts'

const holder = z.strictObject({ envId: z.string(), userId: z.string() })

export type PreferencesLinkUser = z.output<typeof holder>

export const { make: createPreferencesToken, read: readPreferencesToken } = defineLinkToken(
  'preferences link',
  holder
)

/** Returns a function that returns the link of a user, or undefined if `NOTIF_PUBLIC_URL` is not set. */
export const preferencesLinkBuilder =
  (encryption: Encryption, config: Pick<Config, 'publicUrl'>) =>
  ({ envId, userId }: PreferencesLinkUser): string | undefined =>
    linkUrl(config, 'preferences', createPreferencesToken(encryption, { envId, userId }))

export type BuildPreferencesLink = ReturnType<typeof preferencesLinkBuilder>
