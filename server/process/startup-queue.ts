// The startup queue: holds requests and sockets until the start is complete, and answers probes immediately.
//
// Sockets wait instead of being refused, because a refused client reconnects only seconds later.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { ignoreError } from '../core/ignore-error.ts'
import { Problem } from '../http/problem.ts'
import { refuseUpgrade } from '../http/refuse-upgrade.ts'
import { writeProblem } from '../http/write-response.ts'

/** A start takes less if its database is up, so replacing a node refuses no request. */
const STARTUP_QUEUE_TIMEOUT_MS = 10_000

/** Waiting requests and sockets hold connections, but no bodies. */
const MAX_WAITING = 1000

/** Ignores the path prefix that a proxy may leave in the address. */
const isProbe = ({ url = '' }: IncomingMessage, name: string): boolean => url.endsWith(`/${name}`)

interface WaitingClient {
  readonly stream: ServerResponse | Duplex
  admit(): void
  refuse(): void
}

export interface StartupQueue {
  request(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Admits all waiting clients, and new ones from now on. */
  open(): void
  /** Answers all waiting clients with 503, because the start failed or was abandoned. */
  refuse(): void
}

/** @param inner - emits the admitted requests and upgrades */
export function openStartupQueue(inner: Server, timeoutMs = STARTUP_QUEUE_TIMEOUT_MS): StartupQueue {
  const waiting = new Map<WaitingClient, NodeJS.Timeout>()
  let isOpen = false

  const remove = (client: WaitingClient): void => {
    clearTimeout(waiting.get(client))
    waiting.delete(client)
  }
  const enqueue = (client: WaitingClient): void => {
    if (isOpen) client.admit()
    else if (waiting.size >= MAX_WAITING) client.refuse()
    else {
      const onTimeout = (): void => {
        remove(client)
        client.refuse()
      }
      waiting.set(client, setTimeout(onTimeout, timeoutMs))
      client.stream.once('close', () => remove(client))
    }
  }
  const clear = (end: 'admit' | 'refuse'): void => {
    for (const client of waiting.keys()) {
      remove(client)
      client[end]()
    }
  }

  return {
    open() {
      isOpen = true
      clear('admit')
    },
    refuse: () => clear('refuse'),
    request(request, response) {
      const client: WaitingClient = {
        admit: () => inner.emit('request', request, response),
        refuse() {
          const problem = new Problem('unavailable', 'The server is starting. Retry in a second.', {
            headers: { 'retry-after': '1' }
          })
          writeProblem(response, problem, request.url ?? '/', {})
        },
        stream: response
      }
      if (isOpen) client.admit()
      else if (isProbe(request, 'healthz')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
      } else if (isProbe(request, 'readyz')) {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
        response.end('{"serving":"starting","status":"not ready"}')
      } else enqueue(client)
    },
    upgrade(request, socket, head) {
      // A waiting client may disconnect at any time.
      socket.on('error', ignoreError)
      enqueue({
        admit() {
          // A worker has no sockets.
          if (!inner.emit('upgrade', request, socket, head)) socket.destroy()
        },
        refuse: () => refuseUpgrade(socket, '503 Service Unavailable', 1),
        stream: socket
      })
    }
  }
}
