// The live half of a node: sockets of both kinds on one port, one registry, hints to the other nodes.

import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { HEARTBEAT } from '#protocol'

import type { Config } from '../../config/config.ts'
import type { Environments } from '../../config/environment.ts'
import { cidrList } from '../../core/cidr.ts'
import type { Clock } from '../../core/clock.ts'
import type { InboxEvent } from '../../core/inbox-event.ts'
import type { LiveUpdates } from '../../core/live-updates.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { Types } from '../../types/type.ts'
import { CatchUp } from './catch-up.ts'
import { Hints } from './change-hints.ts'
import { Registry } from './connection-registry.ts'
import type { Connection } from './connection.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openPlain } from './plain-endpoint.ts'
import { startSessionRevalidator } from './session-revalidator.ts'
import { openHub } from './socket-hub.ts'
import { openSocketIo } from './socket-io.ts'
import { Addresses } from './socket-limits.ts'
import { routeUpgrades } from './upgrade.ts'

export interface LiveOptions {
  readonly clock: Clock
  /** Undefined: this node has no sockets, it only tells the others (a worker). */
  readonly httpServer: Server | undefined
  readonly config: Pick<
    Config,
    'inboxPageBytes' | 'preferencesLimit' | 'socketBacklog' | 'socketsPerAddress' | 'trustedProxies'
  >
  readonly db: Db
  readonly environments: Environments
  readonly log: Log
  /** For the preferences of existing clients. */
  readonly types: Types
  /** For existing clients. Default: `''`, there is none. */
  readonly vapidPublicKey?: string
  /** Milliseconds between two signs of life of one connection. Default: {@link HEARTBEAT}. */
  readonly heartbeat?: number
  /** Milliseconds between two sweeps for lost hints. Default: 30,000. */
  readonly sweep?: number
  /** Another node has given back rows of this lane. */
  readonly gaveBack?: (lane: QueueName) => void
  /** Milliseconds between two messages of the line to itself. Default: 5,000. */
  readonly echo?: number
}

export interface OpenLive extends LiveUpdates {
  /** Open sockets that were let in. */
  connections(): number
  /** Sockets dropped so far because their clients did not read. */
  dropped(): number
  /** Tells the other nodes that this one has given back rows of the lane. */
  gaveBack(lane: QueueName): void
  /** Looks now for changes of which no hint came. */
  sweep(): void
  /**
   * Takes no new sockets and asks the clients of the open ones to go elsewhere, a part at a time. Changes are still told
   * to the other nodes.
   *
   * @param within - milliseconds; default 10,000
   */
  drain(within?: number): Promise<void>
  /**
   * Drains, and ends everything; nothing more is told to anybody.
   *
   * @param within - milliseconds for the clients; default 1
   */
  close(within?: number): Promise<void>
}

/** No inbox has a version as high: whoever hears of it looks. */
const NEWEST = Number.MAX_SAFE_INTEGER
/** Milliseconds between two parts, and the smallest part. */
const STEP = 100
const PART = 200

/** Opens the endpoints on a server that may listen already or later. */
export function openLive(options: LiveOptions): OpenLive {
  const { clock, config, db, environments, httpServer, log, types } = options
  const registry = new Registry()
  const catchUp = new CatchUp(db, log, Math.min(config.inboxPageBytes, config.socketBacklog))

  const deliver = (event: InboxEvent): void => {
    const audience = registry.deliver(event)
    if (audience) catchUp.need(audience)
  }
  const look = (envId: string, userId: string, version: number): void => {
    const audience = registry.find(envId, userId)
    if (audience && isOlder(audience.connections, version)) catchUp.need(audience)
  }
  const live: LiveUpdates = {
    publish(events) {
      for (const event of events) {
        try {
          deliver(event)
        } catch (error) {
          log.error({ err: error }, 'could not deliver a change')
        }
      }
      hints?.tell(events.map(({ change, envId, userId }) => ({ envId, userId, version: change.version })))
    },
    recheck(users) {
      for (const { envId, userId } of users) look(envId, userId, NEWEST)
      hints?.tell(users.map(({ envId, userId }) => ({ envId, userId, version: NEWEST })))
    },
    preferencesChanged({ envId, userId }) {
      registry.sayChosen(envId, userId)
      hints?.tell([{ envId, userId, version: undefined }])
    }
  }
  const addresses = new Addresses(config.socketsPerAddress, cidrList(config.trustedProxies))
  const heartbeat = options.heartbeat ?? HEARTBEAT
  const { vapidPublicKey = '' } = options
  const hub = openHub(
    { addresses, clock, config, db, environments, heartbeat, live, log, types, vapidPublicKey },
    registry,
    catchUp
  )
  const io = httpServer && openSocketIo(httpServer, hub)
  if (httpServer) routeUpgrades(httpServer, openPlain(hub), hub)
  const pulse = startHeartbeat({
    catchUp,
    db,
    heartbeat,
    log,
    registry,
    sweep: options.sweep ?? 30_000
  })
  const doorman = startSessionRevalidator({ environments, log, registry })
  if (db.listenUrl === '')
    log.warn('no direct database address: changes of other nodes are found by sweeps only')
  const hints =
    db.listenUrl === ''
      ? undefined
      : new Hints({
          ...(options.echo !== undefined && { echo: options.echo }),
          heard(hint) {
            if ('lane' in hint) return options.gaveBack?.(hint.lane)
            const { envId, userId, version } = hint
            if (version === undefined) registry.sayChosen(envId, userId)
            else look(envId, userId, version)
          },
          log,
          ready: pulse.sweep,
          url: db.listenUrl
        })

  const moveAll = async (within: number): Promise<void> => {
    const open: Connection[] = []
    for (const { connections } of registry.audiences) open.push(...connections)
    const part = Math.max(PART, Math.ceil((open.length * STEP) / within))
    for (let i = 0; i < open.length; i += part) {
      if (i > 0) await sleep(STEP)
      for (const connection of open.slice(i, i + part)) connection.move()
    }
    // Whoever has not answered by now does not read.
    for (let waited = 0; registry.connections > 0 && waited < 1_000; waited += 20) await sleep(20)
    for (const { connections } of registry.audiences) for (const connection of connections) connection.drop()
  }

  const drain = async (within = 10_000): Promise<void> => {
    hub.closing = true
    pulse.stop()
    doorman.stop()
    await moveAll(within)
  }

  return {
    ...live,
    async close(within = 1) {
      await drain(within)
      catchUp.close()
      await hints?.close()
      // The HTTP server is its owner's; only the engine's own state goes.
      io?.engine.close()
    },
    connections: () => registry.connections,
    drain,
    dropped: () => hub.dropped,
    gaveBack(lane) {
      hints?.tell([{ lane }])
    },
    sweep: pulse.sweep
  }
}

const isOlder = (connections: Iterable<{ readonly version: number | undefined }>, head: number): boolean => {
  for (const { version } of connections) if (version === undefined || version < head) return true
  return false
}
