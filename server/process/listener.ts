// The listener: owns the port. It opens before everything else, so that a busy port is found at once, and closes last. In a process whose
// siblings serve the port already, it opens at the end of the start, so that no client waits for it.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'

import { StartupError } from '../core/startup-error.ts'
import { createHttpServer } from '../http/http-server.ts'
import { openStartupQueue } from './startup-queue.ts'

export interface Listener {
  /** Emits the requests and upgrades that the listener lets through; it has no port of its own. */
  readonly server: Server
  /** Address of this process for clients on the same machine. */
  readonly base: string
  /** Ends the start: passes waiting and new requests to the handler, and upgrades to {@link server}. */
  serve(handleRequest: RequestListener): Promise<void>
  /** Makes `/readyz` answer 503. Requests are still served, because load balancers notice that only at their next check. */
  drain(): void
  readonly draining: () => boolean
  /**
   * Refuses new connections, and closes each connection after its next answer. Waits for requests in progress, and then destroys
   * their connections.
   */
  close(withinMs: number): Promise<void>
}

/**
 * How long idle connections stay open after `close`. A load balancer keeps connections open and may just be writing to one. It
 * may not repeat a request that is lost because the connection closes.
 */
const LINGER_MS = 500

const IDLE_SWEEP_INTERVAL_MS = 50

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be used by this user',
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine'
}

/**
 * @param prepare - called with the server before it listens
 * @param siblingBase - address at which siblings serve the port already: this process then listens at {@link Listener.serve}
 * @throws StartupError if the address cannot be used
 */
export async function openListener(
  host: string,
  port: number,
  prepare: (server: Server) => void = () => {},
  siblingBase?: string
): Promise<Listener> {
  let handleRequest: RequestListener
  const inner = createServer((request, response) => handleRequest(request, response))
  const startupQueue = openStartupQueue(inner)
  let isDraining = false
  let isClosing = false
  const server = createHttpServer((request, response) => {
    if (isClosing) response.setHeader('connection', 'close')
    startupQueue.request(request, response)
  })
  server.on('upgrade', startupQueue.upgrade)
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Browsers open connections in advance, and Node does not count them as idle before their first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  prepare(server)
  if (siblingBase === undefined) await listen(server, host, port)
  return {
    base: siblingBase ?? `http://${localAddress(host)}:${(server.address() as AddressInfo).port}`,
    async close(withinMs) {
      isDraining = isClosing = true
      startupQueue.refuse()
      const closed = once(server, 'close')
      // Not the method of the HTTP server, which closes idle connections at once.
      TcpServer.prototype.close.call(server)
      const lingerUntil = performance.now() + LINGER_MS
      const sweep = setInterval(() => {
        // After the events of this turn, so that requests that have arrived are read first.
        if (performance.now() > lingerUntil) setImmediate(closeIdle)
      }, IDLE_SWEEP_INTERVAL_MS)
      const timeout = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, withinMs)
      await closed
      clearInterval(sweep)
      clearTimeout(timeout)
    },
    drain: () => void (isDraining = true),
    draining: () => isDraining,
    async serve(handler) {
      handleRequest = handler
      startupQueue.open()
      if (siblingBase !== undefined) await listen(server, host, port)
    },
    server: inner
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const [setting, address] =
      code === 'EADDRINUSE' || code === 'EACCES' ? ['PORT', `port ${port} on ${host}`] : ['HOST', host]
    throw new StartupError(
      `${setting}: ${address} ${REASONS[code] ?? message}. Set PORT or HOST to another value.`
    )
  }
}

/** The address to connect to: clients cannot connect to a wildcard. */
const localAddress = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
