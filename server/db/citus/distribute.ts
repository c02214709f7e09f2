// Distributes the tables of users over the nodes of a Citus cluster, by their buckets. Other tables stay on the coordinator:
// statements lock their rows, which Citus does not support for reference tables, and no statement joins them with users.
//
// Citus is an extension of Postgres that operators install. Without it nothing here changes the database.

import { StartupError } from '../../core/startup-error.ts'
import { connect } from '../connect.ts'
import type { Query, Sql } from '../db.ts'

/**
 * Each shard is a database group with workers of its own, so more shards than nodes cost polling. Eight serve up to eight
 * nodes; for more, set `citus.shard_count` on the database before its first start.
 */
const SHARD_COUNT = 8

export interface UserTable {
  readonly name: string
  readonly isDistributed: boolean
}

/** Whether the database is part of a Citus cluster. */
export async function hasCitus(query: Query): Promise<boolean> {
  const [row] = await query<{ exists: boolean }[]>`
    select exists (select from pg_extension where extname = 'citus')`
  return row!.exists
}

/** Returns the tables that have a bucket, distributed ones first; none without Citus. Partitions belong to their tables. */
export async function readUserTables(query: Query): Promise<readonly UserTable[]> {
  if (!(await hasCitus(query))) return []
  return query<UserTable[]>`
    select c.relname as name, d.logicalrelid is not null as "isDistributed"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'bucket'
    left join pg_dist_partition d on d.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by d.logicalrelid is null, c.relname`
}

async function isEmpty(query: Query, { name }: UserTable): Promise<boolean> {
  const [row] = await query<{ exists: boolean }[]>`select exists (select from ${query(name)})`
  return !row!.exists
}

/** @param like - a distributed table whose shards the new ones stand beside; undefined for the first table */
async function distributeTable(
  query: Query,
  { name }: UserTable,
  like: UserTable | undefined
): Promise<void> {
  const [setting] = await query<{ count: number; isDefault: boolean }[]>`
    select setting::integer as count, source = 'default' as "isDefault" from pg_settings
    where name = 'citus.shard_count'`
  if (like) await query`select create_distributed_table(${name}, 'bucket', colocate_with => ${like.name})`
  else {
    const count = setting!.isDefault ? SHARD_COUNT : setting!.count
    await query`select create_distributed_table(${name}, 'bucket', colocate_with => 'none', shard_count => ${count})`
  }
}

/**
 * Distributes tables that have no rows yet: all of a new database, and those that a migration added. A database that is not
 * distributed at all and has rows stays as it is.
 *
 * @throws {@link StartupError} if only some tables with rows are distributed
 */
export async function distributeEmptyTables(query: Query): Promise<void> {
  const tables = await readUserTables(query)
  const missing = tables.filter(table => !table.isDistributed)
  for (const table of missing) {
    if (await isEmpty(query, table)) continue
    if (missing.length === tables.length) return
    throw new StartupError(
      `DATABASE_URL: the table ${table.name} is not distributed over the Citus cluster, but others are. ` +
        'Run `npm run distribute` to its end, then start again.'
    )
  }
  for (const table of missing)
    await distributeTable(query, table, tables[0] === table ? undefined : tables[0])
}

/** How far {@link distributeDatabase} is. */
export interface DistributeProgress {
  readonly table: string
  readonly rowCount: number
  /** Tables that are still to be distributed. */
  readonly left: number
}

const APPLICATION_NAME = 'notif-kit distribute'

/**
 * Distributes each table with its rows in a transaction of its own, so that a repeated call goes on after the last complete one.
 *
 * @param url - of the coordinator
 * @returns the number of tables that it distributed
 * @throws {@link StartupError} without Citus, while the server runs, or if its schema is not that of this version
 */
export async function distributeDatabase(
  url: string,
  onTable: (progress: DistributeProgress) => void
): Promise<number> {
  const sql = connect(url, {
    connection: { application_name: APPLICATION_NAME },
    max: 1,
    onnotice: () => {},
    types: { bigint: { from: [20], parse: Number, serialize: String, to: 20 } }
  })
  try {
    await assertReady(sql)
    const tables = await readUserTables(sql)
    const missing = tables.filter(table => !table.isDistributed)
    for (const [i, table] of missing.entries()) {
      const rowCount = await distributeRows(sql, table, tables[0] === table ? undefined : tables[0])
      onTable({ left: missing.length - i - 1, rowCount, table: table.name })
    }
    await distributeFunctions(sql)
    return missing.length
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Functions that were created before the database was part of a cluster exist on the coordinator only. */
const distributeFunctions = (sql: Sql): Promise<unknown> => sql`
  select create_distributed_function(p.oid::regprocedure) from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

async function assertReady(sql: Sql): Promise<void> {
  if (!(await hasCitus(sql))) {
    throw new StartupError(
      'DATABASE_URL: this database has no extension citus. Create it on every node, and add the workers (docs/scale.md).'
    )
  }
  const [row] = await sql<{ count: number; hasSchema: boolean }[]>`
    select count(*), to_regclass('migrations') is not null as "hasSchema" from pg_stat_activity
    where datname = current_database() and application_name like 'notif-kit %' and application_name <> ${APPLICATION_NAME}`
  if (!row!.hasSchema) {
    throw new StartupError(
      'DATABASE_URL: this database is new. Start the server: it distributes the tables itself.'
    )
  }
  if (row!.count > 0) {
    throw new StartupError(
      'DATABASE_URL: the server uses this database. Stop all of its processes, then run this again.'
    )
  }
}

async function distributeRows(sql: Sql, table: UserTable, like: UserTable | undefined): Promise<number> {
  return sql.begin(async tx => {
    const count = async (): Promise<number> => {
      const [row] = await tx<{ count: number }[]>`select count(*) from ${tx(table.name)}`
      return row!.count
    }
    await tx`lock table ${tx(table.name)} in access exclusive mode`
    const before = await count()
    await distributeTable(tx, table, like)
    await tx`select truncate_local_data_after_distributing_table(${table.name})`
    const after = await count()
    if (after !== before) throw new Error(`Of ${before} rows of ${table.name}, ${after} were distributed.`)
    return after
  })
}
