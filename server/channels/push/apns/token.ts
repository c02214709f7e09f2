// The provider token of APNs: signed every 50 minutes, and shared by all nodes through the database.
//
// Apple rejects tokens that are renewed more often than every 20 minutes, and tokens older than an hour:
// https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns

import { createPrivateKey, createPublicKey, hash } from 'node:crypto'

import type { Clock } from '../../../core/clock.ts'
import { signJwt } from '../../../core/jwt.ts'
import type { Db } from '../../../db/db.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'
import {
  decryptSetting,
  readValue,
  encryptSetting,
  replaceIfUnchanged,
  type EncryptedSetting
} from '../../../environments/encryption/installation.sql.ts'

const TOKEN_LIFETIME_MS = 50 * 60_000
const MIN_RENEWAL_INTERVAL_MS = 20 * 60_000
/** Expected difference between the clocks of two nodes. A token from further in the future was signed by a wrong clock. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000

export interface ApnCredentials {
  /** PEM of the .p8 file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
}

export interface SignedToken {
  readonly value: string
  /** When it was signed, in milliseconds since 1970. */
  readonly at: number
}

export interface SharedTokenStore {
  read(): Promise<SignedToken | undefined>
  /** Replaces the token that was read. @returns the stored token, which another node may have replaced first */
  swap(before: SignedToken | undefined, next: SignedToken): Promise<SignedToken>
}

export interface TokenSource {
  current(): Promise<string>
  /** Replaces a token that Apple calls expired, whatever the clock of this node says. @returns the token for the next attempt */
  renew(token: string): Promise<string>
}

export function createTokenSource(
  { key, keyId, teamId }: ApnCredentials,
  clock: Clock,
  store: SharedTokenStore
): TokenSource {
  const privateKey = createPrivateKey(key)
  let cached: SignedToken | undefined
  let loading: Promise<string> | undefined

  const sign = (at: number): SignedToken => ({
    at,
    value: signJwt({ alg: 'ES256', kid: keyId }, { iat: Math.floor(at / 1000), iss: teamId }, privateKey)
  })

  const isYounger = ({ at }: SignedToken, maxAgeMs: number): boolean => {
    const ageMs = clock() - at
    return ageMs > -MAX_CLOCK_SKEW_MS && ageMs < maxAgeMs
  }

  const loadOrSign = async (isUsable: (stored: SignedToken) => boolean): Promise<string> => {
    const stored = await store.read()
    cached = stored && isUsable(stored) ? stored : await store.swap(stored, sign(clock()))
    return cached.value
  }

  /** Simultaneous callers share one request. */
  const load = (isUsable: (stored: SignedToken) => boolean): Promise<string> =>
    (loading ??= loadOrSign(isUsable).finally(() => (loading = undefined)))

  return {
    current: async () =>
      cached && isYounger(cached, TOKEN_LIFETIME_MS)
        ? cached.value
        : load(stored => isYounger(stored, TOKEN_LIFETIME_MS)),
    renew: async token =>
      cached && cached.value !== token
        ? cached.value
        : load(stored =>
            isYounger(stored, stored.value === token ? MIN_RENEWAL_INTERVAL_MS : TOKEN_LIFETIME_MS)
          )
  }
}

/** Stores one encrypted token per key, because Apple limits renewals per key, and a token of a wrong key is useless later. */
export function createSharedTokenStore(
  db: Db,
  encryption: Encryption,
  { key: pem, keyId, teamId }: ApnCredentials
): SharedTokenStore {
  const publicKey = createPublicKey(pem).export({ format: 'der', type: 'spki' })
  const name = `apn_token ${teamId} ${keyId} ${hash('sha256', publicKey, 'base64url')}`
  const decrypt = (stored: EncryptedSetting): SignedToken => ({
    at: Date.parse(stored['at']!),
    value: decryptSetting(encryption, name, stored)
  })
  return {
    async read() {
      const stored = await readValue<EncryptedSetting>(db, name)
      return stored && decrypt(stored)
    },
    async swap(before, { at, value }) {
      const next = { at: new Date(at).toISOString(), sealed: encryptSetting(encryption, name, value) }
      // Compared by time: the ciphertext of the same token differs each time.
      const beforeAt = before && new Date(before.at).toISOString()
      return decrypt(await replaceIfUnchanged(db, name, 'at', beforeAt, next))
    }
  }
}
