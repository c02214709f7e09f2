// Creates a migrated database for a test file as a copy of one template, and drops it at the end.

import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import postgres from 'postgres'

import { openDb, type Db, type Query } from '../../server/db/db.ts'

export interface TestDb {
  readonly url: string
  readonly db: Db
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Address of a Postgres in which tests may create databases: DATABASE_URL, or an embedded one that lives as long as
 * this process (test/run.ts starts one for all files and passes it on).
 */
export async function serverUrl(): Promise<string> {
  if (process.env['DATABASE_URL']) return process.env['DATABASE_URL']
  const { sharedPostgresUrl } = await import('./postgres.ts')
  return sharedPostgresUrl()
}

export const withDatabase = (url: string, name: string): string => {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

const MIGRATIONS = join(import.meta.dirname, '../../server/db/migrations')

/** The name of the template database of these migrations. */
async function templateName(): Promise<string> {
  const digest = createHash('sha256')
  for (const file of (await readdir(MIGRATIONS)).sort()) digest.update(await readFile(join(MIGRATIONS, file)))
  return `notif_test_template_${digest.digest('hex').slice(0, 16)}`
}

/** @returns the name of a migrated database */
async function ensureTemplate(url: string): Promise<string> {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await admin`select pg_advisory_lock(7226001)`
    const name = await templateName()
    const [known] = await admin`select 1 from pg_database where datname = ${name}`
    if (!known) {
      await admin.unsafe(`create database ${name}_new`)
      const db = openDb({ connections: 2, listenUrl: '', url: withDatabase(url, `${name}_new`) })
      const { migrate } = await import('../../server/db/migrate.ts')
      await migrate(db)
      await db.close()
      await admin.unsafe(`alter database ${name}_new rename to ${name}`)
    }
    return name
  } finally {
    await admin.end()
  }
}

/** Creates a migrated database, which `await using` drops. */
export async function testDb(): Promise<TestDb> {
  const url = await serverUrl()
  const template = await ensureTemplate(url)
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name} template ${template}`)
  const own = withDatabase(url, name)
  const db = openDb({ connections: 4, exportConnections: 2, listenUrl: own, url: own })
  return {
    async [Symbol.asyncDispose]() {
      await db.close()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
    db,
    url: own
  }
}

/** Whether a session waits for a lock in this database. */
export const isLockAwaited = async (query: Query): Promise<boolean> => {
  const waiting = await query`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.count > 0
}
