// The plain WebSocket endpoint: one JSON text `{ route, payload }` a frame, for our own clients and for legacy clients.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { WebSocket, WebSocketServer, type RawData } from 'ws'

import { CLOSE_REFUSED } from '#protocol'

import { ignoreError } from '../../core/ignore-error.ts'
import { toLogText } from '../../core/log.ts'
import { readVersions } from '../read-inbox.sql.ts'
import { encode } from './connection.ts'
import { FrameQueue } from './frame-queue.ts'
import {
  checkHandshake,
  isRejection,
  type HandshakeSource,
  type Rejection,
  type Session
} from './handshake.ts'
import { answerLegacyFrame } from './legacy-frames.ts'
import { delayEarlyAnswer } from './legacy-sdk-workarounds.ts'
import { PlainConnection } from './plain-connection.ts'
import type { SocketHub } from './socket-hub.ts'
import { HANDSHAKE_TIMEOUT_MS, MAX_MESSAGE_BYTES, MessageBudget } from './socket-limits.ts'

// Close codes of RFC 6455, section 7.4.1, and the IANA registry.
const CLOSE_UNSUPPORTED_DATA = 1003
const CLOSE_INVALID_DATA = 1007
const CLOSE_POLICY_VIOLATION = 1008
const CLOSE_TRY_LATER = 1013

interface Frame {
  readonly route: string
  readonly payload: unknown
}

function parseFrame(data: RawData): Frame | undefined {
  try {
    const { route, payload } = Object(JSON.parse(String(data))) as Partial<Frame>
    return typeof route === 'string' ? { payload, route } : undefined
  } catch {
    return undefined
  }
}

export interface PlainEndpoint {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, query: URLSearchParams): void
}

export function openPlainEndpoint(hub: SocketHub): PlainEndpoint {
  const server = new WebSocketServer({
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    noServer: true,
    perMessageDeflate: false
  })
  return {
    upgrade(request, socket, head, query) {
      const source = { address: hub.addresses.keyOf(request), origin: request.headers.origin }
      const upgrade = (onOpen: (opened: WebSocket) => void) =>
        server.handleUpgrade(request, socket, head, opened => {
          opened.on('error', ignoreError)
          onOpen(opened)
        })
      if (query.get('kit') === '1') upgrade(opened => awaitHandshake(hub, opened, source))
      else {
        void checkLegacyQuery(hub, source, query).then(result =>
          upgrade(opened => startSession(hub, opened, 'legacy', result))
        )
      }
    }
  }
}

/** Our own clients send the handshake as their first frame, so that no secret is in an address. */
function awaitHandshake(hub: SocketHub, socket: WebSocket, source: HandshakeSource): void {
  const deadline = setTimeout(
    () => socket.close(CLOSE_POLICY_VIOLATION, 'handshake timed out'),
    HANDSHAKE_TIMEOUT_MS
  )
  const stopWaiting = () => clearTimeout(deadline)
  socket.once('close', stopWaiting)
  socket.once('message', (data, isBinary) => {
    stopWaiting()
    socket.off('close', stopWaiting)
    const frame = isBinary ? undefined : parseFrame(data)
    if (frame?.route === 'inbox/hello') void authenticate(hub, socket, frame.payload, source)
    else if (frame?.route === 'sends/hello' && hub.openTail) hub.openTail(socket, frame.payload)
    else socket.close(CLOSE_POLICY_VIOLATION, 'expected a handshake')
  })
}

/**
 * Legacy clients put their handshake into the query. Old ones do not encode the hash.
 *
 * They never say which version they have. So their socket opens after the version of their inbox is read, and they get every
 * notification that is sent after the opening.
 */
function checkLegacyQuery(
  hub: SocketHub,
  source: HandshakeSource,
  query: URLSearchParams
): Promise<HandshakeResult> {
  const handshake = {
    clientId: query.get('envId'),
    userHash: query.get('userIdHash'),
    userId: query.get('userId')
  }
  return tryHandshake(hub, handshake, source, async session => {
    const { buckets, sql } = hub.db.of(session.bucket)
    const [version] = await readVersions(sql, buckets, [session])
    return { ...session, version }
  })
}

async function authenticate(
  hub: SocketHub,
  socket: WebSocket,
  handshake: unknown,
  source: HandshakeSource
): Promise<void> {
  // Frames that arrive before the result stay in the socket.
  socket.pause()
  const result = await tryHandshake(hub, handshake, source)
  socket.resume()
  startSession(hub, socket, 'plain', result)
}

/** Undefined: the client may try again later. */
type HandshakeResult = Session | Rejection | undefined

async function tryHandshake(
  hub: SocketHub,
  handshake: unknown,
  source: HandshakeSource,
  complete: (session: Session) => Session | Promise<Session> = session => session
): Promise<HandshakeResult> {
  try {
    const result = await checkHandshake(hub, handshake, source)
    return result === undefined || isRejection(result) ? result : await complete(result)
  } catch (error) {
    hub.logHandshakeError(error)
    return undefined
  }
}

function startSession(
  hub: SocketHub,
  socket: WebSocket,
  kind: 'plain' | 'legacy',
  result: HandshakeResult
): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (result === undefined) socket.close(CLOSE_TRY_LATER)
  else if (isRejection(result)) {
    const text = kind === 'plain' ? encode(kind, 'inbox/refused', result) : undefined
    if (text !== undefined) socket.send(text)
    socket.close(CLOSE_REFUSED, result.title)
  } else openConnection(hub, socket, kind, result)
}

/** Handles a frame. @returns false to close the connection */
type FrameHandler = (frame: Frame) => boolean

function openConnection(hub: SocketHub, socket: WebSocket, kind: 'plain' | 'legacy', session: Session): void {
  const connection = new PlainConnection(kind, socket, hub, session)
  const { close, sync } = hub.open(connection, session)
  socket.once('close', close)
  const handle = kind === 'plain' ? syncHandler(sync) : legacyHandler(hub, connection, session)
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : parseFrame(data)
    if (!frame) socket.close(isBinary ? CLOSE_UNSUPPORTED_DATA : CLOSE_INVALID_DATA)
    else if (!handle(frame)) socket.close(CLOSE_POLICY_VIOLATION, 'too many messages')
  })
}

/** Frames above the rate limit are ignored, because our own clients repeat them. */
function syncHandler(sync: (payload: unknown) => void): FrameHandler {
  const budget = new MessageBudget()
  return ({ payload, route }) => {
    const verdict = budget.tryTake()
    if (verdict === 'ok' && route === 'inbox/sync') sync(payload)
    return verdict !== 'abuse'
  }
}

function legacyHandler(hub: SocketHub, connection: PlainConnection, session: Session): FrameHandler {
  const queue = new FrameQueue()
  return frame => queue.add(() => answerFrame(hub, connection, session, frame))
}

async function answerFrame(
  hub: SocketHub,
  connection: PlainConnection,
  session: Session,
  { route, payload }: Frame
): Promise<void> {
  try {
    await delayEarlyAnswer(route, connection.openedAt)
    const answer = await answerLegacyFrame(hub, session, route, payload)
    if (answer) connection.send(JSON.stringify(answer))
  } catch (error) {
    hub.log.warn(
      { event: 'frame_failed', err: error, route: toLogText(route) },
      'could not answer a frame of a legacy client'
    )
  }
}
