// Creates and reads the links in emails, to the preferences of a user and to unsubscribe, with their encrypted tokens. A token says what its link authorizes. It cannot be read, guessed or
// changed, and contains no address to redirect to.
//
// Tokens do not expire, because users must be able to unsubscribe with an email of last year. They become invalid when NOTIF_KEY has
// changed twice, or when their environment is deleted.

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { withoutTrailingSlash } from '../../http/path-prefix.ts'

export interface LinkToken<Subject> {
  make(encryption: Encryption, about: Subject): string
  /** @returns undefined if the token is not valid */
  read(encryption: Encryption, token: string): Subject | undefined
}

/** @param place - purpose of the token; a token is valid only for its own purpose */
const defineLinkToken = <Subject>(place: string, subject: z.ZodType<Subject>): LinkToken<Subject> => ({
  make: (encryption, about) =>
    encryption.encrypt(JSON.stringify(subject.parse(about)), place).toString('base64url'),
  read(encryption, token) {
    try {
      return subject.parse(JSON.parse(encryption.decrypt(Buffer.from(token, 'base64url'), place)))
    } catch {
      return undefined
    }
  }
})

/** @returns the address of the link, or undefined if `NOTIF_PUBLIC_URL` is not set */
const linkUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, path: string, token: string): string | undefined =>
  publicUrl === undefined ? undefined : `${withoutTrailingSlash(publicUrl)}/${path}/${token}`

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

const subject = z.strictObject({
  envId: z.string(),
  notificationId: z.string(),
  subNotificationId: z.string(),
  userId: z.string()
})

/** What the link authorizes: unsubscribing `userId` from emails of this type, and of this sub-notification unless that is empty. */
export type UnsubscribeSubject = z.output<typeof subject>

export const { make: createUnsubscribeToken, read: readUnsubscribeToken } = defineLinkToken(
  'unsubscribe link',
  subject
)

/** Returns a function that returns the link of a subject, or undefined if `NOTIF_PUBLIC_URL` is not set. */
export const unsubscribeLinkBuilder =
  (encryption: Encryption, config: Pick<Config, 'publicUrl'>) =>
  (about: UnsubscribeSubject): string | undefined =>
    linkUrl(config, 'unsubscribe', createUnsubscribeToken(encryption, about))

export type BuildUnsubscribeLink = ReturnType<typeof unsubscribeLinkBuilder>
