// GET /healthz and /readyz: whether the process runs, and whether a load balancer should send requests to it.

import type { Probe } from '../channels/email/probe.ts'
import type { Db } from '../db/db.ts'
import { isCurrent } from '../db/migrate.ts'
import { countDaysAhead } from '../db/partitions.ts'
import { ok, route, type Route } from '../http/route.ts'
import type { PausedQueue } from '../queue/queues.ts'
import { healthDoc, readinessDoc } from './doc.ts'
import { ping } from './ping.sql.ts'

export interface HealthOptions {
  /** True as soon as the process begins to stop. */
  readonly draining: () => boolean
  /** Queues of this process whose provider fails. Default: none. */
  readonly paused?: () => readonly PausedQueue[]
  /** Results of the checks of the mail server. Default: none. */
  readonly probes?: () => readonly Probe[]
  /** For each check of the database. Default: 1,000. */
  readonly timeoutMs?: number
}

/** With fewer partitions of the log ahead, housekeeping has been failing for a week. */
const MIN_PARTITIONS_AHEAD = 7

type Check = 'ok' | 'failed' | 'read-only' | 'behind' | 'few'

/** @returns the result of the check, or `failed` if it throws or takes too long */
const within = async (timeoutMs: number, check: Promise<Check>): Promise<Check> => {
  const timeout = Promise.withResolvers<Check>()
  const timer = setTimeout(timeout.resolve, timeoutMs, 'failed')
  try {
    return await Promise.race([check, timeout.promise])
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

export function healthRoutes(
  db: Db,
  { draining, timeoutMs = 1000, probes = () => [], paused = () => [] }: HealthOptions
): Route[] {
  // Checked until it is true once: a newer node that migrates the schema must not take older nodes out of service.
  let isSchemaCurrent = false
  const migrations = async (): Promise<Check> => {
    isSchemaCurrent ||= await isCurrent(db)
    return isSchemaCurrent ? 'ok' : 'behind'
  }
  const partitions = async (): Promise<Check> => {
    const ahead = await Promise.all(db.groups.map(group => countDaysAhead(group.health)))
    return Math.min(...ahead) >= MIN_PARTITIONS_AHEAD ? 'ok' : 'few'
  }
  const runChecks = async () => ({
    database: await within(timeoutMs, ping(db)),
    migrations: await within(timeoutMs, migrations()),
    partitions: await within(timeoutMs, partitions())
  })
  // Requests during a check share its result, because the route is open and must not multiply queries.
  let running: ReturnType<typeof runChecks> | undefined
  return [
    route('GET', '/healthz', 'anyone', healthDoc, async () => ok({ status: 'ok' })),

    // Not a problem document: monitors read the same fields in both cases.
    route('GET', '/readyz', 'anyone', readinessDoc, async () => {
      const { partitions, ...answers } = await (running ??= runChecks().finally(() => (running = undefined)))
      const checks = { ...answers, serving: draining() ? 'draining' : 'ok' }
      const ready = Object.values(checks).every(check => check === 'ok')
      // Warnings only: all nodes share the providers, and missing partitions matter only days later.
      const degraded = {
        email: probes(),
        partitions,
        paused: paused().map(({ code, queue, since }) => ({
          code,
          queue,
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
