// A whole node in this process: HTTP, sockets and lanes on a port of its own, with short intervals instead of long ones.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import express from 'express'

import { DELIVERABLE } from '../../server/channels/registry.ts'
import { systemClock } from '../../server/clock.ts'
import { readConfig, type Config } from '../../server/config.ts'
import { openDb } from '../../server/db/sql.ts'
import { ensureEnvironment, openEnvironments } from '../../server/environments/store.ts'
import { mount } from '../../server/http/mount.ts'
import { openServer } from '../../server/http/server.ts'
import { expireLane } from '../../server/inbox/expire.ts'
import { inboxRoutes } from '../../server/inbox/route.ts'
import type { Kit } from '../../server/kit.ts'
import { openLive } from '../../server/live/open.ts'
import { createLog } from '../../server/log.ts'
import { openOutbound } from '../../server/outbound/outbound.ts'
import { openLanes } from '../../server/queue/open.ts'
import { openSender } from '../../server/sender.ts'
import { createRenderer } from '../../server/templates/render.ts'
import { openTypes } from '../../server/types/store.ts'
import { CLIENT, SECRET } from '../process/call.ts'
import { SEAL } from '../support/seal.ts'

export interface Node extends AsyncDisposable {
  readonly port: number
  readonly base: string
}

/** Milliseconds. */
const HEARTBEAT = 1_000
const SWEEP = 400
const ECHO = 500
const DAY = 86_400_000

function settings(): Config {
  const read = readConfig({ NOTIF_REQUESTS_PER_SECOND: '1000000', NOTIF_SOCKETS_PER_ADDRESS: '100000' })
  if (!('config' in read)) throw new Error('The settings are wrong.')
  return read.config
}

/** @param brief - type whose notifications disappear after so many milliseconds */
export async function startNode(
  url: string,
  brief: { readonly type: string; readonly ms: number }
): Promise<Node> {
  const config = settings()
  const log = createLog('silent')
  const db = openDb({ connections: 6, listenUrl: url, url })
  await ensureEnvironment(db, SEAL, { id: CLIENT, origins: ['*'], secret: SECRET, secureMode: true })
  const environments = openEnvironments(db, SEAL)
  const types = openTypes(db, log)
  await types.put(CLIENT, [
    {
      channels: ['INAPP_WEB'],
      id: brief.type,
      settings: { enabled: true, options: {}, retention: brief.ms / DAY },
      title: 'Brief'
    }
  ])
  const renderer = createRenderer(config)
  const lanes = openLanes(db, { clock: systemClock, log, poll: 50 })
  const app = express()
  // With the limits of the real one: Node's own ends idle connections after 5 s, just when a caller may write on one.
  const httpServer = openServer(app)
  const live = openLive({
    config,
    db,
    echo: ECHO,
    environments,
    heartbeat: HEARTBEAT,
    httpServer,
    log,
    sweep: SWEEP,
    types
  })
  const kit: Kit = {
    clock: systemClock,
    config,
    db,
    environments,
    lanes,
    live,
    log,
    outbound: openOutbound({ config }),
    renderer,
    types
  }
  const sender = openSender(kit, DELIVERABLE)
  mount(app, [...sender.routes, ...inboxRoutes(kit)], {
    adminTokenHash: undefined,
    config,
    environments,
    log
  })
  lanes.add(sender.schedule, expireLane(live.publish))
  lanes.start()
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const { port } = httpServer.address() as AddressInfo
  return {
    async [Symbol.asyncDispose]() {
      await lanes.stop(1_000)
      await live.close(1)
      httpServer.closeAllConnections()
      httpServer.close()
      await renderer.close()
      await db.close()
    },
    base: `http://127.0.0.1:${port}`,
    port
  }
}
