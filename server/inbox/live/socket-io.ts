// The Socket.IO endpoint: WebSocket or polling, one namespace, the handshake in `auth`, one event for each route.

import type { Server as HttpServer } from 'node:http'

import { Server, type Socket } from 'socket.io'

import { CLOSE_REFUSED } from '#protocol'

import { userKeyText } from '../../core/id.ts'
import type { Connection } from './connection.ts'
import { watchPolling, type EnginePolling } from './engine-polling.ts'
import { checkHandshake, isRejection, type Session } from './handshake.ts'
import type { SocketHub } from './socket-hub.ts'
import { HANDSHAKE_TIMEOUT_MS, MAX_MESSAGE_BYTES, MessageBudget } from './socket-limits.ts'

export const SOCKET_IO_PATH = '/socket.io/'

type Engine = Socket['conn']

class SocketIoConnection implements Connection {
  readonly kind = 'socket-io'
  version: number | undefined
  credential: string | undefined
  isReady = false
  nextHeartbeatAt: number | undefined
  readonly #engine: Engine
  readonly #hub: SocketHub
  /** The client in `UnsentBytes.hold`. */
  readonly #client: string
  /** The engine has its own buffer in front of the socket's. */
  #bufferedBytes = 0
  /** Release the frames in that buffer; a closed engine does not report that they were sent. */
  readonly #held = new Set<() => void>()

  constructor(engine: Engine, hub: SocketHub, session: Session) {
    this.#engine = engine
    this.#hub = hub
    this.#client = userKeyText(session)
    engine.once('close', () => this.#held.forEach(release => release()))
  }

  send(text: string): void {
    if (this.#bufferedBytes > this.#hub.limits.backlogBytes) return this.#drop()
    // Nothing waits in front of most frames, so they leave at once.
    const release = this.#bufferedBytes > 0 ? this.#hold(text.length) : undefined
    this.#bufferedBytes += text.length
    this.#engine.send(text, {}, () => {
      this.#bufferedBytes -= text.length
      release?.()
    })
  }

  #hold(bytes: number): () => void {
    const release = this.#hub.unsent.hold(this.#client, bytes, () => this.#drop())
    this.#held.add(release)
    return () => {
      this.#held.delete(release)
      release()
    }
  }

  #drop(): void {
    this.#hub.droppedCount += 1
    this.terminate()
  }

  sendHeartbeat(text: string | undefined): void {
    // The engine sends pings itself and closes connections that do not answer.
    if (text !== undefined) this.send(text)
  }

  requestReconnect(): void {
    // After `socket.disconnect()`, a Socket.IO client does not reconnect.
    this.#engine.close()
  }

  terminate(): void {
    this.#engine.close(true)
  }
}

interface Data {
  session?: Session
}

type None = Record<string, never>
type SessionSocket = Socket<None, None, None, Data>

/** Handles the upgrades of its path; other listeners handle the rest. */
export function openSocketIoEndpoint(httpServer: HttpServer, hub: SocketHub) {
  const io = new Server<None, None, None, Data>(httpServer, {
    allowRequest: (request, decide) => decide(null, !hub.isClosing && polling.admit(request)),
    connectTimeout: HANDSHAKE_TIMEOUT_MS,
    // Credentials come in the handshake, which checks the origin: no answer before it tells anything.
    cors: { origin: '*' },
    destroyUpgrade: false,
    httpCompression: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    path: SOCKET_IO_PATH,
    perMessageDeflate: false,
    pingInterval: hub.heartbeatMs,
    pingTimeout: hub.heartbeatMs * 0.8,
    serveClient: false,
    transports: ['polling', 'websocket']
  })
  const polling = watchPolling(io.engine, hub)
  io.engine.on('connection', limitPackets)
  const checked = new WeakSet<Engine>()
  io.use((socket, next) => {
    // One handshake a connection: a second one would register the same connection twice.
    if (checked.has(socket.conn)) return terminate(socket.conn)
    checked.add(socket.conn)
    void authenticate(socket, next, hub, polling)
  })
  io.on('connection', socket => openConnection(socket, hub))
  return io
}

const terminate = (engine: Engine): void => {
  engine.close(true)
}

/** Counts all packets, also those that never become an event, such as handshakes of other namespaces. */
function limitPackets(engine: Engine): void {
  const budget = new MessageBudget()
  engine.on('message', () => {
    if (budget.tryTake() === 'abuse') terminate(engine)
  })
}

async function authenticate(
  socket: SessionSocket,
  next: (error?: Error) => void,
  hub: SocketHub,
  polling: EnginePolling
): Promise<void> {
  try {
    const { auth, headers } = socket.handshake
    const source = { address: polling.addressOf(socket.conn), origin: headers.origin }
    const result = await checkHandshake(hub, auth, source)
    if (result === undefined)
      return refuseForNow(socket, next, 'Too many wrong credentials. Try again later.')
    if (isRejection(result)) {
      next(Object.assign(new Error(result.title), { data: result }))
      closeRefused(socket.conn)
      return
    }
    if (!polling.admitUser(socket.conn, userKeyText(result))) {
      return refuseForNow(socket, next, 'This user has too many polling sessions. Try again later.')
    }
    socket.data.session = result
  } catch (error) {
    hub.logHandshakeError(error)
    return refuseForNow(socket, next, 'The credentials could not be checked. Try again.')
  }
  next()
}

/** Sends an error without data: the client may try again. */
function refuseForNow(socket: SessionSocket, next: (error: Error) => void, message: string): void {
  next(new Error(message))
  // After the error was sent.
  setImmediate(() => socket.conn.close())
}

/** Closes after the rejection was sent, with the code that makes the client not reconnect. */
function closeRefused(engine: Engine): void {
  const { socket } = engine.transport as unknown as { socket?: { close(code: number): void } }
  setImmediate(() => {
    if (socket) socket.close(CLOSE_REFUSED)
    else engine.close()
  })
}

function openConnection(socket: SessionSocket, hub: SocketHub): void {
  const session = socket.data.session!
  const connection = new SocketIoConnection(socket.conn, hub, session)
  const budget = new MessageBudget()
  const { close, sync } = hub.open(connection, session)
  // Releases the handshake's request, which is a large part of the memory of an idle connection.
  Object.assign(socket.conn, { request: null })
  socket.data = {}
  socket.use(([route, payload], next) => {
    const verdict = budget.tryTake()
    if (verdict === 'abuse') connection.terminate()
    else if (verdict === 'ok' && route === 'inbox/sync') sync(payload)
    next()
  })
  socket.on('disconnect', close)
}
