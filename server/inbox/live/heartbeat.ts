// The timers of a node: a heartbeat for every connection, and a sweep for changes whose hints were lost.

import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { readVersions } from '../read-inbox.sql.ts'
import type { CatchUp } from './catch-up.ts'
import type { ConnectedUser, ConnectionRegistry } from './connection-registry.ts'
import { encode } from './connection.ts'

const SWEEP_BATCH_SIZE = 1000

/** @returns how many users were behind */
async function sweep(db: Db, registry: ConnectionRegistry, catchUp: CatchUp): Promise<number> {
  const groups = Map.groupBy(registry.users, user => db.of(user.bucket))
  let behindCount = 0
  for (const [group, users] of groups) {
    for (let i = 0; i < users.length; i += SWEEP_BATCH_SIZE) {
      const batch = users.slice(i, i + SWEEP_BATCH_SIZE)
      const versions = await readVersions(group.sql, group.buckets, batch)
      for (const [j, user] of batch.entries()) {
        if (!isBehind(user, versions[j]!)) continue
        behindCount += 1
        catchUp.request(user)
      }
    }
  }
  return behindCount
}

const isBehind = ({ connections }: ConnectedUser, inboxVersion: number): boolean =>
  [...connections].some(({ version }) => version !== inboxVersion)

export interface HeartbeatOptions {
  readonly db: Db
  readonly log: Log
  readonly registry: ConnectionRegistry
  readonly catchUp: CatchUp
  /** Between two heartbeats of one connection. */
  readonly heartbeatMs: number
  /** Between two sweeps; each node varies it by up to 10 %, so that nodes do not sweep together. */
  readonly sweepMs: number
}

/** Spreads the heartbeats of all connections over the interval. */
const TICKS_PER_HEARTBEAT = 20

export function startHeartbeat({ catchUp, db, heartbeatMs, log, registry, sweepMs }: HeartbeatOptions) {
  const tickMs = heartbeatMs / TICKS_PER_HEARTBEAT
  const heartbeats = setInterval(() => {
    const now = performance.now()
    for (const { connections } of registry.users) {
      for (const connection of connections) {
        // The first heartbeat comes at a random time, so that clients that connect together do not stay together.
        connection.nextHeartbeatAt ??= now + heartbeatMs * Math.random() - tickMs
        if (connection.nextHeartbeatAt > now || !connection.isReady) continue
        connection.nextHeartbeatAt = now + heartbeatMs - tickMs
        const { version } = connection
        connection.sendHeartbeat(
          version === undefined ? undefined : encode(connection.kind, 'inbox/head', { version })
        )
      }
    }
  }, tickMs)
  heartbeats.unref()

  let isSweeping = false
  let mustSweepAgain = false
  const sweepNow = async (): Promise<void> => {
    // The one that runs may have read its users before the change.
    mustSweepAgain = isSweeping
    if (isSweeping) return
    isSweeping = true
    try {
      const userCount = await sweep(db, registry, catchUp)
      if (userCount > 0) log.debug({ event: 'sweep_found_changes', userCount }, 'sweep found missed changes')
    } catch (error) {
      log.warn(
        { event: 'sweep_failed', err: error },
        'sweep for missed changes failed; the next one repeats it'
      )
    }
    isSweeping = false
    if (mustSweepAgain) await sweepNow()
  }
  const sweeps = setInterval(() => void sweepNow(), sweepMs * (0.9 + Math.random() * 0.2))
  sweeps.unref()
  return {
    stop() {
      clearInterval(heartbeats)
      clearInterval(sweeps)
    },
    sweepNow: (): void => void sweepNow()
  }
}
