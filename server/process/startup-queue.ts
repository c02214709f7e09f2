// What is answered before there is anything to answer from: requests and sockets wait a moment for the start, probes do not.
//
// Sockets are held and not refused: whoever is refused comes back seconds later, whoever is held is let in at once.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { Problem } from '../http/problem.ts'
import { refuseUpgrade } from '../http/refuse-upgrade.ts'
import { writeProblem } from '../http/write-response.ts'

/** Milliseconds. A start with a database at hand takes less, so a node that is replaced refuses nobody. */
const PATIENCE = 10_000

/** Requests and sockets that wait at most; bodies are not read yet. */
const WAITING = 1000

/** Below whatever path a proxy leaves on. */
const isProbe = ({ url = '' }: IncomingMessage, name: string): boolean => url.endsWith(`/${name}`)

/** What to do with one who waits, and its end. */
interface Visitor {
  readonly line: ServerResponse | Duplex
  enter(): void
  refuse(): void
}

export interface StartupQueue {
  request(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Everyone goes inside now: those who wait, and whoever comes later. */
  open(): void
  /** It came to nothing: whoever waits is told to come again. */
  refuse(): void
}

/** @param inside - hears all that comes, once it is open; it need not listen anywhere */
export function openStartupQueue(inside: Server, patience = PATIENCE): StartupQueue {
  const waiting = new Map<Visitor, NodeJS.Timeout>()
  let isOpen = false

  const forget = (visitor: Visitor): void => {
    clearTimeout(waiting.get(visitor))
    waiting.delete(visitor)
  }
  const receive = (visitor: Visitor): void => {
    if (isOpen) visitor.enter()
    else if (waiting.size >= WAITING) visitor.refuse()
    else {
      const tooLong = (): void => {
        forget(visitor)
        visitor.refuse()
      }
      waiting.set(visitor, setTimeout(tooLong, patience))
      visitor.line.once('close', () => forget(visitor))
    }
  }
  const dismiss = (how: (visitor: Visitor) => void): void => {
    for (const visitor of waiting.keys()) {
      forget(visitor)
      how(visitor)
    }
  }

  return {
    open() {
      isOpen = true
      dismiss(visitor => visitor.enter())
    },
    refuse: () => dismiss(visitor => visitor.refuse()),
    request(request, response) {
      const visitor: Visitor = {
        enter: () => inside.emit('request', request, response),
        line: response,
        refuse() {
          const problem = new Problem('unavailable', 'The server is starting.', {
            headers: { 'retry-after': '1' }
          })
          writeProblem(response, problem, request.url ?? '/', {})
        }
      }
      if (isOpen) visitor.enter()
      else if (isProbe(request, 'healthz')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
      } else if (isProbe(request, 'readyz')) {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
        response.end('{"serving":"starting","status":"not ready"}')
      } else receive(visitor)
    },
    upgrade(request, socket, head) {
      // Who waits may leave at any time.
      socket.on('error', () => {})
      receive({
        enter() {
          // A node without pages has no sockets.
          if (!inside.emit('upgrade', request, socket, head)) socket.destroy()
        },
        line: socket,
        refuse: () => refuseUpgrade(socket, '503 Service Unavailable', 1)
      })
    }
  }
}
