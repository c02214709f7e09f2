// A whole node in this process: HTTP, sockets and lanes on a port of its own, with short intervals instead of long ones.

import { join } from 'node:path'

import { readConfig, type Config } from '../../server/config.ts'
import { openDb } from '../../server/db/sql.ts'
import { openFront } from '../../server/front.ts'
import { openKeys } from '../../server/instance/keys.ts'
import { createLog } from '../../server/log.ts'
import { openNode } from '../../server/node.ts'
import { CLIENT, SECRET } from '../process/call.ts'
import { SEAL } from '../support/seal.ts'

export interface Node extends AsyncDisposable {
  readonly port: number
  readonly base: string
}

/** Milliseconds. */
const INTERVALS = { echo: 500, heartbeat: 1_000, sweep: 400 }
const DAY = 86_400_000

function settings(): Config {
  const read = readConfig({
    NOTIF_CLIENT_ID: CLIENT,
    NOTIF_CLIENT_SECRET: SECRET,
    NOTIF_ORIGINS: '*',
    NOTIF_REQUESTS_PER_SECOND: '1000000',
    NOTIF_SOCKETS_PER_ADDRESS: '100000'
  })
  if (!('config' in read)) throw new Error('The settings are wrong.')
  return read.config
}

/** @param brief - type whose notifications disappear after so many milliseconds */
export async function startNode(
  url: string,
  brief: { readonly type: string; readonly ms: number }
): Promise<Node> {
  const config = settings()
  const db = openDb({ connections: 6, listenUrl: url, url })
  const keys = await openKeys(db, SEAL, config)
  const front = await openFront('127.0.0.1', 0)
  const node = openNode({
    base: () => front.base,
    config,
    db,
    dist: join(import.meta.dirname, '../../dist'),
    draining: front.draining,
    intervals: INTERVALS,
    keys,
    log: createLog('silent'),
    seal: SEAL,
    server: front.server
  })
  await node.parts.types.put(CLIENT, [
    {
      channels: ['INAPP_WEB'],
      id: brief.type,
      settings: { enabled: true, options: {}, retention: brief.ms / DAY },
      title: 'Brief'
    }
  ])
  front.serve(node.listener)
  return {
    async [Symbol.asyncDispose]() {
      await node.stop(1_000)
      await front.close(0)
      await node.close()
      await db.close()
    },
    base: front.base,
    port: Number(new URL(front.base).port)
  }
}
