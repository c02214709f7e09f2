// The port: taken before anything else is started, so that a busy one is known at once, and let go last.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'

import { StartupError } from '../core/startup-error.ts'
import { openServer } from '../http/http-server.ts'
import { openStartupQueue } from './startup-queue.ts'

export interface Listener {
  /** Listens nowhere itself: hears of requests and upgrades as soon as somebody serves them. */
  readonly server: Server
  /** Where this very process is reached from the same machine. */
  readonly base: string
  /** From now on requests go there, and upgrades to those who listen for them. */
  serve(listener: RequestListener): void
  /** From now on readiness says no; requests are answered as before, since those who come have not heard yet. */
  drain(): void
  readonly draining: () => boolean
  /**
   * Refuses new connections, and asks with every answer to connect anew, elsewhere. Waits for requests under way, at most
   * so many milliseconds.
   */
  close(within: number): Promise<void>
}

/**
 * Milliseconds for which a line without a request is still answered. A balancer keeps lines, and may be writing to one
 * at the moment when it is closed: a request that is lost that way may not be repeated by it.
 */
const LINGER = 500

/** Milliseconds between two looks for idle lines. */
const SWEEP = 50

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be used by this user',
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine'
}

/**
 * @param prepare - for the server that listens, before it does
 * @throws {@link StartupError}
 */
export async function openListener(
  host: string,
  port: number,
  prepare: (server: TcpServer) => void = () => {}
): Promise<Listener> {
  let serve: RequestListener
  // The first to listen: whoever else listens for requests passes on what it leaves.
  const inside = createServer((request, response) => serve(request, response))
  const starting = openStartupQueue(inside)
  let draining = false
  let closing = false
  const server = openServer((request, response) => {
    if (closing) response.setHeader('connection', 'close')
    starting.request(request, response)
  })
  server.on('upgrade', starting.upgrade)
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Opened ahead of need, as browsers do: Node waits for their first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  prepare(server)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const place = code === 'EADDRINUSE' || code === 'EACCES' ? `Port ${port} on ${host}` : host
    throw new StartupError(`${place} ${REASONS[code] ?? message}. Set PORT or HOST to others.`)
  }
  const taken = (server.address() as AddressInfo).port
  return {
    base: `http://${reachable(host)}:${taken}`,
    async close(within) {
      draining = closing = true
      starting.refuse()
      const closed = once(server, 'close')
      // Not the one of HTTP, which closes idle lines at once.
      TcpServer.prototype.close.call(server)
      const lingering = performance.now() + LINGER
      const sweep = setInterval(() => {
        // After the events of this turn, so that what has arrived is read.
        if (performance.now() > lingering) setImmediate(closeIdle)
      }, SWEEP)
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, within)
      await closed
      clearInterval(sweep)
      clearTimeout(late)
    },
    drain: () => void (draining = true),
    draining: () => draining,
    serve(listener) {
      serve = listener
      starting.open()
    },
    server: inside
  }
}

/** A wildcard is no address to go to. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
