// The table `instance`: what one installation knows about itself, by key.

import type { Db, Json } from '../db/sql.ts'

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
