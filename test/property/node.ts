// Starts a whole node in this process: HTTP, sockets and queues on a port of its own, with short intervals.

import { typeSettings } from '../../server/types/type.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { openTestDb } from '../support/db.ts'
import { openTestNode } from '../support/test-node.ts'

export interface Node extends AsyncDisposable {
  readonly port: number
  readonly base: string
  /** Stops the node and starts it again on its port. Requests in between are refused. */
  restart(): Promise<void>
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

const settings = { enabled: true, options: {} }

const choice = { enabled: true }
const quietSettings = typeSettings.parse({
  options: {
    EMAIL: { daily: { enabled: true, hour: 9 }, instant: choice, off: choice },
    INAPP_WEB: { instant: choice, off: choice }
  }
})

interface Types {
  /** A type whose notifications expire after some milliseconds. */
  readonly brief: { readonly type: string; readonly ms: number }
  /** Types that a user may turn off, or get once a day by email. */
  readonly quiet: readonly string[]
}

export async function startNode(url: string, { brief, quiet }: Types): Promise<Node> {
  async function open(port?: number) {
    const db = await openTestDb({ connections: 6, listenUrl: url, url })
    const whole = await openTestNode(db, SETTINGS, { intervals: INTERVALS, ...(port && { port }) })
    return {
      ...whole,
      async close() {
        await whole[Symbol.asyncDispose]()
        await db.close()
      }
    }
  }
  let running = await open()
  const { base, port } = running
  await running.node.parts.context.types.put(CLIENT, [
    {
      channels: ['INAPP_WEB'],
      id: brief.type,
      settings: { ...settings, retention: brief.ms / DAY },
      title: 'Brief'
    },
    ...quiet.map(id => ({
      channels: ['INAPP_WEB', 'EMAIL'] as const,
      id,
      settings: quietSettings,
      title: id
    }))
  ])
  running.serve()
  return {
    [Symbol.asyncDispose]: () => running.close(),
    base,
    port,
    async restart() {
      await running.close()
      running = await open(port)
      running.serve()
    }
  }
}
