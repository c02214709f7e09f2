// Ends all connections of a node that stops, in batches, so that its clients do not all reconnect in the same moment.

import { setTimeout as sleep } from 'node:timers/promises'

import type { ConnectionRegistry } from './connection-registry.ts'
import type { Connection } from './connection.ts'

const DRAIN_INTERVAL_MS = 100
const MIN_DRAIN_BATCH_SIZE = 200
/** For clients that were asked to reconnect; the rest does not read. */
const FAREWELL_TIMEOUT_MS = 1_000

/** Asks all clients to reconnect, in batches, and terminates the connections that remain. */
export async function disconnectAll(registry: ConnectionRegistry, withinMs: number): Promise<void> {
  const open: Connection[] = []
  for (const { connections } of registry.users) open.push(...connections)
  const batchSize = Math.max(MIN_DRAIN_BATCH_SIZE, Math.ceil((open.length * DRAIN_INTERVAL_MS) / withinMs))
  for (let i = 0; i < open.length; i += batchSize) {
    if (i > 0) await sleep(DRAIN_INTERVAL_MS)
    for (const connection of open.slice(i, i + batchSize)) connection.requestReconnect()
  }
  for (let ms = 0; registry.connectionCount > 0 && ms < FAREWELL_TIMEOUT_MS; ms += 20) await sleep(20)
  for (const { connections } of registry.users) {
    for (const connection of connections) connection.terminate()
  }
}
