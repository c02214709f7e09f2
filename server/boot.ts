// Starts one process: opens its parts in order, and closes them in reverse order.

import type { Server } from 'node:http'
import { join } from 'node:path'

import { startHousekeeping } from './admin/housekeeping.ts'
import type { Config } from './config/config.ts'
import { EXPORT_CONNECTIONS } from './config/connections.ts'
import { cidrList } from './core/cidr.ts'
import { systemClock } from './core/clock.ts'
import { createLog } from './core/log.ts'
import { assertRoute } from './db/citus/owners.ts'
import { groupByShard } from './db/citus/shard-groups.ts'
import { openDatabaseClock } from './db/database-clock.ts'
import { isPooled, openDb, poolSizes } from './db/db.ts'
import { lockDirectory } from './db/directory-lock.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { findMissingRoleSettings } from './db/pooler.ts'
import { waitForDatabase } from './db/wait-for-database.ts'
import { seedDemo } from './demo/route.ts'
import { openEncryption } from './environments/encryption/installation-key.ts'
import { openKeys } from './environments/encryption/keys.ts'
import { differingWorkerSettings } from './environments/encryption/worker-settings-check.ts'
import { openNode } from './node.ts'
import { ownConnections } from './process/connection-budget.ts'
import { connectionsPerAddress, limitConnections } from './process/connection-limit.ts'
import { openListener } from './process/listener.ts'
import { openLinks } from './process/siblings/links.ts'
import type { Ready } from './process/siblings/messages.ts'
import type { ParentChannel } from './process/siblings/parent-channel.ts'
import { shareOf } from './process/siblings/share.ts'
import { startProcesses } from './process/siblings/supervisor.ts'
import { openTypeFolder } from './types/apply-types-folder.ts'
import { assertReadableFolder } from './types/check-types-folder.ts'
import { reencryptSlackTokens } from './users/slack-connections.sql.ts'

const DIST = join(import.meta.dirname, '../dist')

/** How long a start waits for the database of DATABASE_URL: as long as a recovery of Postgres usually takes. */
const DATABASE_WAIT_MS = 60_000

/** For requests that arrive just before the listener closes. */
const LAST_REQUESTS_MS = 1000

/** Database connections of a process for LISTEN, and for operators with psql. */
const LISTEN_CONNECTIONS = 1
const SPARE_CONNECTIONS = 20

export interface Running extends Ready {
  /** Finishes work in progress or returns it to the queue, then closes everything. */
  stop(): Promise<void>
}

/**
 * Starts several processes, which a parent keeps running. The embedded database belongs to the parent.
 *
 * @param main - the file that each process runs
 * @throws StartupError for what the operator can repair
 */
export async function bootProcesses(
  config: Config,
  say: (line: string) => void,
  main: string
): Promise<Running> {
  await using opened = new AsyncDisposableStack()
  if (config.databaseUrl === undefined) opened.defer(await lockDirectory(config.dataDir))
  const databaseUrl = config.databaseUrl ?? (await startEmbeddedDatabase(config, say, opened))
  const { ready, stop } = await startProcesses({
    count: config.processes,
    databaseUrl,
    log: createLog(config.logLevel),
    main
  })
  const rest = opened.move()
  return {
    ...ready,
    async stop() {
      await stop()
      await rest.disposeAsync()
    }
  }
}

/**
 * @param say - prints progress for the operator
 * @param abandoned - aborts when the process is about to exit: waiting requests are answered with 503
 * @param parent - of several processes; undefined: this process serves alone
 * @throws StartupError for what the operator can repair
 */
