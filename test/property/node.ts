// Starts a whole node in this process: HTTP, sockets and queues on a port of its own, with short intervals.

import { openDb } from '../../server/db/db.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { openTestNode } from '../support/test-node.ts'

export interface Node extends AsyncDisposable {
  readonly port: number
  readonly base: string
}

/** Milliseconds. */
const INTERVALS = { echoMs: 500, heartbeatMs: 1_000, sweepMs: 400 }
const DAY = 86_400_000

const SETTINGS = {
  NOTIF_CLIENT_ID: CLIENT,
  NOTIF_CLIENT_SECRET: SECRET,
  NOTIF_ORIGINS: '*',
  NOTIF_REQUESTS_PER_SECOND: '1000000',
  NOTIF_SOCKETS_PER_ADDRESS: '100000'
}

/** @param brief - a type whose notifications expire after some milliseconds */
export async function startNode(
  url: string,
  brief: { readonly type: string; readonly ms: number }
): Promise<Node> {
  const db = openDb({ connections: 6, listenUrl: url, url })
  const whole = await openTestNode(db, SETTINGS, { intervals: INTERVALS })
  const { base, node, port } = whole
  await node.parts.context.types.put(CLIENT, [
    {
      channels: ['INAPP_WEB'],
      id: brief.type,
      settings: { enabled: true, options: {}, retention: brief.ms / DAY },
      title: 'Brief'
    }
  ])
  whole.serve()
  return {
    async [Symbol.asyncDispose]() {
      await whole[Symbol.asyncDispose]()
      await db.close()
    },
    base,
    port
  }
}
