// Loads the encryption key of the installation, and checks that the secrets in the database are encrypted with it.

import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../../config/config.ts'
import { StartupError } from '../../core/startup-error.ts'
import type { Db } from '../../db/db.ts'
import { createEncryption, type Encryption } from './encryption.ts'
import { readInstance, reencryptAll, insertIfMissing, type ReencryptUsers } from './installation.sql.ts'

type KeySettings = Pick<Config, 'dataDir' | 'key' | 'keyPrevious'>

/**
 * Opens the encryption with NOTIF_KEY, or with the key in the data directory, which the first start generates. If the secrets are
 * encrypted with NOTIF_KEY_PREVIOUS, encrypts all of them with the current key.
 *
 * @throws StartupError if the key is missing, unreadable or another one
 */
export async function openEncryption(
  db: Db,
  { dataDir, key, keyPrevious }: KeySettings,
  reencryptUsers: ReencryptUsers
): Promise<Encryption> {
  const storedKeyId = (await readInstance(db)).get(KEY_ID)
  const file = join(dataDir, 'key')
  const current = key ?? (await readKeyFile(file, storedKeyId !== undefined))
  const encryption = createEncryption(current, keyPrevious)
  const keyId = storedKeyId ?? (await insertIfMissing(db, KEY_ID, encryption.keyId))
  if (keyId === encryption.keyId) return encryption
  if (keyPrevious === undefined || createEncryption(keyPrevious).keyId !== keyId) {
    const keyName = key === undefined ? `The key in ${file}` : 'NOTIF_KEY'
    throw new StartupError(
      `${keyName} is not the key that the secrets in this database are encrypted with. Set NOTIF_KEY to that key; to rotate it, set NOTIF_KEY_PREVIOUS to it.`
    )
  }
  await reencryptAll(db, KEY_ID, encryption, reencryptUsers)
  return encryption
}

const KEY_ID = 'key_id'

/**
 * Reads the key file, or creates it if no secret is encrypted yet.
 *
 * @param isRequired - the database holds secrets, so a new key would be the wrong one
 */
async function readKeyFile(file: string, isRequired: boolean): Promise<string> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(
      `NOTIF_DATA_DIR: cannot read the encryption key: ${error.message}. Make the file readable, or set NOTIF_KEY.`
    )
  })
  if (found !== undefined && found.trim().length >= 32) return found.trim()
  if (found !== undefined)
    throw new StartupError(`${file} does not contain a key. Restore the file, or set NOTIF_KEY.`)
  if (isRequired) {
    throw new StartupError(
      `The secrets in the database are encrypted, and ${file} does not exist. Set NOTIF_KEY to the key of this installation, or restore the file.`
    )
  }
  return createKeyFile(file)
}

/** Creates the key file atomically: if two processes do so at once, both use the key of one of them. */
async function createKeyFile(file: string): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(temporary, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(
      `NOTIF_DATA_DIR: cannot write the encryption key: ${message}. Make the folder writable, or set NOTIF_KEY.`
    )
  } finally {
    await rm(temporary, { force: true })
  }
}
