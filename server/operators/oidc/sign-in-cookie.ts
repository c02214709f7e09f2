// The cookie of a sign-in that is under way: only the browser that began it can finish it.

import { z } from 'zod'

import type { Encryption } from '../../environments/encryption/encryption.ts'
import { defineCookie } from '../../http/cookie.ts'

const MAX_CHARACTERS = 3000

/** `Lax`, because the provider leads the browser back. */
export const signInCookie = defineCookie({
  name: 'notif_sign_in',
  pattern: new RegExp(`^[\\w-]{1,${MAX_CHARACTERS}}$`),
  sameSite: 'Lax'
})

export const SIGN_IN_SECONDS = 600

const PURPOSE = 'sign in'

const signIn = z.strictObject({
  expiresAt: z.number(),
  nonce: z.string(),
  returnPath: z.string(),
  state: z.string(),
  verifier: z.string()
})

export type SignInUnderWay = z.output<typeof signIn>

export const sealSignIn = (encryption: Encryption, value: SignInUnderWay): string =>
  encryption.encrypt(JSON.stringify(value), PURPOSE).toString('base64url')

/** @param now - milliseconds since 1970. @returns undefined if the text is not valid, or too old */
export function readSignIn(encryption: Encryption, text: string, now: number): SignInUnderWay | undefined {
  try {
    const decrypted = encryption.decrypt(Buffer.from(text, 'base64url'), PURPOSE)
    const value = signIn.parse(JSON.parse(decrypted))
    return now < value.expiresAt ? value : undefined
  } catch {
    return undefined
  }
}
