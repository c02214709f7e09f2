// Migrates a database to the schema of this version: applies numbered files, forward only, each once in a transaction.
//
// Nodes that start at the same time wait for an advisory lock and find the migrations applied.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../core/startup-error.ts'
import { distributeEmptyTables } from './citus/distribute.ts'
import type { Db, Query, Sql } from './db.ts'
import { ensurePartitions } from './partitions.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const ADVISORY_LOCK = 7_226_000

interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  /** Of the text with line feeds, so that it is the same in a checkout on Windows. */
  readonly checksum: string
}

async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number.parseInt(name, 10)
      if (number !== index + 1) throw new Error(`Migration ${name} is out of order: expected ${index + 1}.`)
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { checksum: createHash('sha256').update(text).digest('hex'), name, number, text }
    })
  )
}

/**
 * Applies missing migrations, distributes empty tables over a Citus cluster, and creates missing partitions of the log.
 *
 * @param folder - other migrations, for tests
 * @throws {@link StartupError} if the database is newer than this version, was changed, or belongs to another program
 */
export async function migrate(db: Db, folder?: string): Promise<void> {
  const migrations = await readMigrations(folder)
  for (const sql of distinctDatabases(db)) {
    while (await applyNext(sql, migrations).catch(explainMissingRights));
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Since Postgres 15, only the owner of a new database may create tables in it. */
function explainMissingRights(error: unknown): never {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  if (code !== INSUFFICIENT_PRIVILEGE) throw error
  throw new StartupError(
    `DATABASE_URL: the user has no right to create tables: ${message}. Make it the owner of the database ` +
      '(alter database NAME owner to USER) and of its tables (reassign owned by OTHER to USER).'
  )
}

/** SQLSTATEs: a table, a function or another object with this name exists, or a table has no such column. */
const NAME_CONFLICTS = new Set(['42P07', '42723', '42710', '42703'])

/** Reports names that another program uses in this database. @throws {@link StartupError}, or the error itself */
function refuseForeign(error: unknown): never {
  const { code = '', message } = error as { readonly code?: string; readonly message: string }
  if (!NAME_CONFLICTS.has(code)) throw error
  throw new StartupError(
    `DATABASE_URL: another program uses this database: ${message}. Create a database for notif-kit alone.`
  )
}

/** Numbers of migrations. */
export interface SchemaState {
  /** 0: the database has no schema. */
  readonly applied: number
  readonly expected: number
}

/**
 * Reads only.
 *
 * @param folder - other migrations, for tests
 * @throws {@link StartupError} as {@link migrate}, if the schema is newer, was changed or is of another program
 */
export async function readSchemaState(query: Query, folder?: string): Promise<SchemaState> {
  const migrations = await readMigrations(folder)
  const applied = await readApplied(query)
  checkApplied(applied, migrations)
  return { applied: applied.length, expected: migrations.length }
}

/** Returns whether the schema is that of this version: neither older nor newer. A health check, so it uses their connections. */
export async function isCurrent(db: Db): Promise<boolean> {
  const migrations = await readMigrations()
  for (const { health } of db.groups) {
    const applied = await readApplied(health)
    if (applied.length !== migrations.length) return false
  }
  return true
}

/** Groups may share a database, which is migrated once. */
const distinctDatabases = (db: Db): Set<Sql> => new Set([db.control, ...db.groups.map(group => group.sql)])

/** Applies the next migration, or creates partitions if there is none. @returns whether another migration may follow */
async function applyNext(sql: Sql, migrations: readonly Migration[]): Promise<boolean> {
  return sql.begin(async tx => {
    // Other nodes wait here for a slow migration of one.
    await tx`set local statement_timeout = 0`
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCK})`
    const applied = await readApplied(tx)
    checkApplied(applied, migrations)
    const next = migrations[applied.length]
    if (!next) {
      await distributeEmptyTables(tx)
      await ensurePartitions(tx)
      return false
    }
    if (applied.length === 0) {
      await tx`
        create table if not exists migrations (
          number integer primary key,
          name text not null,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`
    }
    // The number first: if two nodes got past the lock, its primary key stops one of them.
    await tx`insert into migrations (number, name, checksum) values (${next.number}, ${next.name}, ${next.checksum})`
    const applying = tx.unsafe(next.text)
    await (applied.length === 0 ? applying.catch(refuseForeign) : applying)
    return true
  })
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** Returns the applied migrations; none if the table is missing. Any other error is thrown, never taken for a new database. */
async function readApplied(sql: Query): Promise<Applied[]> {
  const [found] = await sql<{ hasMigrations: boolean; foreignTables: string | null }[]>`
    select to_regclass('migrations') is not null as "hasMigrations",
      (select string_agg(name, ', ') from unnest(array['environments', 'sends', 'outbox', 'inbox_counters']) name
        where to_regclass(name) is not null) as "foreignTables"`
  if (found!.hasMigrations) {
    // With the name of the table before its columns, so that the error of a foreign table names it.
    return sql<Applied[]>`
      select migrations.number, migrations.name, migrations.checksum from migrations order by number`.catch(
      refuseForeign
    )
  }
  if (found!.foreignTables !== null) {
    throw new StartupError(
      `DATABASE_URL: this database has tables named ${found!.foreignTables} of another program. ` +
        'Create a database for notif-kit alone.'
    )
  }
  return []
}

function checkApplied(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const known = migrations[index]
    if (!known) {
      throw new StartupError(
        `The database has migration ${name} of a newer version of notif-kit. Start that version: migrations cannot be undone.`
      )
    }
    if (known.number !== number || known.checksum !== checksum) {
      throw new StartupError(
        `Migration ${name} of the database differs from the file ${known.name}, which was changed after it was ` +
          'applied. Start the version that created this database, or use a new database.'
      )
    }
  }
}
