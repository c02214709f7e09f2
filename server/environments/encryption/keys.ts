// The keys of an installation: generated at the first start, stored in the database, replaced by settings that give them.

import { randomBytes } from 'node:crypto'

import webPush from 'web-push'

import type { Config } from '../../config/config.ts'
import { environmentSettings } from '../../config/environment.ts'
import type { Db } from '../../db/db.ts'
import { sha256 } from '../../http/auth.ts'
import { ensureEnvironment, insertEnvironment, readSecret } from '../environments.sql.ts'
import { endPurge } from '../purge.sql.ts'
import type { Encryption } from './encryption.ts'
import {
  decryptSetting,
  readInstance,
  replace,
  encryptSetting,
  insertIfMissing,
  type EncryptedSetting
} from './instance.sql.ts'

export interface VapidKeys {
  /** Uncompressed P-256 point in base64url; browsers get it. */
  readonly publicKey: string
  /** Its scalar in base64url. */
  readonly privateKey: string
}

export interface Keys {
  /** The first environment. */
  readonly clientId: string
  readonly adminTokenHash: Buffer
  readonly vapid: VapidKeys
  /** Made by this very start, so shown now or never. */
  readonly fresh: { readonly clientSecret?: string; readonly adminToken?: string }
}

type KeySettings = Pick<Config, 'adminToken' | 'clientId' | 'clientSecret' | 'origins' | 'secureMode'>

/**
 * Reads the keys, makes what is missing, and brings the first environment to what the configuration says.
 *
 * @param say - progress where that lasts, for a person who waits
 */
export async function openKeys(
  db: Db,
  encryption: Encryption,
  config: KeySettings,
  say: (line: string) => void = () => {}
): Promise<Keys> {
  const known = await readInstance(db)
  const clientId = await settleClientId(db, config.clientId)
  // What a deleted one of this id has left is not the new one's.
  await endPurge(db, clientId, say)
  const clientSecret = await settleEnvironment(db, encryption, config, clientId)
  const admin = await settleAdminToken(db, config.adminToken)
  const vapid = known.get('vapid') ?? (await insertIfMissing(db, 'vapid', makeVapidKeys(encryption)))
  return {
    adminTokenHash: admin.hash,
    clientId,
    fresh: {
      ...(clientSecret !== undefined && { clientSecret }),
      ...(admin.token !== undefined && { adminToken: admin.token })
    },
    vapid: vapidOf(encryption, vapid as EncryptedSetting)
  }
}

async function settleClientId(db: Db, configured: string | undefined): Promise<string> {
  if (configured === undefined) return insertIfMissing(db, 'client_id', randomBytes(15).toString('base64url'))
  await replace(db, 'client_id', configured)
  return configured
}

/** @returns the secret, when it was made here */
async function settleEnvironment(
  db: Db,
  encryption: Encryption,
  config: KeySettings,
  id: string
): Promise<string | undefined> {
  const { clientSecret, origins, secureMode } = config
  const made = randomBytes(30).toString('base64url')
  const settings = environmentSettings.parse({})
  const mine =
    clientSecret === undefined &&
    (await insertEnvironment(db.control, encryption, { id, secret: made, settings }))
  const secret = clientSecret ?? (await readSecret(db, encryption, id))!
  await ensureEnvironment(db, encryption, { id, origins, secret, secureMode })
  return mine ? made : undefined
}

/** Only the hash is kept: whoever reads the database learns no token. */
async function settleAdminToken(
  db: Db,
  configured: string | undefined
): Promise<{ hash: Buffer; token?: string }> {
  if (configured !== undefined) {
    const hash = sha256(configured)
    await replace(db, 'admin_token_sha256', hash.toString('hex'))
    return { hash }
  }
  const token = randomBytes(30).toString('base64url')
  const mine = sha256(token).toString('hex')
  const kept = await insertIfMissing(db, 'admin_token_sha256', mine)
  const hash = Buffer.from(kept, 'hex')
  return kept === mine ? { hash, token } : { hash }
}

function makeVapidKeys(encryption: Encryption): EncryptedSetting {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { publicKey, sealed: encryptSetting(encryption, 'vapid', privateKey) }
}

const vapidOf = (encryption: Encryption, stored: EncryptedSetting): VapidKeys => ({
  privateKey: decryptSetting(encryption, 'vapid', stored),
  publicKey: stored['publicKey']!
})
