// Assembles one node: its context, queues, live server and request handler.

import type { RequestListener, Server } from 'node:http'

import { createMetrics } from './admin/metrics.ts'
import { startNodeReport, type NodeReport } from './admin/nodes/report-node.ts'
import { createApp, taskKinds, type AppParts } from './app.ts'
import { startProbes } from './channels/email/start-probes.ts'
import { channelJobs, DELIVERABLE_CHANNELS } from './channels/registry.ts'
import { isDemo, type Config } from './config/config.ts'
import { systemClock, type Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import { UnsentBytes } from './core/unsent-bytes.ts'
import type { Db } from './db/db.ts'
import { openApiKeys } from './environments/api-keys/api-keys.ts'
import type { Encryption } from './environments/encryption/encryption.ts'
import type { Keys } from './environments/encryption/keys.ts'
import { openEnvironments } from './environments/environments.sql.ts'
import { startTaskRunner, type TaskRunner } from './environments/tasks/run-tasks.ts'
import { openAudit } from './http/audit/audit.ts'
import { pathPrefix, stripPathPrefix } from './http/path-prefix.ts'
import { createAddressLimit } from './http/rate-limits.ts'
import { expireJob } from './inbox/expire.ts'
import {
  openLiveServer,
  type LiveServerOptions,
  type LiveServer,
  type ProcessGroup
} from './inbox/live/live-server.ts'
import { snoozeJob } from './inbox/snooze-job.ts'
import { webhookJob } from './inbox/updates/webhook-job.ts'
import { attemptLog, logLostAttempts } from './logs/attempt-log.sql.ts'
import { openSendsTail } from './logs/tail/tail.ts'
import { openSessions } from './operators/sessions.ts'
import { openOutbound } from './outbound/outbound.ts'
import { shareOf } from './process/siblings/share.ts'
import { openQueues, type OpenQueues } from './queue/open-queues.ts'
import { createAfterRead } from './send/after-read/after-read.ts'
import { attachmentCleanup } from './send/attachments/attachments.sql.ts'
import { openSendModule } from './send/send-module.ts'
import { createRenderer } from './types/templates/render.ts'
import { openTypes } from './types/types.sql.ts'

export interface NodeOptions {
  /** The clock of the database, because its times are stored. */
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  readonly keys: Keys
  readonly log: Log
  readonly encryption: Encryption
  /** The node answers its upgrades; its requests are for {@link Node.handleRequest}. */
  readonly server: Server
  /** Address of this process for clients on the same machine. */
  readonly base: () => string
  readonly draining: () => boolean
  readonly dist: string
  /** Several processes serve the port. Default: this one alone. */
  readonly processGroup?: (ProcessGroup & { readonly count: number }) | undefined
  /** How often the live half looks for what it may have missed. Default: as it says. */
  readonly intervals?: Pick<LiveServerOptions, 'echoMs' | 'heartbeatMs' | 'sweepMs'>
}

export interface Node {
  readonly parts: AppParts
  readonly handleRequest: RequestListener
  readonly queues: OpenQueues
  readonly live: LiveServer
  /** Starts the queues; before that, the node only answers requests. */
  start(): void
  /** Finishes deliveries in progress or returns them to the queue. Requests are still answered. */
  stop(withinMs: number): Promise<void>
  /** Closes the parts, after {@link stop} and after the last request. */
  close(): Promise<void>
}

/** Clients that have not reconnected elsewhere by then are disconnected. */
const MAX_LIVE_DRAIN_MS = 10_000

export function openNode(options: NodeOptions): Node {
  const { base, clock, config, db, dist, draining, intervals, keys, log, encryption, processGroup, server } =
    options
  const siblings = processGroup?.siblings
  const isWorker = config.role !== 'api'
  const hasPages = config.role !== 'worker'

  const opened = new AsyncDisposableStack()
  const metrics = opened.adopt(createMetrics(db, siblings), it => it.close())
  const environments = openEnvironments(db, encryption, clock)
  const types = openTypes(db, log, clock)
  const renderer = opened.adopt(createRenderer(config), it => it.close())
  const probes = isWorker ? startProbes({ config, log }) : undefined
  opened.defer(() => probes?.close())
  const unsent = new UnsentBytes()
  const addressLimit = createAddressLimit(config.requestsPerSecond, siblings)
  const tail = openSendsTail({ clock, db, encryption, log })
  const live = openLiveServer({
    ...intervals,
    addressLimit,
    afterRead: createAfterRead(db),
    clock,
    config,
    db,
    environments,
    httpServer: hasPages ? server : undefined,
    log,
    processGroup,
    openTail: tail.open,
    types,
    unsent,
    vapidPublicKey: keys.vapid.publicKey
  })
  opened.defer(() => live.close())
  const queues = openQueues(db, {
    clock,
    finishParts: [attemptLog, attachmentCleanup],
    log,
    logLostAttempts,
    metrics: metrics.queues,
    onReturned: live.hintRowsReturned,
    onResumed: queue => queue === 'EMAIL' && probes?.repeat()
  })
  live.onRowsReturned(queues.rescan)
  stripPathPrefix(server, pathPrefix(config.publicUrl))
  metrics.watch({ areHintsUp: live.areHintsUp, probes: probes?.results, paused: queues.paused })
  metrics.countSockets(() => ({ all: live.connectionCount() }))

  const outbound = openOutbound({ config })
  const { recordSend } = metrics
  const context = {
    clock,
    config,
    db,
    environments,
    queues,
    live,
    log,
    outbound,
    recordSend,
    renderer,
    types
  }
  const sender = openSendModule(context, DELIVERABLE_CHANNELS)
  if (isWorker) {
    queues.add(
      // Signatures for providers need the real time, which the machine gets by NTP, not the time of the database.
      ...channelJobs({
        ...context,
        clock: systemClock,
        config: shareOf(config, processGroup?.count ?? 1),
        encryption,
        vapid: keys.vapid
      }),
      sender.schedule,
      sender.digest,
      sender.escalation,
      sender.held,
      expireJob(live),
      snoozeJob(live),
      webhookJob({ ...context, clock: systemClock })
    )
  }

  let report: NodeReport | undefined
  let tasks: TaskRunner | undefined
  const readState = () => ({
    paused: queues.paused().map(({ code, queue, since, until }) => ({
      code,
      queue,
      since: since.toISOString(),
      until: until.toISOString()
    })),
    probes: probes?.results() ?? [],
    sockets: live.connectionCount()
  })

  const parts: AppParts = {
    addressLimit,
    apiKeys: openApiKeys(db, clock),
    audit: openAudit(db, clock),
    demo: hasPages && isDemo(config) ? { base, clientId: keys.clientId, dist } : undefined,
    dist,
    draining,
    keys,
    context,
    longPolls: live.longPolls,
    metrics,
    probes,
    encryption,
    sender,
    siblings,
    sessions: openSessions(db, clock, { adminTokenHash: keys.adminTokenHash, issuer: config.oidcIssuer }),
    unsent,
    wakeTasks: () => tasks?.wake()
  }
  return {
    close: () => opened.disposeAsync(),
    queues,
    handleRequest: createApp(parts),
    live,
    parts,
    start() {
      queues.start()
      if (isWorker) tasks ??= startTaskRunner({ db, kinds: taskKinds(context), log })
      report ??= startNodeReport({ config, db, log, readState })
    },
    async stop(withinMs) {
      tail.close()
      await Promise.all([
        queues.stop(withinMs),
        live.drain(Math.min(withinMs, MAX_LIVE_DRAIN_MS)),
        report?.stop(),
        tasks?.stop()
      ])
    }
  }
}
