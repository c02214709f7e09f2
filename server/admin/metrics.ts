// Metrics for Prometheus: requests, sends, queues, deliveries, sockets and the process.

import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { Probe } from '../channels/email/probe.ts'
import { NO_SIBLINGS, type Siblings } from '../core/siblings.ts'
import type { Db } from '../db/db.ts'
import type { ObservedRequest } from '../http/handle-request.ts'
import { readQueueDepths } from '../queue/outbox.sql.ts'
import type { QueueMetrics } from '../queue/queue-job.ts'
import { QUEUES, type PausedQueue } from '../queue/queues.ts'
import { ping } from './ping.sql.ts'
import { shareMetrics } from './sibling-metrics.ts'
import { TenantCounter, TenantLabels } from './tenant-counter.ts'

/** Rows of the outbox are counted at most this often, however often metrics are read. */
const COUNT_INTERVAL_MS = 10_000
const SEND_ROUTE = '/:clientId/sender'

interface Watched {
  readonly paused: () => readonly PausedQueue[]
  /** Whether hints of other nodes arrive. Default: yes. */
  readonly areHintsUp?: () => boolean
  /** Results of the checks of the mail server and the DKIM record. Default: none. */
  readonly probes?: (() => readonly Probe[]) | undefined
}

export interface Metrics {
  recordRequest(request: ObservedRequest): void
  /** Counts an accepted send. @param status - of its answer */
  recordSend(envId: string, typeId: string, status: number): void
  readonly queues: QueueMetrics
  /** Sets the function that counts open sockets by kind, called at every read. */
  countSockets(count: () => Readonly<Record<string, number>>): void
  /** Sets the sources that are called at every read. */
  watch(watched: Watched): void
  /** Returns the metrics in the Prometheus text format. */
  read(): Promise<string>
  readonly contentType: string
  close(): void
}

/**
 * Creates metrics with a registry of their own, so that several servers can run in one process.
 *
 * @param siblings - whose metrics are read as well, added up unless a metric says otherwise
 */
