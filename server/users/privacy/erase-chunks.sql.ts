// Deletes the rows of a user from the large tables, some at a time: the log, the inbox, dead letters and what else grows with time.

import type { UserKey } from '../../core/id.ts'
import type { Query, Tx } from '../../db/db.ts'
import { readUserTables, type DeletedRows, type UserTable } from './personal-data.sql.ts'

/** Their rows are deleted in one transaction, because other code reads them together. */
const WHOLE_TABLES: ReadonlySet<string> = new Set([
  'idempotency_keys',
  'rate_counters',
  'users',
  'inbox_counters',
  'outbox',
  'digest_items'
])

/** A table without partitions, or one partition. */
export interface Leaf extends UserTable {
  readonly leaf: string
}

export async function readLargeTables(query: Query): Promise<Leaf[]> {
  const tables = (await readUserTables(query)).filter(({ table }) => !WHOLE_TABLES.has(table))
  const leaves = await query<{ leaf: string; table: string }[]>`
    select c.relname as leaf, t.name as table
    from unnest(${tables.map(({ table }) => table)}::text[]) with ordinality as t(name, rank),
      pg_partition_tree(t.name::regclass) p join pg_class c on c.oid = p.relid
    where p.isleaf order by t.rank, c.relname`
  return leaves.map(({ leaf, table }) => ({ leaf, table, userColumn: 'user_id' }))
}

/** Deletes at most `limit` rows. Their places are exact within the statement, and a place in a table of one leaf is one row. */
export async function deleteLeafRows(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { leaf, table, userColumn }: Leaf,
  limit: number
): Promise<DeletedRows> {
  const { count } = await tx`
    delete from ${tx(leaf)} where ctid = any(array(
      select t.ctid from ${tx(leaf)} t
      where t.bucket = ${bucket} and t.env_id = ${envId} and t.${tx(userColumn)} = ${userId} limit ${limit}))`
  return { removed: count > 0 ? { [table]: count } : {} }
}
