// Where the key of the installation comes from, and whether it is the one that the database was written with.

import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../../config/config.ts'
import { StartupError } from '../../core/startup-error.ts'
import type { Db } from '../../db/db.ts'
import { createEncryption, type Encryption } from './encryption.ts'
import { readInstance, reencryptAll, insertIfMissing, type ReencryptUsers } from './instance.sql.ts'

type KeySettings = Pick<Config, 'dataDir' | 'key' | 'keyPrevious'>

/**
 * The key of NOTIF_KEY, or the one in the data directory, made at the first start. Where NOTIF_KEY_PREVIOUS is the key
 * that the database was written with, everything is encrypted anew.
 *
 * @throws {@link StartupError}
 */
export async function openEncryption(
  db: Db,
  { dataDir, key, keyPrevious }: KeySettings,
  resealUsers: ReencryptUsers
): Promise<Encryption> {
  const known = (await readInstance(db)).get(KEY_ID)
  const file = join(dataDir, 'key')
  const current = key ?? (await keyIn(file, known !== undefined))
  const encryption = createEncryption(current, keyPrevious)
  const holds = known ?? (await insertIfMissing(db, KEY_ID, encryption.keyId))
  if (holds === encryption.keyId) return encryption
  if (keyPrevious === undefined || createEncryption(keyPrevious).keyId !== holds) {
    const mine = key === undefined ? `The key in ${file}` : 'NOTIF_KEY'
    throw new StartupError(
      `${mine} does not fit the database: its secrets were encrypted with another key. Give that one as NOTIF_KEY, or as NOTIF_KEY_PREVIOUS to change to the new one.`
    )
  }
  await reencryptAll(db, KEY_ID, encryption, resealUsers)
  return encryption
}

const KEY_ID = 'key_id'

/** Reads the file, or makes it where there is nothing yet that another key could have written. */
async function keyIn(file: string, written: boolean): Promise<string> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(`The key of the installation cannot be read: ${error.message}. Or set NOTIF_KEY.`)
  })
  if (found !== undefined && found.trim().length >= 32) return found.trim()
  if (found !== undefined)
    throw new StartupError(`${file} holds no key. Bring the right one back, or set NOTIF_KEY.`)
  if (written) {
    throw new StartupError(
      `The secrets in the database are encrypted, and there is no key in ${file}. Set NOTIF_KEY to the key of this installation, or bring the file back.`
    )
  }
  return makeKey(file)
}

/** Of two processes that make it at once, one has its say, and nobody reads half a file. */
async function makeKey(file: string): Promise<string> {
  const own = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(
      `The key of the installation cannot be written: ${message}. Set NOTIF_KEY instead.`
    )
  } finally {
    await rm(own, { force: true })
  }
}
