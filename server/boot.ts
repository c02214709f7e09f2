// Everything that one process opens, in order, and how it lets go of it again in the opposite one.

import { join } from 'node:path'

import { startHousekeeping } from './admin/housekeeping.ts'
import type { Config } from './config/config.ts'
import { EXPORT_CONNECTIONS } from './config/connections.ts'
import { systemClock } from './core/clock.ts'
import { createLog } from './core/log.ts'
import { openDatabaseClock } from './db/database-clock.ts'
import { isPooled, openDb } from './db/db.ts'
import { lockDirectory } from './db/directory-lock.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { missingOfRole } from './db/pooler.ts'
import { waitForDatabase } from './db/wait-for-database.ts'
import { seedDemo } from './demo/route.ts'
import { openEncryption } from './environments/encryption/installation-key.ts'
import { openKeys, type Keys } from './environments/encryption/keys.ts'
import { differingWorkerSettings } from './environments/encryption/worker-settings-check.ts'
import { openNode } from './node.ts'
import { ownConnections } from './process/connection-budget.ts'
import { limitConnections } from './process/connection-limit.ts'
import { openListener } from './process/listener.ts'
import { openTypeFolder } from './types/folder.ts'
import { lookInto } from './types/types-dir.ts'
import { reencryptSlackTokens } from './users/slack-connections.sql.ts'

const DIST = join(import.meta.dirname, '../dist')

const UNLIKE =
  'Not set as at the last start of a worker: others that run on this database need the same settings, because any of them may send a message'

/** How long a start waits for the database of DATABASE_URL: as long as a recovery of Postgres usually takes. */
const DATABASE_WAIT_MS = 60_000

/** Milliseconds. */
const LAST_REQUESTS = 1000

export interface Running {
  /** Where this process is reached from the same machine. */
  readonly base: string
  readonly keys: Keys
  readonly demo: boolean
  /** Finishes what is under way, or gives it back, and closes everything. */
  stop(): Promise<void>
}

/**
 * @param say - progress, for a person who waits
 * @param abandoned - aborted where nobody waits for the start any more and the process is about to end
 */
export async function boot(
  config: Config,
  say: (line: string) => void,
  abandoned: AbortSignal
): Promise<Running> {
  // What fails half way lets go of what is open already.
  await using opened = new AsyncDisposableStack()
  const log = createLog(config.logLevel)

  if (config.typesDir !== undefined) await lookInto(config.typesDir)
  if (config.databaseUrl === undefined) opened.defer(await lockDirectory(config.dataDir))
  const front = await openListener(config.host, config.port, server =>
    limitConnections(server, { most: config.connectionsLimit, own: ownConnections(config) }, log)
  )
  opened.defer(() => front.close(0))
  abandoned.addEventListener('abort', () => void front.close(0))

  const url = config.databaseUrl ?? (await embedded(config, say, opened))
  const address = { listenUrl: config.listenUrl ?? url, url }
  await waitForDatabase(address, DATABASE_WAIT_MS, say)
  const db = openDb({ ...address, connections: config.connections, exportConnections: EXPORT_CONNECTIONS })
  opened.defer(() => db.close())
  const advice = isPooled(address) ? await missingOfRole(db.control) : []
  if (advice.length > 0) {
    say('the pooler passes no settings on: run these once on its database, and restart the pooler')
    for (const statement of advice) say(`  ${statement}`)
  }
  await migrate(db)
  const encryption = await openEncryption(db, config, reencryptSlackTokens)
  const keys = await openKeys(db, encryption, config, say)

  const node = openNode({
    base: () => front.base,
    clock: await openDatabaseClock(systemClock, db.control),
    config,
    db,
    dist: DIST,
    draining: front.draining,
    keys,
    log,
    encryption,
    server: front.server
  })
  opened.defer(() => node.close())
  const { demo, context } = node.parts
  if (demo) await seedDemo(context, keys.clientId)
  const typeFolder =
    config.typesDir === undefined
      ? undefined
      : await openTypeFolder({ ...context, dir: config.typesDir, envId: keys.clientId })
  if (config.role !== 'api') {
    const settings = await differingWorkerSettings(db, encryption, config)
    if (settings.length > 0) log.warn({ settings }, UNLIKE)
  }
  // Nothing fails from here on: a start that comes to nothing has sent nothing, and has nothing under way to wait for.
  node.start()
  const housekeeping = config.role === 'api' ? undefined : startHousekeeping({ config, db, log })
  front.serve(node.listener)

  const rest = opened.move()
  const drain = config.drainSeconds * 1000
  return {
    base: front.base,
    demo: demo !== undefined,
    keys,
    async stop() {
      const until = performance.now() + drain
      front.drain()
      await Promise.all([node.stop(drain), housekeeping?.stop(), typeFolder?.close()])
      // Requests have had the same time; those that have only just come are still answered.
      await front.close(Math.max(until - performance.now(), LAST_REQUESTS))
      await rest.disposeAsync()
    }
  }
}

/** Connections for those who listen, and for a look by hand. */
const SPARE = 20

async function embedded(
  config: Config,
  say: (line: string) => void,
  opened: AsyncDisposableStack
): Promise<string> {
  const connections = config.connections * 2 + EXPORT_CONNECTIONS + SPARE
  const database = await startEmbedded({ connections, dataDir: config.dataDir, say })
  opened.defer(() => database.stop())
  return database.url
}
