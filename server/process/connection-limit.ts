// The connection limit: closes client connections beyond the number that the process has descriptors for, and logs it.
//
// Without a limit, libuv accepts and closes connections silently when descriptors run out, and the process can connect
// neither to its database nor to a provider.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'

import type { Log } from '../core/log.ts'

const LOG_INTERVAL_MS = 60_000

/** The soft limit of descriptors, which Node raises to the hard limit at start. Infinity if the system does not tell it. */
function readDescriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

/**
 * Computes how many client connections fit: all descriptors but the reserved ones, and at least half of all.
 *
 * @param descriptors - of the process
 * @param reserved - of them, for everything but clients
 */
export const clientConnections = (descriptors: number, reserved: number): number =>
  Math.max(descriptors - reserved, Math.floor(descriptors / 2))

export interface ConnectionLimit {
  /** 0: as many as there are descriptors for. */
  readonly max: number
  /** Descriptors for everything but clients, such as the database and providers. */
  readonly reserved: number
}

export function limitConnections(server: Server, { max, reserved }: ConnectionLimit, log: Log): void {
  const connectionLimit = max || clientConnections(readDescriptorLimit(), reserved)
  server.maxConnections = connectionLimit
  let loggedAt = -Infinity
  server.on('drop', () => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.error(
      { connectionLimit, event: 'connections_refused' },
      'connection limit reached, new connections are closed; raise NOTIF_CONNECTIONS_LIMIT or ulimit -n'
    )
  })
}
