// How many connections of clients there is room for. Beyond it they are closed, and the log says so.
//
// Without a limit of our own it is that of the process: libuv then takes connections and closes them without a word to
// anybody, and neither the database nor a provider can be dialled.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'

import type { Log } from '../core/log.ts'

/** Milliseconds between two lines in the log. */
const EVERY = 60_000

/** Of this process; any number where the system does not say. Node has raised it to what it may have at most. */
function descriptors(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

/**
 * Pure.
 *
 * @param all - descriptors of the process
 * @param own - of them for all that is no client
 */
export const roomIn = (all: number, own: number): number => Math.max(all - own, Math.floor(all / 2))

export interface ConnectionLimit {
  /** 0: as many as there is room for. */
  readonly most: number
  /** Descriptors for all that is no client: the database and providers. */
  readonly own: number
}

export function limitConnections(server: Server, { most, own }: ConnectionLimit, log: Log): void {
  server.maxConnections = most || roomIn(descriptors(), own)
  let saidAt = -Infinity
  server.on('drop', () => {
    if (performance.now() - saidAt < EVERY) return
    saidAt = performance.now()
    const open = server.maxConnections
    log.error(
      { open },
      'Connections are refused: NOTIF_CONNECTIONS_LIMIT, or ulimit -n, has no room for more'
    )
  })
}
