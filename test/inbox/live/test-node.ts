// Nodes with a live server on real ports, and clients that record every frame.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import postgres from 'postgres'
import { io, type Socket } from 'socket.io-client'
import { WebSocket, type ClientOptions } from 'ws'

import type { InboxEvent } from '../../../server/core/live-updates.ts'
import { createLog } from '../../../server/core/log.ts'
import type { Db } from '../../../server/db/db.ts'
import { ensureEnvironment, openEnvironments } from '../../../server/environments/environments.sql.ts'
import { userHash } from '../../../server/http/auth.ts'
import { createAddressLimit } from '../../../server/http/rate-limits.ts'
import type { NewItem } from '../../../server/inbox/items.sql.ts'
import {
  openLiveServer,
  type LiveServerOptions,
  type LiveServer
} from '../../../server/inbox/live/live-server.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { openTestDb } from '../../support/db.ts'
import { insertInboxItems } from '../../support/fixtures.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { ENV, userKey, transact } from '../test-items.ts'

export const SECRET = 'secret of env'

export const handshakeOf = (userId: string, more: object = {}) => ({
  clientId: ENV,
  protocol: 1,
  userHash: userHash(SECRET, userId),
  userId,
  ...more
})

export interface Node {
  readonly live: LiveServer
  readonly db: Db
  readonly port: number
  readonly url: string
  /** Commits items of one user and publishes them here. */
  send(...items: NewItem[]): Promise<InboxEvent>
  [Symbol.asyncDispose](): Promise<void>
}

type NodeOptions = Partial<Omit<LiveServerOptions, 'config'>> & {
  readonly config?: Partial<LiveServerOptions['config']>
}

/** The environment ENV is in secure mode and allows the origin https://a.example. */
export async function startNode(
  url: string,
  options: NodeOptions & { readonly listenUrl?: string } = {}
): Promise<Node> {
  const db = await openTestDb({ connections: 4, listenUrl: options.listenUrl ?? url, url })
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: ENV,
    origins: ['https://a.example'],
    secret: SECRET,
    secureMode: true
  })
  const httpServer = createServer((_request, response) => response.writeHead(404).end())
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const { port } = httpServer.address() as AddressInfo
  const live = openLiveServer({
    addressLimit: createAddressLimit(100_000),
    clock: Date.now,
    db,
    environments: openEnvironments(db, TEST_ENCRYPTION),
    httpServer,
    log: createLog('silent'),
    types: openTypes(db, createLog('silent')),
    ...options,
    config: {
      hintsUrl: undefined,
      socketsPerAddress: 1000,
      trustedProxies: [],
      ...options.config
    }
  })
  return {
    async [Symbol.asyncDispose]() {
      await live.close()
      httpServer.closeAllConnections()
      httpServer.close()
      await db.close()
    },
    db,
    live,
    port,
    async send(...items) {
      const [event] = await transact(db, items[0]!.userId, tx => insertInboxItems(tx, items))
      live.publish([event!])
      return event!
    },
    url: `http://127.0.0.1:${port}`
  }
}

/** Resolves when that many nodes listen: the last query of their LISTEN connection was `listen` or an echo. */
export async function waitForListeners(url: string, nodes: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  let count = 0
  do {
    const rows = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where application_name = 'notif-kit listen' and datname = current_database()
        and (query like 'listen "notif_echo%' and state = 'idle' or query like '%pg_notify%')`
    count = rows[0]!.count
  } while (count < nodes)
  await sql.end()
}

export interface Frame {
  readonly route: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the payloads of all frames
  readonly payload: any
}

/** The frames that arrived, in order, and promises of later ones. */
export class Frames {
  readonly all: Frame[] = []
  readonly #waiting = new Set<() => void>()

  add(frame: Frame): void {
    this.all.push(frame)
    for (const look of this.#waiting) look()
  }

  /** The first frame that fulfils the condition, also an earlier one. */
  async find(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.all.find(fits)
      if (found) return found
      await new Promise<void>(resolve => {
        const look = () => {
          this.#waiting.delete(look)
          resolve()
        }
        this.#waiting.add(look)
      })
    }
  }

  route(name: string): Promise<Frame> {
    return this.find(({ route }) => route === name)
  }

  /** The change that reaches this version. */
  reaching(version: number): Promise<Frame> {
    return this.find(({ route, payload }) => route === 'inbox/change' && payload.version >= version)
  }

  routes(): string[] {
    return this.all.map(({ route }) => route)
  }
}

export interface Client {
  readonly frames: Frames
  /** Close code and reason. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): void
}

export interface PlainClient extends Client {
  readonly socket: WebSocket
  send(route: string, payload?: unknown): void
}

/** @param path - with query; without `kit=1`, a legacy client */
export function plainClient(
  node: Pick<Node, 'port'>,
  path: string,
  options: ClientOptions = {}
): PlainClient {
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}${path}`, options)
  const frames = new Frames()
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('a binary frame')
    frames.add(JSON.parse(String(data)) as Frame)
  })
  socket.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  )
  return {
    close: () => socket.terminate(),
    closed,
    frames,
    send: (route, payload) => socket.send(JSON.stringify({ payload, route })),
    socket
  }
}

/** Our own client on the plain endpoint: sends the handshake when the socket is open. */
export function kitClient(node: Pick<Node, 'port'>, userId: string, more: object = {}): PlainClient {
  const client = plainClient(node, '/ws?kit=1')
  client.socket.once('open', () => client.send('inbox/hello', handshakeOf(userId, more)))
  return client
}

export interface SocketIoClient extends Client {
  readonly socket: Socket
  /** The rejection. */
  readonly refused: Promise<{ readonly message: string; readonly data?: unknown }>
}

export function socketIoClient(
  node: Pick<Node, 'url'>,
  userId: string,
  more: object = {},
  options: object = {}
): SocketIoClient {
  const socket = io(node.url, {
    auth: handshakeOf(userId, more),
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    ...options
  })
  const frames = new Frames()
  socket.onAny((route: string, payload: unknown) => frames.add({ payload, route }))
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.on('disconnect', reason => resolve({ code: 0, reason }))
  )
  const refused = new Promise<{ message: string; data?: unknown }>(resolve =>
    socket.on('connect_error', error => resolve(error as Error & { data?: unknown }))
  )
  return { close: () => socket.disconnect(), closed, frames, refused, socket }
}

/** Resolves when the condition is true. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 2))
}

export { userKey }
