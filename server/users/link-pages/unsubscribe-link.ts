// Creates links that unsubscribe one user from the emails of one notification type.

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { linkUrl, defineLinkToken } from './link-token.ts'

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
