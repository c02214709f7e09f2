// The connection budget: how many connections and files the process opens itself. Clients get the remaining descriptors.

import type { Config } from '../config/config.ts'
import {
  EXPORT_CONNECTIONS,
  FETCH_CONNECTIONS,
  PUSH_CONNECTIONS,
  RESERVED_CITUS_WORKERS,
  SLACK_CONNECTIONS
} from '../config/connections.ts'
import { poolSizes } from '../db/db.ts'

/** Files, the LISTEN connection, two connections to Apple, and a hundred idle connections to push services. */
const OTHER_DESCRIPTORS = 150

/** @returns the most descriptors that the process uses for anything but clients */
export function ownConnections(config: Config): number {
  const pools = poolSizes({ connections: config.connections, exportConnections: EXPORT_CONNECTIONS })
  const { health: _health, ...poolsOfWorker } = pools
  const workerCount = config.citusRoute === 'owner' ? RESERVED_CITUS_WORKERS : 0
  const counts = [
    ...Object.values(pools),
    ...Object.values(poolsOfWorker).map(size => workerCount * size),
    config.emailConnections,
    // Text messages and calls.
    2 * config.smsConnections,
    SLACK_CONNECTIONS,
    // FCM and web push.
    2 * (config.pushConcurrency ?? PUSH_CONNECTIONS),
    FETCH_CONNECTIONS
  ]
  return counts.reduce((sum, count) => sum + count, OTHER_DESCRIPTORS)
}
