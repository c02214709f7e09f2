// The table `instance`: what one installation knows about itself, by key.

import type { Db, Group, Json } from '../../db/db.ts'
import { resealEnvironments } from '../environments.sql.ts'
import type { Seal } from './encryption.ts'

export async function readInstance(db: Db): Promise<ReadonlyMap<string, Json>> {
  const rows = await db.control<{ key: string; value: Json }[]>`select key, value from instance`
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/**
 * Keeps what is there: of two nodes that start for the first time at once, one has its say.
 *
 * @returns what the table now holds
 */
export async function settle<T extends Json>(db: Db, key: string, value: T): Promise<T> {
  // A second statement: the row of a transaction that we waited for is not in the snapshot of the first.
  await db.control`
    insert into instance (key, value) values (${key}, ${db.control.json(value)}) on conflict (key) do nothing`
  const [row] = await db.control<{ value: T }[]>`select value from instance where key = ${key}`
  return row!.value
}

export async function replace(db: Db, key: string, value: Json): Promise<void> {
  await db.control`
    insert into instance (key, value) values (${key}, ${db.control.json(value)})
    on conflict (key) do update set value = excluded.value`
}

export async function readOne<T extends Json>(db: Db, key: string): Promise<T | undefined> {
  const [row] = await db.control<{ value: T }[]>`select value from instance where key = ${key}`
  return row?.value
}

/**
 * Replaces an object where one of its members still is what it was before; undefined: where there was none.
 *
 * @returns what the table now holds
 */
export async function swap<T extends Sealed>(
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
  return (await readOne<T>(db, key))!
}

/** An object whose member `sealed` is a secret, encrypted for the place `instance KEY`. */
export interface Sealed {
  readonly [member: string]: string
  /** base64 */
  readonly sealed: string
}

export const sealFor = (seal: Seal, key: string, secret: string): string =>
  seal.seal(secret, `instance ${key}`).toString('base64')

export const openFor = (seal: Seal, key: string, { sealed }: Sealed): string =>
  seal.open(Buffer.from(sealed, 'base64'), `instance ${key}`)

/** Encrypts the secrets of the users of one database group with the current key. */
export type ResealUsers = (group: Group, seal: Seal) => Promise<void>

/** Encrypts every secret of the database with the key of now, all or none, and notes whose key that is. */
export async function resealAll(db: Db, noted: string, seal: Seal, resealUsers: ResealUsers): Promise<void> {
  // Users first, group by group: until the last step both keys are at hand, so it can begin again anywhere.
  for (const group of db.groups) await resealUsers(group, seal)
  await db.control.begin(async tx => {
    await tx`update instance set value = ${tx.json(seal.keyId)} where key = ${noted}`
    const rows = await tx<{ key: string; value: Sealed }[]>`
      select key, value from instance where jsonb_typeof(value) = 'object' and value ? 'sealed' for update`
    for (const { key, value } of rows) {
      const sealed = sealFor(seal, key, openFor(seal, key, value))
      await tx`update instance set value = ${tx.json({ ...value, sealed })} where key = ${key}`
    }
    await resealEnvironments(tx, seal)
  })
}
