// Creates a migrated database for a test file as a copy of one template, and drops it at the end.

import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import postgres from 'postgres'

import { createLog } from '../../server/core/log.ts'
import { groupByShard } from '../../server/db/citus/shard-groups.ts'
import { openDb, type Db, type DbOptions, type Query } from '../../server/db/db.ts'
import { closeDatabase, dropDatabase, joinCluster, nodesOf, onAll, withDatabase } from './citus.ts'

export { withDatabase } from './citus.ts'

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

const MIGRATIONS = join(import.meta.dirname, '../../server/db/migrations')

/** Shards of each table on a Citus cluster: 1 for tests that work the only database group. Default: as many as the server makes. */
const SHARDS = process.env['TEST_CITUS_SHARDS']

/** The name of the template database of these migrations. */
async function templateName(): Promise<string> {
  const digest = createHash('sha256')
  for (const file of (await readdir(MIGRATIONS)).sort()) digest.update(await readFile(join(MIGRATIONS, file)))
  return `notif_test_template_${digest.digest('hex').slice(0, 16)}${SHARDS === undefined ? '' : `_${SHARDS}`}`
}

interface Template {
  readonly name: string
  /** Addresses of the nodes that have it: several of a Citus cluster, or one. */
  readonly nodes: readonly string[]
}

/** Creates a migrated database, once for all files. */
async function ensureTemplate(url: string): Promise<Template> {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await admin`select pg_advisory_lock(7226001)`
    const nodes = await nodesOf(admin, url)
    const name = await templateName()
    const [known] = await admin`select 1 from pg_database where datname = ${name}`
    if (!known) {
      const fresh = `${name}_new`
      await onAll(nodes, `create database ${fresh}`)
      if (nodes.length > 1) await joinCluster(nodes, fresh)
      if (SHARDS !== undefined)
        await admin.unsafe(`alter database ${fresh} set citus.shard_count = ${Number(SHARDS)}`)
      const db = openDb({ connections: 2, listenUrl: '', url: withDatabase(url, fresh) })
      const { migrate } = await import('../../server/db/migrate.ts')
      await migrate(db)
      await db.close()
      if (nodes.length > 1) await closeDatabase(nodes, fresh)
      await onAll(nodes.toReversed(), `alter database ${fresh} rename to ${name}`)
    }
    return { name, nodes }
  } finally {
    await admin.end()
  }
}

/** Creates a migrated database, which `await using` drops. */
export async function testDb(): Promise<TestDb> {
  const url = await serverUrl()
  const template = await ensureTemplate(url)
  const name = `t_${randomBytes(6).toString('hex')}`
  await onAll(template.nodes, `create database ${name} template ${template.name}`)
  const own = withDatabase(url, name)
  const db = await openTestDb({ connections: 4, exportConnections: 2, listenUrl: own, url: own })
  return {
    async [Symbol.asyncDispose]() {
      await db.close()
      await dropDatabase(template.nodes, name)
    },
    db,
    url: own
  }
}

/** Whether the address is that of a proxy of the test, which no statement to a worker would go through. */
const isProxied = ({ url }: DbOptions): boolean =>
  new URL(url).port !== new URL(process.env['DATABASE_URL']!).port

/** Opens a migrated database with the groups that it has, connected as `npm run test:citus` says. */
export const openTestDb = (options: DbOptions): Promise<Db> =>
  groupByShard(
    openDb(options),
    process.env['TEST_CITUS_ROUTE'] === 'owner' && !isProxied(options)
      ? { ...options, log: createLog('silent') }
      : undefined
  )

/**
 * Counts the sessions that wait in this database, on every node of a cluster.
 *
 * @param type - of what they wait for: `Timeout` is a sleep
 */
async function countWaits(query: Query, type: 'Lock' | 'Timeout'): Promise<number> {
  const activity = process.env['TEST_CITUS'] === '1' ? 'citus_stat_activity' : 'pg_stat_activity'
  const [row] = await query<{ count: number }[]>`
    select count(*)::integer as count from ${query(activity)}
    where datname = current_database() and wait_event_type = ${type}`
  return row!.count
}

export const countLockWaits = (query: Query): Promise<number> => countWaits(query, 'Lock')

/** Counts the sessions that execute `pg_sleep`. */
export const countSleeps = (query: Query): Promise<number> => countWaits(query, 'Timeout')

/** Whether a session waits for a lock in this database. */
export const isLockAwaited = async (query: Query): Promise<boolean> => (await countLockWaits(query)) > 0
