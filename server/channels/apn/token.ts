// The token that says who pushes to APNs: signed once for 50 minutes, because Apple refuses those who change it often.

import { createPrivateKey } from 'node:crypto'

import type { Clock } from '../../clock.ts'
import { signedToken } from '../jwt.ts'

/** Milliseconds. Apple takes a token for an hour, and a new one every 20 minutes at most. */
const LIFE = 50 * 60_000

export interface ApnCredentials {
  /** PEM of the .p8 file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
}

export interface ApnToken {
  current(): string
  /** Apple says that this one is too old, whatever our clock says. */
  renew(token: string): void
}

export function openToken({ key, keyId, teamId }: ApnCredentials, clock: Clock): ApnToken {
  const signer = createPrivateKey(key)
  const sign = (at: number) => ({
    until: at + LIFE,
    value: signedToken({ alg: 'ES256', kid: keyId }, { iat: Math.floor(at / 1000), iss: teamId }, signer)
  })
  let known: ReturnType<typeof sign> | undefined
  return {
    current() {
      const now = clock()
      // From the same start in every process, so that a restart is not another change.
      if (!known || known.until <= now) known = sign(now - (now % LIFE))
      return known.value
    },
    renew(token) {
      if (known?.value === token) known = sign(clock())
    }
  }
}
