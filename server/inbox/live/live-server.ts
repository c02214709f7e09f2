// The live part of a node: sockets of both protocols on one port, one registry, and change hints to the other nodes.

import type { Server } from 'node:http'

import { HEARTBEAT_MS } from '#protocol'

import type { Config } from '../../config/config.ts'
import type { Environments } from '../../config/environment-settings.ts'
import { cidrList } from '../../core/cidr.ts'
import type { Clock } from '../../core/clock.ts'
import type { InboxEvent, LiveUpdates } from '../../core/live-updates.ts'
import type { Log } from '../../core/log.ts'
import { NO_SIBLINGS, type Siblings } from '../../core/siblings.ts'
import { UnsentBytes } from '../../core/unsent-bytes.ts'
import type { Db } from '../../db/db.ts'
import type { RateLimit } from '../../http/rate-limits.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { Types } from '../../types/type.ts'
import { CatchUp } from './catch-up.ts'
import { ChangeHints } from './change-hints.ts'
import { ConnectionRegistry } from './connection-registry.ts'
import { disconnectAll } from './disconnect-all.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createLongPolls, type LongPolls } from './long-polls.ts'
import { openPlainEndpoint } from './plain-endpoint.ts'
import { PreferenceNotices } from './preference-notices.ts'
import { routeUpgrades } from './route-upgrades.ts'
import { shareSessions } from './session-owner.ts'
import { startSessionRevalidator } from './session-revalidator.ts'
import { shareChanges } from './sibling-changes.ts'
import { createSocketHub, type SocketHub } from './socket-hub.ts'
import { openSocketIoEndpoint, SOCKET_IO_PATH } from './socket-io.ts'
import { LIVE_LIMITS, SocketsPerAddress, type LiveLimits } from './socket-limits.ts'

export interface LiveServerOptions extends Pick<SocketHub, 'afterRead' | 'openTail'> {
  readonly clock: Clock
  /** Undefined for a worker: it has no sockets and only sends hints. */
  readonly httpServer: Server | undefined
  /** Counts wrong credentials; shared with the requests. */
  readonly addressLimit: RateLimit
  readonly config: Pick<Config, 'hintsUrl' | 'socketsPerAddress' | 'trustedProxies'>
  /** Default: {@link LIVE_LIMITS}. */
  readonly limits?: Partial<LiveLimits>
  readonly db: Db
  readonly environments: Environments
  readonly log: Log
  readonly types: Types
  /** Shared with the requests. Default: for sockets alone. */
  readonly unsent?: UnsentBytes
  /** For legacy clients. Default: `''`, web push is off. */
  readonly vapidPublicKey?: string
  /** Between two heartbeats of one connection. Default: {@link HEARTBEAT_MS}. */
  readonly heartbeatMs?: number
  /** Between two sweeps for lost hints. Default: 30,000. */
  readonly sweepMs?: number
  /** Between two messages of the LISTEN connection to itself. Default: 5,000. */
  readonly echoMs?: number
  /** Several processes serve the port. Default: this one alone. */
  readonly processGroup?: ProcessGroup | undefined
}

/** The processes that serve one port. */
export interface ProcessGroup {
  readonly siblings: Siblings
  /** Of all of them: other machines take them for one node. */
  readonly nodeId: string
  /** For the sockets between them. */
  readonly folder: string
}

export interface LiveServer extends LiveUpdates {
  /** Open sockets and waiting polls. */
  connectionCount(): number
  /** Whether hints of other nodes arrive. */
  areHintsUp(): boolean
  readonly longPolls: LongPolls
  /** Sockets that were terminated so far because their clients did not read. */
  droppedCount(): number
  /** Sets the function that is called when another node returned rows to a queue. */
  onRowsReturned(listener: (queue: QueueName) => void): void
  /** Tells the other nodes that this node returned rows to the queue. */
  hintRowsReturned(queue: QueueName): void
  /** Starts a sweep for changes whose hints were lost. */
  sweep(): void
  /**
   * Accepts no new sockets and asks the clients of open ones to reconnect elsewhere, in batches. Hints are still sent.
   *
   * @param withinMs - default 10,000
   */
  drain(withinMs?: number): Promise<void>
  /**
   * Drains, then stops everything; no more hints are sent.
   *
   * @param withinMs - for the clients; default 1
   */
  close(withinMs?: number): Promise<void>
}

/** Higher than the version of any inbox, so that every node that gets this hint checks. */
const UNKNOWN_VERSION = Number.MAX_SAFE_INTEGER