export async function boot(
  config: Config,
  say: (line: string) => void,
  abandoned: AbortSignal,
  parent?: ParentChannel
): Promise<Running> {
  // A start that fails closes what is open already.
  await using opened = new AsyncDisposableStack()
  const log = createLog(config.logLevel)

  if (config.typesDir !== undefined) await assertReadableFolder(config.typesDir)
  const assignment = parent?.assignment
  const share = shareOf(config, assignment?.count ?? 1)
  if (!assignment && config.databaseUrl === undefined) opened.defer(await lockDirectory(config.dataDir))
  const limitClients = (server: Server): void =>
    limitConnections(
      server,
      {
        max: share.connectionsLimit,
        perAddress: connectionsPerAddress(config.socketsPerAddress),
        reserved: ownConnections(share),
        trustedProxies: cidrList(config.trustedProxies)
      },
      log
    )
  const listener = await openListener(config.host, config.port, limitClients, assignment?.siblingBase)
  opened.defer(() => listener.close(0))
  abandoned.addEventListener('abort', () => void listener.close(0))

  const url =
    assignment?.databaseUrl ?? config.databaseUrl ?? (await startEmbeddedDatabase(config, say, opened))
  const address = { listenUrl: config.listenUrl ?? url, url }
  assertRoute(config.citusRoute, address)
  await waitForDatabase(address, DATABASE_WAIT_MS, say)
  const databaseOptions = {
    ...address,
    connections: share.connections,
    exportConnections: EXPORT_CONNECTIONS
  }
  const database = openDb(databaseOptions)
  opened.defer(() => database.close())
  const advice = isPooled(address) ? await findMissingRoleSettings(database.control) : []
  if (advice.length > 0) {
    say('the pooler does not pass settings on: run these statements once on its database, then restart it')
    for (const statement of advice) say(`  ${statement}`)
  }
  await migrate(database)
  const ownerOptions = config.citusRoute === 'owner' ? { ...databaseOptions, log } : undefined
  const db = await groupByShard(database, ownerOptions)
  opened.defer(() => db.close())
  const encryption = await openEncryption(db, config, reencryptSlackTokens)
  const keys = await openKeys(db, encryption, config, say)

  const links = assignment && (await openLinks(assignment.folder, assignment.number))
  opened.defer(() => links?.close())
  const node = openNode({
    base: () => listener.base,
    clock: await openDatabaseClock(systemClock, db.control),
    config,
    db,
    dist: DIST,
    draining: listener.draining,
    keys,
    log,
    encryption,
    processGroup: assignment && links && { ...assignment, siblings: links },
    server: listener.server
  })
  opened.defer(() => node.close())
  const { demo, context } = node.parts
  if (demo) await seedDemo(context, keys.clientId, config.publicUrl ?? listener.base)
  const typeFolder =
    config.typesDir === undefined
      ? undefined
      : await openTypeFolder({ ...context, dir: config.typesDir, envId: keys.clientId })
  // The folder was taken away: REST may change its types again.
  if (!typeFolder && config.role !== 'worker') await context.types.setManaged(keys.clientId, [], true)
  if (config.role !== 'api') {
    const settings = await differingWorkerSettings(db, encryption, config)
    if (settings.length > 0) {
      log.warn(
        { event: 'worker_settings_differ', settings },
        'settings differ from the worker that started last on this database; make them equal, because any worker may deliver any message'
      )
    }
  }
  // Work begins last: a start that fails before has sent nothing.
  node.start()
  const housekeeping = config.role === 'api' ? undefined : startHousekeeping({ config, db, log })
  if (links) parent!.linked(links)
  await listener.serve(node.handleRequest)

  const rest = opened.move()
  const drainMs = config.drainSeconds * 1000
  return {
    base: listener.base,
    demo: demo !== undefined,
    keys,
    async stop() {
      const until = performance.now() + drainMs
      listener.drain()
      await Promise.all([node.stop(drainMs), housekeeping?.stop(), typeFolder?.close()])
      // Requests share the drain time with deliveries; the latest ones get a little more.
      await listener.close(Math.max(until - performance.now(), LAST_REQUESTS_MS))
      await rest.disposeAsync()
    }
  }
}

async function startEmbeddedDatabase(
  config: Config,
  say: (line: string) => void,
  opened: AsyncDisposableStack
): Promise<string> {
  const { connections: apiConnections } = shareOf(config, config.processes)
  const sizes = poolSizes({ connections: apiConnections, exportConnections: EXPORT_CONNECTIONS })
  const ofProcess = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  const connections = (ofProcess + LISTEN_CONNECTIONS) * config.processes + SPARE_CONNECTIONS
  const database = await startEmbedded({ connections, dataDir: config.dataDir, say })
  opened.defer(() => database.stop())
  return database.url
}
