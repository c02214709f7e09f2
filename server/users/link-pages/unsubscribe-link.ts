// The link that ends mails of one type for one user.

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Seal } from '../../environments/encryption/encryption.ts'
import { addressOf, tokens } from './link-token.ts'

const subject = z.strictObject({
  envId: z.string(),
  notificationId: z.string(),
  subNotificationId: z.string(),
  userId: z.string()
})

/** What is ended: mails of this type, and of this sub-notification where there is one, to this user. */
export type Subject = z.output<typeof subject>

export const { make: tokenOf, read: subjectOf } = tokens('unsubscribe link', subject)

/** @returns undefined where nobody could reach it */
export const linkOf =
  (seal: Seal, config: Pick<Config, 'publicUrl'>) =>
  (about: Subject): string | undefined =>
    addressOf(config, 'unsubscribe', tokenOf(seal, about))

export type LinkOf = ReturnType<typeof linkOf>
