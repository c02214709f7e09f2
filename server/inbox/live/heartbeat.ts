// The regular beats of a node: a sign of life for every connection, and a sweep for changes of which no hint came.

import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { readVersions } from '../read-inbox.sql.ts'
import type { CatchUp } from './catch-up.ts'
import type { Audience, Registry } from './connection-registry.ts'
import { encode } from './connection.ts'

/** Users of one statement of a sweep. */
const BATCH = 1000

/** @returns how many audiences were behind */
async function sweep(db: Db, registry: Registry, catchUp: CatchUp): Promise<number> {
  const groups = Map.groupBy(registry.audiences, audience => db.of(audience.bucket))
  let found = 0
  for (const [group, audiences] of groups) {
    for (let i = 0; i < audiences.length; i += BATCH) {
      const batch = audiences.slice(i, i + BATCH)
      const versions = await readVersions(group.sql, group.buckets, batch)
      for (const [j, audience] of batch.entries()) {
        if (!isBehind(audience, versions[j]!)) continue
        found += 1
        catchUp.need(audience)
      }
    }
  }
  return found
}

const isBehind = ({ connections }: Audience, head: number): boolean => {
  for (const { version } of connections) if (version === undefined || version !== head) return true
  return false
}

export interface PulseOptions {
  readonly db: Db
  readonly log: Log
  readonly registry: Registry
  readonly catchUp: CatchUp
  /** Milliseconds between two signs of life of one connection. */
  readonly heartbeat: number
  /** Milliseconds between two sweeps; each node has its own rhythm. */
  readonly sweep: number
}

/** How many times in a heartbeat it is looked whose turn it is. */
const LOOKS = 20

export function startHeartbeat({ catchUp, db, heartbeat, log, registry, sweep: every }: PulseOptions) {
  const look = heartbeat / LOOKS
  const beats = setInterval(() => {
    const now = performance.now()
    for (const { connections } of registry.audiences) {
      for (const connection of connections) {
        // New ones at any time of the first heartbeat, so that those of one moment do not stay together.
        connection.beatAt ??= now + heartbeat * Math.random() - look
        if (connection.beatAt > now || !connection.greeted) continue
        connection.beatAt = now + heartbeat - look
        const { version } = connection
        connection.beat(
          version === undefined ? undefined : encode(connection.kind, 'inbox/head', { version })
        )
      }
    }
  }, look)
  beats.unref()

  let sweeping = false
  const sweepNow = async (): Promise<void> => {
    if (sweeping) return
    sweeping = true
    try {
      const found = await sweep(db, registry, catchUp)
      if (found > 0) log.debug({ found }, 'a sweep found users who had missed something')
    } catch (error) {
      log.warn({ err: error }, 'could not sweep')
    }
    sweeping = false
  }
  const sweeps = setInterval(() => void sweepNow(), every * (0.9 + Math.random() * 0.2))
  sweeps.unref()
  return {
    stop() {
      clearInterval(beats)
      clearInterval(sweeps)
    },
    /** Now. */
    sweep: (): void => void sweepNow()
  }
}
