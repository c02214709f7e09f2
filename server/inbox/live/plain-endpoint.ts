// The plain endpoint: one JSON text `{ route, payload }` a frame, for our own clients and for existing ones.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { WebSocket, WebSocketServer, type RawData } from 'ws'

import { CLOSE_REFUSED } from '#protocol'

import { readVersions } from '../read-inbox.sql.ts'
import type { Audience } from './connection-registry.ts'
import { encode } from './connection.ts'
import { FrameQueue } from './frame-queue.ts'
import { isRefusal, receive, type Session, type Refusal } from './handshake.ts'
import { answerVendor } from './legacy-frames.ts'
import { untilTheyListen } from './legacy-sdk-workarounds.ts'
import { PlainConnection } from './plain-connection.ts'
import type { Hub } from './socket-hub.ts'
import { Budget, HELLO_TIME, MESSAGE_LIMIT } from './socket-limits.ts'

/** Close codes of RFC 6455. */
const POLICY = 1008
const LATER = 1013
const NOT_JSON = 1007
const BINARY = 1003

interface Frame {
  readonly route: string
  readonly payload: unknown
}

function toFrame(data: RawData): Frame | undefined {
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

export function openPlain(hub: Hub): PlainEndpoint {
  const server = new WebSocketServer({
    clientTracking: false,
    maxPayload: MESSAGE_LIMIT,
    noServer: true,
    perMessageDeflate: false
  })
  return {
    upgrade(request, socket, head, query) {
      const { origin } = request.headers
      const open = (greet: (opened: WebSocket) => void) =>
        server.handleUpgrade(request, socket, head, opened => {
          opened.on('error', () => {})
          greet(opened)
        })
      if (query.get('kit') === '1') open(opened => greetOwn(hub, opened, origin))
      else
        void askVendor(hub, origin, query).then(answer =>
          open(opened => enter(hub, opened, 'vendor', answer))
        )
    }
  }
}

/** Our own clients say hello in their first frame, so that nothing secret stands in an address. */
function greetOwn(hub: Hub, socket: WebSocket, origin: string | undefined): void {
  const deadline = setTimeout(() => socket.close(POLICY, 'no hello'), HELLO_TIME)
  socket.once('close', () => clearTimeout(deadline))
  socket.once('message', (data, isBinary) => {
    clearTimeout(deadline)
    const frame = isBinary ? undefined : toFrame(data)
    if (frame?.route === 'inbox/hello') void letIn(hub, socket, frame.payload, origin)
    else socket.close(POLICY, 'expected a hello')
  })
}

/**
 * Existing clients cannot send a frame of ours: they stand in the query. Old ones did not encode the hash.
 *
 * They never say what they know, so their socket opens only once it is known where their inbox stands: whatever is sent
 * after that, they hear.
 */
function askVendor(hub: Hub, origin: string | undefined, query: URLSearchParams): Promise<Answer> {
  const hello = {
    clientId: query.get('envId'),
    userHash: query.get('userIdHash'),
    userId: query.get('userId')
  }
  return ask(hub, hello, origin, async guest => {
    const { buckets, sql } = hub.db.of(guest.bucket)
    const [version] = await readVersions(sql, buckets, [guest])
    return { ...guest, version }
  })
}

async function letIn(hub: Hub, socket: WebSocket, hello: unknown, origin: string | undefined): Promise<void> {
  // Frames that come before the answer wait in the socket.
  socket.pause()
  const answer = await ask(hub, hello, origin)
  socket.resume()
  enter(hub, socket, 'plain', answer)
}

/** Undefined: nothing is known about the credentials. */
type Answer = Session | Refusal | undefined

async function ask(
  hub: Hub,
  hello: unknown,
  origin: string | undefined,
  place: (guest: Session) => Session | Promise<Session> = guest => guest
): Promise<Answer> {
  try {
    const answer = await receive(hub.environments, hello, origin)
    return isRefusal(answer) ? answer : await place(answer)
  } catch (error) {
    hub.log.warn({ err: error }, 'could not check the credentials of a socket')
    return undefined
  }
}

function enter(hub: Hub, socket: WebSocket, kind: 'plain' | 'vendor', answer: Answer): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (answer === undefined) socket.close(LATER)
  else if (isRefusal(answer)) {
    const text = kind === 'plain' ? encode(kind, 'inbox/refused', answer) : undefined
    if (text !== undefined) socket.send(text)
    socket.close(CLOSE_REFUSED, answer.title)
  } else listen(hub, socket, kind, answer)
}

function listen(hub: Hub, socket: WebSocket, kind: 'plain' | 'vendor', guest: Session): void {
  const connection = new PlainConnection(kind, socket, hub)
  const audience: Audience = hub.join(connection, guest)
  socket.once('close', () => hub.leave(connection, audience))
  const heed = kind === 'plain' ? syncs(hub, connection, audience) : answers(hub, connection, guest)
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : toFrame(data)
    if (!frame) socket.close(isBinary ? BINARY : NOT_JSON)
    else if (!heed(frame)) socket.close(POLICY, 'too many messages')
  })
}

/** What is done about a frame; false: hang up. */
type Heed = (frame: Frame) => boolean

/** Our own clients ask again: what comes too early is left alone. */
function syncs(hub: Hub, connection: PlainConnection, audience: Audience): Heed {
  const budget = new Budget()
  return ({ payload, route }) => {
    const verdict = budget.take()
    if (verdict === 'ok' && route === 'inbox/sync') hub.sync(connection, audience, payload)
    return verdict !== 'abuse'
  }
}

function answers(hub: Hub, connection: PlainConnection, guest: Session): Heed {
  const turns = new FrameQueue()
  return frame => turns.take(() => answer(hub, connection, guest, frame))
}

async function answer(
  hub: Hub,
  connection: PlainConnection,
  guest: Session,
  { route, payload }: Frame
): Promise<void> {
  try {
    await untilTheyListen(route, connection.openedAt)
    const said = await answerVendor(hub, guest, route, payload)
    if (said) connection.send(JSON.stringify(said))
  } catch (error) {
    hub.log.warn({ err: error, route }, 'could not answer a frame')
  }
}
