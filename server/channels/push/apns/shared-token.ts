// The nodes have their token for APNs in common through the database, encrypted: who holds it may push for an hour.

import { createPublicKey, hash } from 'node:crypto'

import type { Db } from '../../../db/db.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'
import {
  decryptSetting,
  readValue,
  encryptSetting,
  replaceIfUnchanged,
  type EncryptedSetting
} from '../../../environments/encryption/instance.sql.ts'
import type { ApnCredentials, Shelf, SignedAt } from './token.ts'

/** One for each key: Apple counts by that. What was signed with a wrong one is of no use to the right one. */
export function tokenShelf(
  db: Db,
  encryption: Encryption,
  { key: pem, keyId, teamId }: ApnCredentials
): Shelf {
  const fingerprint = hash(
    'sha256',
    createPublicKey(pem).export({ format: 'der', type: 'spki' }),
    'base64url'
  )
  const key = `apn_token ${teamId} ${keyId} ${fingerprint}`
  const tokenIn = (stored: EncryptedSetting): SignedAt => ({
    at: Date.parse(stored['at']!),
    value: decryptSetting(encryption, key, stored)
  })
  return {
    async read() {
      const stored = await readValue<EncryptedSetting>(db, key)
      return stored && tokenIn(stored)
    },
    async swap(before, { at, value }) {
      const next = { at: new Date(at).toISOString(), sealed: encryptSetting(encryption, key, value) }
      // Encrypted anew each time, so tokens are told apart by when they were signed.
      return tokenIn(
        await replaceIfUnchanged(db, key, 'at', before && new Date(before.at).toISOString(), next)
      )
    }
  }
}
