// Brings a database to the schema of this version: numbered files, forward only, each applied once in a transaction.
//
// Any number of nodes may start at once: the advisory lock lets one work, and the others find it done.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../core/startup-error.ts'
import type { Db, Query, Sql } from './db.ts'
import { ensurePartitions } from './partitions.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const LOCK = 7_226_000

interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  /** Of the text with line feeds, so that a checkout on Windows has the same. */
  readonly checksum: string
}

async function readMigrations(folder = FOLDER): Promise<Migration[]> {
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

/** Names the schema of this version: number of the last migration and a digest over all of them. */
export async function latestVersion(): Promise<string> {
  const migrations = await readMigrations()
  const digest = createHash('sha256')
  for (const { checksum } of migrations) digest.update(checksum)
  return `${migrations.length}_${digest.digest('hex').slice(0, 8)}`
}

/**
 * Applies what is missing, and makes sure of the log partitions.
 *
 * @param folder - other migrations, for tests
 * @throws {@link StartupError} for a database that is newer than this version, was changed, or is not ours
 */
export async function migrate(db: Db, folder?: string): Promise<void> {
  const migrations = await readMigrations(folder)
  for (const sql of databasesOf(db)) {
    while (await step(sql, migrations).catch(explain));
  }
}

const NO_RIGHT = '42501'

/** What an operator meets with a database made a moment ago: since Postgres 15 only its owner may make tables in it. */
function explain(error: unknown): never {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  if (code !== NO_RIGHT) throw error
  throw new StartupError(
    `The database refuses: ${message}. Its user has to own the database (alter database NAME owner to USER) ` +
      'and what is in it (reassign owned by OTHER to USER).'
  )
}

/** SQLSTATEs: a table, a function, another thing of this name is there already, or has no such column. */
const FOREIGN = new Set(['42P07', '42723', '42710', '42703'])

/** Before our first migration, nothing in there is ours; after it, the record of them is. */
function refuseForeign(error: unknown): never {
  const { code = '', message } = error as { readonly code?: string; readonly message: string }
  if (!FOREIGN.has(code)) throw error
  throw new StartupError(
    `The database is of another program: ${message}. Give DATABASE_URL a database of its own.`
  )
}

/** True when every migration of this version is applied; false too when the database is newer. */
export async function isCurrent(db: Db): Promise<boolean> {
  const migrations = await readMigrations()
  for (const sql of databasesOf(db)) {
    const applied = await readApplied(sql)
    if (applied.length !== migrations.length) return false
  }
  return true
}

/** Several groups may share one database; each is migrated once. */
const databasesOf = (db: Db): Set<Sql> => new Set([db.control, ...db.groups.map(group => group.sql)])

/** One migration, or the last look after it. Returns whether there may be more to do. */
async function step(sql: Sql, migrations: readonly Migration[]): Promise<boolean> {
  return sql.begin(async tx => {
    // Twenty nodes may wait here for one slow migration.
    await tx`set local statement_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK})`
    const applied = await readApplied(tx)
    check(applied, migrations)
    const next = migrations[applied.length]
    if (!next) {
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
    // First the number: if another node were past the lock all the same, the key would stop one of us here.
    await tx`insert into migrations (number, name, checksum) values (${next.number}, ${next.name}, ${next.checksum})`
    const made = tx.unsafe(next.text)
    await (applied.length === 0 ? made.catch(refuseForeign) : made)
    return true
  })
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** No table means a new database. Any other trouble is an error, never taken for a new database. */
async function readApplied(sql: Query): Promise<Applied[]> {
  const [found] = await sql<{ migrations: boolean; ours: string | null }[]>`
    select to_regclass('migrations') is not null as migrations,
      (select string_agg(name, ', ') from unnest(array['environments', 'sends', 'outbox', 'inbox_heads']) name
        where to_regclass(name) is not null) as ours`
  if (found!.migrations) {
    // The name of the table stands before its columns, so that a refusal says it.
    return sql<Applied[]>`
      select migrations.number, migrations.name, migrations.checksum from migrations order by number`.catch(
      refuseForeign
    )
  }
  if (found!.ours !== null) {
    throw new StartupError(
      `The database already has tables named ${found!.ours}, but no record of migrations: it belongs to another ` +
        'program. Give DATABASE_URL a database of its own.'
    )
  }
  return []
}

function check(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const known = migrations[index]
    if (!known) {
      throw new StartupError(
        `The database has migration ${name}, which this version does not know: it was used by a newer version. ` +
          'Start that version; going back is not possible.'
      )
    }
    if (known.number !== number || known.checksum !== checksum) {
      throw new StartupError(
        `Migration ${name} of the database differs from ${known.name} of this version: the file was changed after ` +
          'it was applied. Use the version that made this database, or a new database.'
      )
    }
  }
}
