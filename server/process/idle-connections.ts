// Closes idle connections early when few connections are left, so that they take no place from clients with requests.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection may be idle while few are left. Otherwise the keep-alive time of http/http-server.ts counts. */
const MAX_IDLE_MS = 1_000

const SWEEP_INTERVAL_MS = 500

interface Activity {
  requestCount: number
  /** Of the last answer, or of the opening; on the clock of `performance.now()`. */
  endedAt: number
}

/** Connections without a request in progress. Sockets of live updates are none. */
class IdleConnections {
  readonly #activities = new Map<Socket, Activity>()

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#activities.set(socket, { endedAt: performance.now(), requestCount: 0 })
      socket.once('close', () => this.#activities.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      const activity = this.#activities.get(socket)
      if (!activity) return
      activity.requestCount += 1
      response.once('close', () => {
        activity.requestCount -= 1
        activity.endedAt = performance.now()
      })
    })
    server.on('upgrade', (_request, socket) => this.#activities.delete(socket as Socket))
  }

  closeOlderThan(ms: number, isExempt: (socket: Socket) => boolean): void {
    const before = performance.now() - ms
    for (const [socket, { endedAt, requestCount }] of this.#activities) {
      if (requestCount === 0 && endedAt < before && !isExempt(socket)) socket.destroy()
    }
  }
}

/** @param isExempt - for trusted proxies, which may just be writing a request that they may not repeat */
export function closeIdleWhen(
  isNearlyFull: () => boolean,
  isExempt: (socket: Socket) => boolean,
  server: Server
): void {
  const idle = new IdleConnections(server)
  const sweep = setInterval(() => {
    if (isNearlyFull()) idle.closeOlderThan(MAX_IDLE_MS, isExempt)
  }, SWEEP_INTERVAL_MS)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}
