// Divides what settings allow one machine among its processes: connections to the database and to providers, and rates of attempts.

import type { Config } from '../../config/config.ts'
import { PUSH_CONNECTIONS } from '../../config/connections.ts'

const CONNECTIONS = ['emailConnections', 'smsConnections', 'connectionsLimit'] as const
const RATES = [
  'apnsPerSecond',
  'callPerSecond',
  'emailPerSecond',
  'fcmPerSecond',
  'slackPerSecond',
  'smsPerSecond',
  'webPushPerSecond'
] as const

/** The lowest value of NOTIF_DB_CONNECTIONS. */
const MIN_DATABASE_CONNECTIONS = 2

/** Returns the part of one of `count` processes. At least one connection of each kind. */
export function shareOf(config: Config, count: number): Config {
  if (count === 1) return config
  const part = (all: number): number => Math.ceil(all / count)
  return {
    ...config,
    ...Object.fromEntries(CONNECTIONS.map(name => [name, part(config[name])])),
    ...Object.fromEntries(RATES.map(name => [name, config[name] / count])),
    connections: Math.max(MIN_DATABASE_CONNECTIONS, part(config.connections)),
    pushConcurrency: part(config.pushConcurrency ?? PUSH_CONNECTIONS)
  }
}