export function createMetrics(db: Db, siblings: Siblings = NO_SIBLINGS): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    help: 'Answered HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    name: 'notif_requests_total',
    registers
  })
  const accepted = new Histogram({
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    help: 'Seconds from a send request to its answer, by class of status.',
    labelNames: ['status'],
    name: 'notif_accept_seconds',
    registers
  })
  const attempts = new Histogram({
    buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    help: 'Seconds of delivery attempts, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    name: 'notif_attempt_seconds',
    registers
  })
  // `increase()` needs an earlier value: without zeros, the first dead letters would not count as an increase.
  for (const queue of QUEUES) attempts.zero({ queue, outcome: 'dead' })
  const fenced = new Counter({
    help: 'Delivery results that were ignored because the row had been claimed again.',
    labelNames: ['queue'],
    name: 'notif_results_fenced_total',
    registers
  })

  const tenants = new TenantLabels()
  const requestsByEnvironment = new TenantCounter(tenants, {
    hasType: false,
    help: 'Answered HTTP requests about an environment.',
    label: 'status',
    name: 'notif_environment_requests_total',
    registry
  })
  const sends = new TenantCounter(tenants, {
    hasType: true,
    help: 'Accepted sends, by the status of their answer: 202 if a channel was discarded.',
    label: 'status',
    name: 'notif_sends_total',
    registry
  })
  const attemptsByType = new TenantCounter(tenants, {
    hasType: true,
    help: 'Delivery attempts, by environment, notification type and outcome.',
    label: 'outcome',
    name: 'notif_attempts_total',
    registry,
    zero: 'dead'
  })

  // All processes count the same rows.
  const depth = new Gauge({
    aggregator: 'max',
    help: 'Rows in the outbox, due or not.',
    labelNames: ['queue'],
    name: 'notif_outbox_rows',
    registers
  })
  const oldest = new Gauge({
    aggregator: 'max',
    help: 'Seconds since the oldest due row of a queue should have run.',
    labelNames: ['queue'],
    name: 'notif_outbox_oldest_seconds',
    registers
  })
  const countQueue = async (): Promise<void> => {
    const groups = await Promise.all(db.groups.map(group => readQueueDepths(group.work, group)))
    for (const queue of QUEUES) {
      const rows = groups.flat().filter(found => found.queue === queue)
      depth.set(
        { queue },
        rows.reduce((sum, found) => sum + found.rowCount, 0)
      )
      oldest.set({ queue }, Math.max(0, ...rows.map(found => found.oldestSeconds)))
    }
    if ((await ping(db)) === 'read-only')
      throw new Error('The database accepts no writes, so no delivery can be finished.')
  }
  let countedAt = -Infinity
  let counting: Promise<void>
  const countQueueRarely = (): Promise<void> => {
    if (performance.now() - countedAt < COUNT_INTERVAL_MS) return counting
    countedAt = performance.now()
    counting = countQueue()
    return counting
  }

  let countSockets = (): Readonly<Record<string, number>> => ({})
  const sockets = new Gauge({
    collect() {
      for (const [kind, count] of Object.entries(countSockets())) this.set({ kind }, count)
    },
    help: 'Open sockets and waiting polls.',
    labelNames: ['kind'],
    name: 'notif_sockets',
    registers
  })
  let watched: Watched = { paused: () => [] }
  const paused = new Gauge({
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { code, queue } of watched.paused()) this.set({ queue, code }, 1)
    },
    help: '1 for each queue of this process that waits for its provider, with the code of the fault; otherwise absent.',
    labelNames: ['queue', 'code'],
    name: 'notif_queue_paused',
    registers
  })
  const probed = new Gauge({
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { probe, state } of watched.probes?.() ?? []) this.set({ probe, state }, 1)
    },
    help: '1 for the result of the last check of the mail server (smtp) and of the DKIM record (dkim).',
    labelNames: ['probe', 'state'],
    name: 'notif_email_probe',
    registers
  })
  const hints = new Gauge({
    aggregator: 'min',
    collect() {
      this.set(watched.areHintsUp?.() === false ? 0 : 1)
    },
    help: '1 if hints of other nodes arrive (NOTIFY or Redis); otherwise their changes are found by sweeps.',
    name: 'notif_hints_up',
    registers
  })
  const database = new Gauge({
    aggregator: 'min',
    help: '1 if the outbox could be counted and the database accepts writes.',
    name: 'notif_database_up',
    registers
  })

  const readOwn = async () => {
    // Metrics must be readable while the database is down.
    await countQueueRarely().then(
      () => database.set(1),
      () => database.set(0)
    )
    return registry.getMetricsAsJSON()
  }
  const siblingMetrics = shareMetrics(siblings, readOwn)

  return {
    close() {
      registry.clear()
    },
    contentType: registry.contentType,
    countSockets(count) {
      countSockets = count
      sockets.reset()
    },
    queues: {
      recordFenced: (queue, rows) => fenced.inc({ queue }, rows),
      recordAttempt: ({ durationMs, envId, outcome, queue, typeId }) => {
        attempts.observe({ queue, outcome }, durationMs / 1000)
        if (typeId !== undefined) attemptsByType.add(envId, typeId, outcome)
      }
    },
    async read() {
      const [own, others] = await Promise.all([readOwn(), siblingMetrics.read()])
      if (others.length === 0) return registry.metrics()
      return AggregatorRegistry.aggregate([own, ...others]).metrics()
    },
    watch(sources) {
      watched = sources
      paused.reset()
      probed.reset()
      hints.reset()
    },
    recordSend: (envId, typeId, status) => sends.add(envId, typeId, String(status)),
    recordRequest({ envId, method, route, status, seconds }) {
      requests.inc({ method, route, status })
      if (envId !== undefined) requestsByEnvironment.add(envId, undefined, String(status))
      if (route === SEND_ROUTE && method === 'POST') {
        accepted.observe({ status: `${Math.floor(status / 100)}xx` }, seconds)
      }
    }
  }
}
