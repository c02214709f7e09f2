// The Socket.IO endpoint: WebSocket only, one namespace, hello in `auth`, one event for each route.

import type { Server as HttpServer } from 'node:http'

import { Server, type Socket } from 'socket.io'

import { CLOSE_REFUSED } from '#protocol'

import type { Audience } from './connection-registry.ts'
import type { Connection } from './connection.ts'
import { isRefusal, receive, type Session } from './handshake.ts'
import type { Hub } from './socket-hub.ts'
import { Budget, HELLO_TIME, MESSAGE_LIMIT } from './socket-limits.ts'

export const SOCKET_IO_PATH = '/socket.io/'

type Engine = Socket['conn']

class SocketIoConnection implements Connection {
  readonly kind = 'socket-io'
  version: number | undefined
  proof: string | undefined
  greeted = false
  beatAt: number | undefined
  readonly #engine: Engine
  readonly #hub: Hub
  /** Bytes that were given to the engine and have not left it: it keeps them apart from the socket's own buffer. */
  #waiting = 0

  constructor(engine: Engine, hub: Hub) {
    this.#engine = engine
    this.#hub = hub
  }

  send(text: string): void {
    if (this.#waiting > this.#hub.config.socketBacklog) {
      this.#hub.dropped += 1
      this.drop()
      return
    }
    this.#waiting += text.length
    this.#engine.send(text, {}, () => {
      this.#waiting -= text.length
    })
  }

  beat(text: string | undefined): void {
    // The engine pings by itself and notices when nobody answers.
    if (text !== undefined) this.send(text)
  }

  move(): void {
    // Not `socket.disconnect()`: after that a Socket.IO client stays away.
    this.#engine.close()
  }

  drop(): void {
    this.#engine.close(true)
  }
}

interface Data {
  guest?: Session
}

type None = Record<string, never>
type Guarded = Socket<None, None, None, Data>

/** Takes the upgrades of its path; others are left to whoever listens for them. */
export function openSocketIo(httpServer: HttpServer, hub: Hub) {
  const io = new Server<None, None, None, Data>(httpServer, {
    allowRequest: (request, decide) => decide(null, !hub.closing && hub.addresses.admit(request)),
    connectTimeout: HELLO_TIME,
    destroyUpgrade: false,
    httpCompression: false,
    maxHttpBufferSize: MESSAGE_LIMIT,
    path: SOCKET_IO_PATH,
    perMessageDeflate: false,
    pingInterval: hub.heartbeat,
    pingTimeout: hub.heartbeat * 0.8,
    serveClient: false,
    transports: ['websocket']
  })
  io.engine.on('connection', limitPackets)
  const asked = new WeakSet<Engine>()
  io.use((socket, next) => {
    // One hello a connection: each further one would be another listener to the same inbox.
    if (asked.has(socket.conn)) return drop(socket.conn)
    asked.add(socket.conn)
    void check(socket, next, hub)
  })
  io.on('connection', socket => admit(socket, hub))
  return io
}

const drop = (engine: Engine): void => {
  engine.close(true)
}

/** Also what never becomes an event: hellos to other namespaces, acknowledgements. */
function limitPackets(engine: Engine): void {
  const budget = new Budget()
  engine.on('message', () => {
    if (budget.take() === 'abuse') drop(engine)
  })
}

async function check(socket: Guarded, next: (error?: Error) => void, hub: Hub): Promise<void> {
  try {
    const { auth, headers } = socket.handshake
    const answer = await receive(hub.environments, auth, headers.origin)
    if (isRefusal(answer)) {
      next(Object.assign(new Error(answer.title), { data: answer }))
      hangUp(socket.conn)
      return
    }
    socket.data.guest = answer
  } catch (error) {
    hub.log.warn({ err: error }, 'could not check the credentials of a socket')
    // Without data: the client may try again.
    next(new Error('The server cannot take this now.'))
    socket.conn.close()
    return
  }
  next()
}

/** The refusal goes first, then the code that says not to come back. */
function hangUp(engine: Engine): void {
  const { socket } = engine.transport as unknown as { socket?: { close(code: number): void } }
  setImmediate(() => {
    if (socket) socket.close(CLOSE_REFUSED)
    else engine.close()
  })
}

function admit(socket: Guarded, hub: Hub): void {
  const connection = new SocketIoConnection(socket.conn, hub)
  const budget = new Budget()
  const audience: Audience = hub.join(connection, socket.data.guest!)
  // The request of the handshake is a seventh of what an idle connection keeps.
  Object.assign(socket.conn, { request: null })
  socket.data = {}
  socket.use(([route, payload], next) => {
    const verdict = budget.take()
    if (verdict === 'abuse') connection.drop()
    else if (verdict === 'ok' && route === 'inbox/sync') hub.sync(connection, audience, payload)
    next()
  })
  socket.on('disconnect', () => hub.leave(connection, audience))
}