/** @param options - `httpServer` may listen already or later */
export function openLiveServer(options: LiveServerOptions): LiveServer {
  const { addressLimit, clock, config, db, environments, httpServer, log, types } = options
  const limits = { ...LIVE_LIMITS, ...options.limits }
  const {
    heartbeatMs = HEARTBEAT_MS,
    processGroup,
    sweepMs = 30_000,
    unsent = new UnsentBytes(),
    vapidPublicKey = ''
  } = options
  const { hintsUrl = db.listenUrl } = config
  const siblings = processGroup?.siblings ?? NO_SIBLINGS
  let onRowsReturned: ((queue: QueueName) => void) | undefined
  const registry = new ConnectionRegistry()
  const catchUp = new CatchUp(db, log, Math.min(limits.pageBytes, limits.backlogBytes))
  const preferences = new PreferenceNotices(db, log, registry)
  const heartbeat = startHeartbeat({ catchUp, db, heartbeatMs, log, registry, sweepMs })
  const revalidator = startSessionRevalidator({ environments, log, registry })
  const requestIfBehind = (envId: string, userId: string, version: number): void => {
    const user = registry.find(envId, userId)
    if (user && hasOlderVersion(user.connections, version)) catchUp.request(user)
  }
  const noListen = 'no direct database address is set: changes of other nodes are found by sweeps only'
  if (hintsUrl === '') log.warn({ event: 'listen_disabled' }, noListen)
  const hints =
    hintsUrl === ''
      ? undefined
      : new ChangeHints({
          ...(options.echoMs !== undefined && { echoIntervalMs: options.echoMs }),
          installation: vapidPublicKey,
          log,
          ...(processGroup && { node: processGroup.nodeId }),
          onHint(hint) {
            if ('queue' in hint) return onRowsReturned?.(hint.queue)
            const { envId, userId, version } = hint
            if (version === undefined) preferences.notify(envId, userId)
            else requestIfBehind(envId, userId, version)
          },
          onMissed: heartbeat.sweepNow,
          url: hintsUrl
        })

  const deliverAll = (events: readonly InboxEvent[]): void => {
    for (const event of events) {
      try {
        const userBehind = registry.deliver(event)
        if (userBehind) catchUp.request(userBehind)
      } catch (error) {
        log.error(
          { event: 'deliver_failed', err: error, envId: event.envId },
          'could not send an inbox change to its sockets; the next sweep finds it'
        )
      }
    }
  }
  const siblingChanges = shareChanges(siblings, {
    isConnected: (envId, userId) => registry.find(envId, userId) !== undefined,
    onChange: event => deliverAll([event]),
    onMissed: heartbeat.sweepNow,
    onPreferences: ({ envId, userId }) => preferences.notify(envId, userId),
    onRecheck: ({ envId, userId }) => requestIfBehind(envId, userId, UNKNOWN_VERSION),
    onRowsReturned: queue => onRowsReturned?.(queue)
  })
  const live: LiveUpdates = {
    preferencesChanged({ envId, userId }) {
      preferences.notify(envId, userId)
      siblingChanges.preferences({ envId, userId })
      hints?.send([{ envId, userId, version: undefined }])
    },
    publish(events) {
      deliverAll(events)
      siblingChanges.change(events)
      hints?.send(events.map(({ change, envId, userId }) => ({ envId, userId, version: change.version })))
    },
    recheck(users) {
      for (const { envId, userId } of users) requestIfBehind(envId, userId, UNKNOWN_VERSION)
      siblingChanges.recheck(users)
      hints?.send(users.map(({ envId, userId }) => ({ envId, userId, version: UNKNOWN_VERSION })))
    }
  }
  const addresses = new SocketsPerAddress(config.socketsPerAddress, cidrList(config.trustedProxies), siblings)
  const shared = {
    addressLimit,
    addresses,
    afterRead: options.afterRead,
    clock,
    db,
    environments,
    heartbeatMs,
    limits,
    live,
    log,
    openTail: options.openTail,
    types,
    unsent,
    vapidPublicKey
  }
  const hub = createSocketHub(shared, registry, catchUp)
  const io = httpServer && openSocketIoEndpoint(httpServer, hub)
  if (httpServer) routeUpgrades(httpServer, openPlainEndpoint(hub), hub)
  const sessions =
    httpServer && processGroup
      ? shareSessions(httpServer, SOCKET_IO_PATH, { folder: processGroup.folder, number: siblings.number })
      : undefined
  if (io && sessions) io.engine.generateId = sessions.createId

  const drain = async (withinMs = 10_000): Promise<void> => {
    hub.isClosing = true
    heartbeat.stop()
    revalidator.stop()
    await disconnectAll(registry, withinMs)
  }

  return {
    ...live,
    async close(withinMs = 1) {
      await drain(withinMs)
      catchUp.close()
      await hints?.close()
      // The caller closes the HTTP server; only the state of the Socket.IO engine is released here.
      io?.engine.close()
      sessions?.close()
    },
    areHintsUp: () => hints?.isListening ?? false,
    connectionCount: () => registry.connectionCount,
    connectionCountOf: ({ envId, userId }) => registry.find(envId, userId)?.connections.size ?? 0,
    longPolls: createLongPolls(hub),
    drain,
    droppedCount: () => hub.droppedCount,
    hintRowsReturned(queue) {
      siblingChanges.rowsReturned(queue)
      hints?.send([{ queue }])
    },
    onRowsReturned(listener) {
      onRowsReturned = listener
    },
    sweep: heartbeat.sweepNow
  }
}

const hasOlderVersion = (
  connections: Iterable<{ readonly version: number | undefined }>,
  inboxVersion: number
): boolean => {
  for (const { version } of connections) if (version === undefined || version < inboxVersion) return true
  return false
}
