// VAPID (RFC 8292): the push service of a browser learns who sends, and the browser's subscription is bound to that key.

import { createPrivateKey } from 'node:crypto'

import type { Clock } from '../../../core/clock.ts'
import { signedToken } from '../../../core/jwt.ts'
import type { VapidKeys } from '../../../environments/encryption/keys.ts'

/** Seconds. RFC 8292 allows a day. */
const LIFE = 12 * 3600
/** Seconds of life that a token must still have. */
const REST = 3600
/** Origins come from browsers, so anybody can name new ones. */
const ORIGINS = 1000

export interface VapidOptions {
  readonly keys: VapidKeys
  /** `mailto:` or `https:` address of the operator. */
  readonly subject: string
  readonly clock: Clock
}

/** @returns the value of `authorization` for an endpoint; one signature serves an origin for hours */
export function openVapid({ keys, subject, clock }: VapidOptions): (endpoint: string) => string {
  const point = Buffer.from(keys.publicKey, 'base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      crv: 'P-256',
      d: keys.privateKey,
      kty: 'EC',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url')
    }
  })
  const known = new Map<string, { readonly value: string; readonly madeAt: number }>()
  return endpoint => {
    const { origin } = new URL(endpoint)
    const now = Math.floor(clock() / 1000)
    const found = known.get(origin)
    // Whatever way the clock was set since.
    if (found && Math.abs(now - found.madeAt) < LIFE - REST) return found.value
    if (known.size >= ORIGINS) known.clear()
    const token = signedToken(
      { alg: 'ES256', typ: 'JWT' },
      { aud: origin, exp: now + LIFE, sub: subject },
      key
    )
    const value = `vapid t=${token}, k=${keys.publicKey}`
    known.set(origin, { madeAt: now, value })
    return value
  }
}
