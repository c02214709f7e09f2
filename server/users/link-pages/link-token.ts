// What a link in a mail lets its holder do, as a token: sealed, so it tells nobody whom it is about, cannot be guessed or
// changed, and names no address to go to.
//
// It has no end of its own: a mail of last year must still be able to be unsubscribed. All of them end when the
// installation changes its key (NOTIF_KEY) for the second time, and those of an environment with it.

import type { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Seal } from '../../environments/encryption/encryption.ts'
import { baseOf } from '../../http/path-prefix.ts'

export interface Tokens<Subject> {
  make(seal: Seal, about: Subject): string
  /** @returns undefined for what we have not made */
  read(seal: Seal, token: string): Subject | undefined
}

/** @param place - what is sealed for one opens at no other */
export const tokens = <Subject>(place: string, subject: z.ZodType<Subject>): Tokens<Subject> => ({
  make: (seal, about) => seal.seal(JSON.stringify(subject.parse(about)), place).toString('base64url'),
  read(seal, token) {
    try {
      return subject.parse(JSON.parse(seal.open(Buffer.from(token, 'base64url'), place)))
    } catch {
      return undefined
    }
  }
})

/** @returns undefined where nobody could reach it: it needs NOTIF_PUBLIC_URL */
export const addressOf = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  path: string,
  token: string
): string | undefined => (publicUrl === undefined ? undefined : `${baseOf(publicUrl)}/${path}/${token}`)
