// Whether this process turns, and whether a balancer should send it requests.

import type { Probe } from '../channels/email/probe/probe.ts'
import type { Db } from '../db/db.ts'
import { isCurrent } from '../db/migrate.ts'
import { countDaysAhead } from '../db/partitions.ts'
import { route, type Route } from '../http/route.ts'
import type { PausedQueue } from '../queue/queues.ts'
import { healthDoc, readinessDoc } from './doc.ts'
import { ping } from './ping.sql.ts'

export interface HealthOptions {
  /** True from the first sign of the end on. */
  readonly draining: () => boolean
  /** Queues of this process whose provider fails. Default: none. */
  readonly paused?: () => readonly PausedQueue[]
  /** What was tried of e-mail at start. Default: nothing. */
  readonly probes?: () => readonly Probe[]
  /** Milliseconds that the database may take. Default 1000. */
  readonly patience?: number
}

/** Log partitions below which house-keeping has been failing for a week. */
const DAYS_AHEAD = 7

type Check = 'ok' | 'failed' | 'read-only' | 'behind' | 'few'

/** The database's answer, or `failed` when it takes too long. */
const within = async (milliseconds: number, question: Promise<Check>): Promise<Check> => {
  const late = Promise.withResolvers<Check>()
  const timer = setTimeout(late.resolve, milliseconds, 'failed')
  try {
    return await Promise.race([question, late.promise])
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

export function healthRoutes(
  db: Db,
  { draining, patience = 1000, probes = () => [], paused = () => [] }: HealthOptions
): Route[] {
  // Once up to date stays so: a newer node that migrates further must not put the older ones out of service.
  let current = false
  const migrations = async (): Promise<Check> => {
    current ||= await isCurrent(db)
    return current ? 'ok' : 'behind'
  }
  const partitions = async (): Promise<Check> => {
    const ahead = await Promise.all(db.groups.map(group => countDaysAhead(group.sql)))
    return Math.min(...ahead) >= DAYS_AHEAD ? 'ok' : 'few'
  }
  const ask = async () => ({
    database: await within(patience, ping(db)),
    migrations: await within(patience, migrations()),
    partitions: await within(patience, partitions())
  })
  // Anybody may ask, as often as they like: whoever comes while the database is asked gets the same answer.
  let asking: ReturnType<typeof ask> | undefined
  return [
    route('GET', '/healthz', 'anyone', healthDoc, async () => ({ body: { status: 'ok' }, status: 200 })),

    // No problem document: that the answer is no is what was asked, and whoever watches reads the same fields either way.
    route('GET', '/readyz', 'anyone', readinessDoc, async () => {
      const { partitions, ...answers } = await (asking ??= ask().finally(() => (asking = undefined)))
      const checks = { ...answers, serving: draining() ? 'draining' : 'ok' }
      const ready = Object.values(checks).every(check => check === 'ok')
      // No reason to take the node out of service: a warning days ahead, and providers that every node has in common.
      const degraded = {
        mail: probes(),
        partitions,
        paused: paused().map(({ code, queue, since }) => ({
          code,
          queue: queue,
          since: since.toISOString()
        }))
      }
      return {
        body: { ...checks, ...degraded, status: ready ? 'ready' : 'not ready' },
        status: ready ? 200 : 503
      }
    })
  ]
}
