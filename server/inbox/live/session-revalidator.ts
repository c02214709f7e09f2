// Who was let in may have to go: the secret of its hash has ended, secure mode is on now, or the environment is gone.

import type { Environment, Environments } from '../../config/environment.ts'
import type { Log } from '../../core/log.ts'
import { isProof } from '../../http/auth.ts'
import type { Registry } from './connection-registry.ts'

/** Milliseconds between two looks. */
const EVERY = 2_000

export interface DoormanOptions {
  readonly environments: Environments
  readonly registry: Registry
  readonly log: Log
}

/** Drops whose proof no longer counts; its client comes back and is told so. @returns how many */
async function recheck(environments: Environments, registry: Registry): Promise<number> {
  const known = new Map<string, Environment | undefined>()
  let dropped = 0
  for (const { envId, connections } of registry.audiences) {
    if (!known.has(envId)) known.set(envId, await environments.get(envId))
    const environment = known.get(envId)
    for (const connection of connections) {
      if (connection.proof === undefined || isProof(environment, connection.proof)) continue
      dropped += 1
      connection.drop()
    }
  }
  return dropped
}

export function startSessionRevalidator({ environments, registry, log }: DoormanOptions) {
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    try {
      const dropped = await recheck(environments, registry)
      if (dropped > 0) log.info({ dropped }, 'sockets were closed: what let them in no longer counts')
    } catch (error) {
      // The database is away: nobody is sent out for that.
      log.warn({ err: error }, 'could not look who may stay')
    }
    looking = false
  }, EVERY)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
