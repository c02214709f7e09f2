// Closes sockets whose credentials are no longer valid: the client secret has expired, secure mode was turned on, or the
// environment was deleted.

import type { Environment, Environments } from '../../config/environment-settings.ts'
import type { Log } from '../../core/log.ts'
import { isProofValid } from '../../http/auth.ts'
import type { ConnectionRegistry } from './connection-registry.ts'

const REVALIDATE_INTERVAL_MS = 2_000

export interface RevalidatorOptions {
  readonly environments: Environments
  readonly registry: ConnectionRegistry
  readonly log: Log
}

/** @returns how many sockets were closed; their clients reconnect and get a rejection */
async function closeInvalid(environments: Environments, registry: ConnectionRegistry): Promise<number> {
  const cache = new Map<string, Environment | undefined>()
  let closedCount = 0
  for (const { envId, connections } of registry.users) {
    if (!cache.has(envId)) cache.set(envId, await environments.get(envId))
    const environment = cache.get(envId)
    for (const connection of connections) {
      if (connection.credential === undefined || isProofValid(environment, connection.credential)) continue
      closedCount += 1
      connection.terminate()
    }
  }
  return closedCount
}

export function startSessionRevalidator({ environments, registry, log }: RevalidatorOptions) {
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    try {
      const socketCount = await closeInvalid(environments, registry)
      if (socketCount > 0) {
        log.info(
          { event: 'sockets_closed', socketCount },
          'closed sockets whose credentials are no longer valid'
        )
      }
    } catch (error) {
      log.warn(
        { event: 'revalidation_failed', err: error },
        'could not revalidate sockets; they stay open until the next check'
      )
    }
    isRunning = false
  }, REVALIDATE_INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
