// The connection limits: closes client connections beyond the number that the process has descriptors for, and beyond the share of
// one address, and logs it.
//
// Without a limit, libuv accepts and closes connections silently when descriptors run out, and the process can connect
// neither to its database nor to a provider.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'

import { isInCidrList } from '../core/cidr.ts'
import type { Log } from '../core/log.ts'
import { addressKey, socketAddress } from '../http/client-address.ts'
import { closeIdleWhen } from './idle-connections.ts'

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

/** One address gets at most this part of all connections, so that it cannot take all of them. */
const MAX_SHARE_OF_ADDRESS = 0.5

/** Connections of one address: as many as a busy back end opens, and more than its sockets of live updates. */
const MIN_CONNECTIONS_PER_ADDRESS = 1000
const CONNECTIONS_PER_SOCKET = 2

/** @param socketsPerAddress - NOTIF_SOCKETS_PER_ADDRESS */
export const connectionsPerAddress = (socketsPerAddress: number): number =>
  Math.max(MIN_CONNECTIONS_PER_ADDRESS, CONNECTIONS_PER_SOCKET * socketsPerAddress)

/** From this part of all connections on, idle ones are closed early. */
const NEARLY_FULL = 0.8

export interface ConnectionLimit {
  /** 0: as many as there are descriptors for. */
  readonly max: number
  /** Of one address that is no trusted proxy. */
  readonly perAddress: number
  /** Descriptors for everything but clients, such as the database and providers. */
  readonly reserved: number
  readonly trustedProxies: BlockList
}

export function limitConnections(
  server: Server,
  { max, perAddress, reserved, trustedProxies }: ConnectionLimit,
  log: Log
): void {
  const connectionLimit = max || clientConnections(readDescriptorLimit(), reserved)
  const addressLimit = Math.max(1, Math.min(perAddress, Math.floor(connectionLimit * MAX_SHARE_OF_ADDRESS)))
  const isProxy = (socket: Socket): boolean => isInCidrList(trustedProxies, socketAddress(socket))

  server.maxConnections = connectionLimit
  const logFull = oncePerInterval(() =>
    log.error(
      { connectionLimit, event: 'connections_refused' },
      'connection limit reached, new connections are closed; raise NOTIF_CONNECTIONS_LIMIT or ulimit -n'
    )
  )
  server.on('drop', logFull)

  const logAddress = oncePerInterval((address: string) =>
    log.warn(
      { address, addressLimit, event: 'address_refused' },
      'connection limit of one address reached, its new connections are closed; if it is a proxy, add it to NOTIF_TRUSTED_PROXIES, otherwise raise NOTIF_SOCKETS_PER_ADDRESS or ulimit -n'
    )
  )
  const counts = new Map<string, number>()
  let openCount = 0
  server.on('connection', (socket: Socket) => {
    openCount += 1
    socket.once('close', () => (openCount -= 1))
    if (isProxy(socket)) return
    const address = socketAddress(socket)
    const key = addressKey(address)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    socket.once('close', () => {
      const remaining = counts.get(key)! - 1
      if (remaining > 0) counts.set(key, remaining)
      else counts.delete(key)
    })
    if (count <= addressLimit) return
    socket.destroy()
    logAddress(address)
  })
  closeIdleWhen(() => openCount >= connectionLimit * NEARLY_FULL, isProxy, server)
}

function oncePerInterval<A extends unknown[]>(write: (...args: A) => void): (...args: A) => void {
  let writtenAt = -Infinity
  return (...args) => {
    if (performance.now() - writtenAt < LOG_INTERVAL_MS) return
    writtenAt = performance.now()
    write(...args)
  }
}
