// SQL of the table `instance`: values of the installation by key.

import type { Db, DatabaseGroup, Json } from '../../db/db.ts'
import { reencryptEnvironments } from '../environments.sql.ts'
import type { Encryption } from './encryption.ts'

export async function readInstance(db: Db): Promise<ReadonlyMap<string, Json>> {
  const rows = await db.control<{ key: string; value: Json }[]>`select key, value from instance`
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/**
 * Inserts a value, or keeps the stored one: if two nodes start for the first time at once, both get the value of one of them.
 *
 * @returns the stored value
 */
export async function insertIfMissing<T extends Json>(db: Db, key: string, value: T): Promise<T> {
  // A second statement, because the snapshot of the first does not see the row of a transaction that it waited for.
  await db.control`
    insert into instance (key, value) values (${key}, ${db.control.json(value)}) on conflict (key) do nothing`
  const [row] = await db.control<{ value: T }[]>`select value from instance where key = ${key}`
  return row!.value
}

export async function storeValue(db: Db, key: string, value: Json): Promise<void> {
  await db.control`
    insert into instance (key, value) values (${key}, ${db.control.json(value)})
    on conflict (key) do update set value = excluded.value`
}

export async function readValue<T extends Json>(db: Db, key: string): Promise<T | undefined> {
  const [row] = await db.control<{ value: T }[]>`select value from instance where key = ${key}`
  return row?.value
}

/**
 * Replaces an object if one of its members is unchanged.
 *
 * @param before - the expected value of the member; undefined: no object is stored
 * @returns the stored object
 */
export async function replaceIfUnchanged<T extends EncryptedSetting>(
  db: Db,
  key: string,
  member: string,
  before: string | undefined,
  value: T
): Promise<T> {
  await db.control`
    insert into instance (key, value) values (${key}, ${db.control.json(value)})
    on conflict (key) do update set value = excluded.value
    where instance.value ->> ${member} = ${before ?? null}`
  return (await readValue<T>(db, key))!
}

/** An object whose member `sealed` is a secret, encrypted for the purpose `instance KEY`. */
export interface EncryptedSetting {
  readonly [member: string]: string
  readonly sealed: string
}

export const encryptSetting = (encryption: Encryption, key: string, secret: string): string =>
  encryption.encrypt(secret, `instance ${key}`).toString('base64')

export const decryptSetting = (encryption: Encryption, key: string, { sealed }: EncryptedSetting): string =>
  encryption.decrypt(Buffer.from(sealed, 'base64'), `instance ${key}`)

/** Encrypts the secrets of the users of one database group with the current key. */
export type ReencryptUsers = (group: DatabaseGroup, encryption: Encryption) => Promise<void>

/** Encrypts every secret of the database with the current key, and stores the id of this key. */
export async function reencryptAll(
  db: Db,
  keyIdName: string,
  encryption: Encryption,
  reencryptUsers: ReencryptUsers
): Promise<void> {
  // Users first, group by group. Until the last step both keys are configured, so a failed run can be repeated.
  for (const group of db.groups) await reencryptUsers(group, encryption)
  await db.control.begin(async tx => {
    await tx`update instance set value = ${tx.json(encryption.keyId)} where key = ${keyIdName}`
    const rows = await tx<{ key: string; value: EncryptedSetting }[]>`
      select key, value from instance where jsonb_typeof(value) = 'object' and value ? 'sealed' for update`
    for (const { key, value } of rows) {
      const sealed = encryptSetting(encryption, key, decryptSetting(encryption, key, value))
      await tx`update instance set value = ${tx.json({ ...value, sealed })} where key = ${key}`
    }
    await reencryptEnvironments(tx, encryption)
  })
}
