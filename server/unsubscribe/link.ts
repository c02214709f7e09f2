// The link that ends mails of one type for one user: its token is sealed, so it tells nobody who that is, cannot be guessed
// or changed, and names no address to go to.

import { z } from 'zod'

import type { Config } from '../config.ts'
import type { Seal } from '../instance/seal.ts'

const subject = z.strictObject({
  envId: z.string(),
  notificationId: z.string(),
  subNotificationId: z.string(),
  userId: z.string()
})

/** What is ended: mails of this type, and of this sub-notification where there is one, to this user. */
export type Subject = z.output<typeof subject>

const PLACE = 'unsubscribe link'

export const tokenOf = (seal: Seal, { envId, notificationId, subNotificationId, userId }: Subject): string =>
  seal.seal(JSON.stringify({ envId, notificationId, subNotificationId, userId }), PLACE).toString('base64url')

/** @returns undefined for what we have not made */
export function subjectOf(seal: Seal, token: string): Subject | undefined {
  try {
    return subject.parse(JSON.parse(seal.open(Buffer.from(token, 'base64url'), PLACE)))
  } catch {
    return undefined
  }
}

/** @returns undefined where nobody could reach it: it needs NOTIF_PUBLIC_URL */
export const linkOf =
  (seal: Seal, { publicUrl }: Pick<Config, 'publicUrl'>) =>
  (about: Subject): string | undefined =>
    publicUrl === undefined
      ? undefined
      : `${publicUrl.replace(/\/+$/, '')}/unsubscribe/${tokenOf(seal, about)}`

export type LinkOf = ReturnType<typeof linkOf>
