// One node, put together on what it is given: the context, its sockets, its queues, and what answers requests.

import type { RequestListener, Server } from 'node:http'

import { openMetrics } from './admin/metrics.ts'
import { createApp, type AppParts } from './app.ts'
import { startProbes } from './channels/email/probe/start-probes.ts'
import { channelQueues, DELIVERABLE } from './channels/registry.ts'
import { isDemo, type Config } from './config/config.ts'
import { systemClock, type Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import type { Db } from './db/db.ts'
import type { Encryption } from './environments/encryption/encryption.ts'
import type { Keys } from './environments/encryption/keys.ts'
import { openEnvironments } from './environments/environments.sql.ts'
import { prefixOf, takeOff } from './http/path-prefix.ts'
import { expireJob } from './inbox/expire.ts'
import { openLiveServer, type LiveServerOptions, type LiveServer } from './inbox/live/live-server.ts'
import { openOutbound } from './outbound/outbound.ts'
import { openQueues, type OpenQueues } from './queue/open-queues.ts'
import { openSendModule } from './send/send-module.ts'
import { createRenderer } from './types/templates/render.ts'
import { openTypes } from './types/types.sql.ts'

export interface NodeOptions {
  /** Of the database (db/clock.ts): what it says is stored. */
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  readonly keys: Keys
  readonly log: Log
  readonly encryption: Encryption
  /** Its upgrades are answered from now on; requests are for {@link Node.listener}. */
  readonly server: Server
  /** Where this very process is reached from the same machine. */
  readonly base: () => string
  readonly draining: () => boolean
  /** Folder of the built files. */
  readonly dist: string
  /** How often the live half looks for what it may have missed. Default: as it says. */
  readonly intervals?: Pick<LiveServerOptions, 'echoMs' | 'heartbeatMs' | 'sweepMs'>
}

export interface Node {
  /** All that its routes are made of. */
  readonly parts: AppParts
  readonly listener: RequestListener
  readonly queues: OpenQueues
  readonly live: LiveServer
  /** Begins with the work of its role; until then it only answers. */
  start(): void
  /** Finishes what is under way, or gives it back, within so many milliseconds; requests are still answered. */
  stop(within: number): Promise<void>
  /** Afterwards, when no request comes any more. */
  close(): Promise<void>
}

export function openNode(options: NodeOptions): Node {
  const { base, clock, config, db, dist, draining, intervals, keys, log, encryption, server } = options
  const isWorker = config.role !== 'api'
  const hasPages = config.role !== 'worker'

  const opened = new AsyncDisposableStack()
  const metrics = opened.adopt(openMetrics(db), it => it.close())
  const environments = openEnvironments(db, encryption, clock)
  const types = openTypes(db, log, clock)
  const renderer = opened.adopt(createRenderer(config), it => it.close())
  const probes = isWorker ? startProbes({ config, log }) : undefined
  opened.defer(() => probes?.close())
  const queues = openQueues(db, {
    clock,
    gaveBack: queue => live.hintRowsReturned(queue),
    log,
    observe: metrics.queues,
    recovered: queue => queue === 'EMAIL' && probes?.again()
  })
  const live = openLiveServer({
    ...intervals,
    clock,
    config,
    db,
    environments,
    onRowsReturned: queues.look,
    httpServer: hasPages ? server : undefined,
    log,
    types,
    vapidPublicKey: keys.vapid.publicKey
  })
  opened.defer(() => live.close())
  takeOff(server, prefixOf(config.publicUrl))
  metrics.watch({ probes: probes?.known, paused: queues.paused })
  metrics.countSockets(() => ({ all: live.connectionCount() }))

  const outbound = openOutbound({ config })
  const context = { clock, config, db, environments, queues, live, log, outbound, renderer, types }
  const sender = openSendModule(context, DELIVERABLE)
  if (isWorker) {
    queues.add(
      // What is signed for providers has the time of the world, which the machine knows from the network.
      ...channelQueues({ ...context, clock: systemClock, encryption, vapid: keys.vapid }),
      sender.schedule,
      sender.digest,
      expireJob(live)
    )
  }

  const parts: AppParts = {
    demo: hasPages && isDemo(config) ? { base, clientId: keys.clientId, dist } : undefined,
    dist,
    draining,
    keys,
    context,
    metrics,
    probes: probes?.known,
    encryption,
    sender
  }
  return {
    close: () => opened.disposeAsync(),
    queues,
    listener: createApp(parts),
    live,
    parts,
    start: () => queues.start(),
    async stop(within) {
      await Promise.all([queues.stop(within), live.drain(Math.min(within, 10_000))])
    }
  }
}
