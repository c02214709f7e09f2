// Everything that one process opens, in order, and how it lets go of it again in the opposite one.

import { join } from 'node:path'

import { openMetrics } from './admin/metrics.ts'
import { createApp } from './app.ts'
import { startProbes } from './channels/mail-probe/open.ts'
import { channelLanes, DELIVERABLE } from './channels/registry.ts'
import { systemClock } from './clock.ts'
import { isDemo, type Config } from './config.ts'
import { startEmbedded } from './db/embedded.ts'
import { lockDirectory } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { missingOfRole } from './db/pooler.ts'
import { isPooled, openDb } from './db/sql.ts'
import { waitForDatabase } from './db/wait.ts'
import { seedDemo } from './demo/route.ts'
import { openEnvironments } from './environments/store.ts'
import { openFront } from './front.ts'
import { startHousekeeping } from './housekeeping/housekeeping.ts'
import { expireLane } from './inbox/expire.ts'
import { prefixOf, takeOff } from './http/prefix.ts'
import { openSeal } from './instance/key.ts'
import { openKeys, type Keys } from './instance/keys.ts'
import type { Kit } from './kit.ts'
import { openLive } from './live/open.ts'
import { createLog } from './log.ts'
import { openOutbound } from './outbound/outbound.ts'
import { openLanes } from './queue/open.ts'
import { openSender } from './sender.ts'
import { createRenderer } from './templates/render.ts'
import { openTypeFolder } from './types/folder.ts'
import { openTypes } from './types/store.ts'

const DIST = join(import.meta.dirname, '../dist')

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

  if (config.databaseUrl === undefined) opened.defer(await lockDirectory(config.dataDir))
  const front = await openFront(config.host, config.port)
  opened.defer(() => front.close(0))
  abandoned.addEventListener('abort', () => void front.close(0))

  const url = config.databaseUrl ?? (await embedded(config, say, opened))
  const address = { listenUrl: config.listenUrl ?? url, url }
  await waitForDatabase(address, config.databaseWait * 1000, say)
  const db = openDb({ ...address, connections: config.connections })
  opened.defer(() => db.close())
  const advice = isPooled(address) ? await missingOfRole(db.control) : []
  if (advice.length > 0) {
    say('the pooler passes no settings on: run these once on its database, and restart the pooler')
    for (const statement of advice) say(`  ${statement}`)
  }
  await migrate(db)
  const seal = await openSeal(db, config)
  const keys = await openKeys(db, seal, config)

  const metrics = openMetrics(db)
  opened.defer(() => metrics.close())
  const environments = openEnvironments(db, seal)
  const types = openTypes(db, log, systemClock, config)
  const renderer = createRenderer(config)
  opened.defer(() => renderer.close())
  const worker = config.role !== 'api'
  const probes = worker ? startProbes({ config, log }) : undefined
  if (probes) opened.defer(() => probes.close())
  const lanes = openLanes(db, {
    clock: systemClock,
    log,
    observe: metrics.lanes,
    recovered: lane => lane === 'EMAIL' && probes?.again()
  })
  metrics.watch({ probes: probes?.known, resting: lanes.resting })
  const httpServer = config.role === 'worker' ? undefined : front.server
  const live = openLive({
    config,
    db,
    environments,
    httpServer,
    log,
    types,
    vapidPublicKey: keys.vapid.publicKey
  })
  opened.defer(() => live.close())
  takeOff(front.server, prefixOf(config.publicUrl))
  metrics.countSockets(() => ({ all: live.connections() }))
  const outbound = openOutbound({ config })
  const kit: Kit = {
    clock: systemClock,
    config,
    db,
    environments,
    lanes,
    live,
    log,
    outbound,
    renderer,
    types
  }

  const sender = openSender(kit, DELIVERABLE)
  if (worker) {
    lanes.add(
      ...channelLanes({ ...kit, seal, vapid: keys.vapid }),
      sender.schedule,
      sender.digest,
      expireLane(live.publish)
    )
    lanes.start()
  }
  const housekeeping = worker ? startHousekeeping({ config, db, log }) : undefined
  const typeFolder =
    config.typesDir === undefined
      ? undefined
      : await openTypeFolder({ config, db, dir: config.typesDir, envId: keys.clientId, log, renderer, types })

  const demo = isDemo(config) && config.role !== 'worker'
  if (demo) await seedDemo(kit, keys.clientId)
  front.serve(
    createApp({
      demo: demo ? { base: () => front.base, clientId: keys.clientId, dist: DIST } : undefined,
      dist: DIST,
      draining: front.draining,
      keys,
      kit,
      metrics,
      probes: probes?.known,
      seal,
      sender,
      types
    })
  )

  const rest = opened.move()
  const drain = config.drainSeconds * 1000
  return {
    base: front.base,
    demo,
    keys,
    async stop() {
      front.drain()
      await Promise.all([
        lanes.stop(drain),
        live.drain(Math.min(drain, 10_000)),
        housekeeping?.stop(),
        typeFolder?.close()
      ])
      await front.close(drain)
      await rest.disposeAsync()
    }
  }
}

/** Most connections that this process opens, and room for a look by hand. */
const SPARE = 20

async function embedded(
  config: Config,
  say: (line: string) => void,
  opened: AsyncDisposableStack
): Promise<string> {
  const connections = config.connections * 2 + SPARE
  const database = await startEmbedded({ connections, dataDir: config.dataDir, say })
  opened.defer(() => database.stop())
  return database.url
}
