// The token that says who pushes to APNs: signed once for 50 minutes and the same on every node, because Apple refuses
// those who change it more often than every 20 minutes.

import { createPrivateKey } from 'node:crypto'

import type { Clock } from '../../../core/clock.ts'
import { signJwt } from '../../../core/jwt.ts'

/** Milliseconds. Apple takes a token for an hour. */
const LIFE = 50 * 60_000
/** Milliseconds after which Apple takes another one. */
const REST = 20 * 60_000
/** Milliseconds between the clocks of two nodes. What was signed later than this from now was signed by a wrong one. */
const SKEW = 5 * 60_000

export interface ApnCredentials {
  /** PEM of the .p8 file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
}

export interface SignedAt {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Where the nodes have their token in common. */
export interface Shelf {
  read(): Promise<SignedAt | undefined>
  /** Puts it there in place of the one that was read, and gives what is there now: another node may have been first. */
  swap(before: SignedAt | undefined, next: SignedAt): Promise<SignedAt>
}

export interface ApnToken {
  current(): Promise<string>
  /** Apple says that this one is too old, whatever our clock says. @returns the one to try again with */
  renew(token: string): Promise<string>
}

export function openToken({ key, keyId, teamId }: ApnCredentials, clock: Clock, shelf: Shelf): ApnToken {
  const signer = createPrivateKey(key)
  let known: SignedAt | undefined
  let looking: Promise<string> | undefined

  const sign = (at: number): SignedAt => ({
    at,
    value: signJwt({ alg: 'ES256', kid: keyId }, { iat: Math.floor(at / 1000), iss: teamId }, signer)
  })

  const isYounger = ({ at }: SignedAt, than: number): boolean => {
    const age = clock() - at
    return age > -SKEW && age < than
  }

  /** The one on the shelf, or a new one in its place. */
  const look = async (isGood: (found: SignedAt) => boolean): Promise<string> => {
    const found = await shelf.read()
    known = found && isGood(found) ? found : await shelf.swap(found, sign(clock()))
    return known.value
  }

  /** Of many who look at once one does. */
  const together = (isGood: (found: SignedAt) => boolean): Promise<string> =>
    (looking ??= look(isGood).finally(() => (looking = undefined)))

  return {
    current: async () =>
      known && isYounger(known, LIFE) ? known.value : together(found => isYounger(found, LIFE)),
    renew: async token =>
      known && known.value !== token
        ? known.value
        : together(found => isYounger(found, found.value === token ? REST : LIFE))
  }
}
