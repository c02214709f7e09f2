// Connections that a process opens itself at most, as its settings say: clients have what is left beside them.

import type { Config } from '../config/config.ts'
import {
  EXPORT_CONNECTIONS,
  FETCH_CONNECTIONS,
  PUSH_CONNECTIONS,
  SLACK_CONNECTIONS
} from '../config/connections.ts'
import { poolsOf } from '../db/db.ts'

/** Files, the line that listens, two to Apple, and a hundred that are kept to push services for a moment. */
const REST = 150

export function ownConnections(config: Config): number {
  const pools = poolsOf({ connections: config.connections, exportConnections: EXPORT_CONNECTIONS })
  const lines = [
    pools.api,
    pools.exports,
    pools.work,
    config.emailConnections,
    // Messages, and calls.
    2 * config.smsConnections,
    SLACK_CONNECTIONS,
    // FCM and web push.
    2 * (config.pushConcurrency ?? PUSH_CONNECTIONS),
    FETCH_CONNECTIONS
  ]
  return lines.reduce((sum, count) => sum + count, REST)
}
