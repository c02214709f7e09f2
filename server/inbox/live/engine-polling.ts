// The polling transport of Engine.IO, with which default Socket.IO clients begin. A session belongs to one node. It counts like a
// socket, until it ends; its answers have the limits of other answers.

import { ServerResponse, type IncomingMessage } from 'node:http'

import type { Server, Socket } from 'socket.io'

import { limitReader, READER_TIMEOUT_MS } from '../../http/write-response.ts'
import type { SocketHub } from './socket-hub.ts'
import { CountPerKey } from './socket-limits.ts'

type Engine = Socket['conn']

/** Sessions of one user that have not changed to a WebSocket. */
export const MAX_POLLING_SESSIONS_PER_USER = 20

/** How long a session that is closed waits for the next request of its client, to tell it. The engine's default is 30 s. */
const CLOSE_TIMEOUT_MS = 2_000

export interface EnginePolling {
  /** Counts a new session. @returns false if its address is at its limit */
  admit(request: IncomingMessage): boolean
  /** The address of a session; its first connection may be closed already. See `addressKey`. */
  addressOf(engine: Engine): string
  /** Counts a polling session for its user. @returns false if the user is at the limit */
  admitUser(engine: Engine, userKey: string): boolean
}

export function watchPolling(server: Server['engine'], { addresses, unsent }: SocketHub): EnginePolling {
  const responses = new WeakMap<IncomingMessage, ServerResponse>()
  /** Sessions that are admitted and not created yet. */
  const admitted = new WeakMap<IncomingMessage, () => void>()
  const addressOf = new WeakMap<Engine, string>()
  const sessionsOfUser = new CountPerKey(MAX_POLLING_SESSIONS_PER_USER)

  server.use((request: IncomingMessage, response: unknown, next: () => void) => {
    // An upgrade has another object.
    if (response instanceof ServerResponse) responses.set(request, response)
    next()
  })
  server.on('connection', (engine: Engine) => {
    const { request } = engine
    addressOf.set(engine, addresses.keyOf(request))
    const release = admitted.get(request)
    if (!release) return
    admitted.delete(request)
    engine.once('close', release)
    Object.assign(engine.transport, { closeTimeout: CLOSE_TIMEOUT_MS })
  })
  server.on('headers', (_headers: unknown, request: IncomingMessage) => {
    const response = responses.get(request)
    if (!response) return
    const limits = { client: addresses.keyOf(request), timeoutMs: READER_TIMEOUT_MS, unsent }
    // After the body was written.
    setImmediate(() => limitReader(response, limits))
  })

  return {
    addressOf: engine => addressOf.get(engine) ?? '',
    admit(request) {
      const response = responses.get(request)
      if (!response) return addresses.admit(request)
      const release = addresses.take(addresses.keyOf(request))
      if (!release) return false
      admitted.set(request, release)
      // No session was created, for example because of an old protocol.
      response.once('close', () => {
        if (admitted.delete(request)) release()
      })
      return true
    },
    admitUser(engine, userKey) {
      if (engine.transport.name !== 'polling') return true
      const release = sessionsOfUser.take(userKey)
      if (!release) return false
      engine.once('upgrade', release)
      engine.once('close', release)
      return true
    }
  }
}
