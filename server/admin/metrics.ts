// What a Prometheus server reads: requests, the queue, deliveries, sockets, and the process itself.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { Probe } from '../channels/email/probe/probe.ts'
import type { Db } from '../db/db.ts'
import type { ObservedRequest } from '../http/handle-request.ts'
import { readQueueDepths } from '../queue/outbox.sql.ts'
import type { QueueMetrics } from '../queue/queue-job.ts'
import { QUEUES, type PausedQueue } from '../queue/queues.ts'
import { ping } from './ping.sql.ts'

/** Milliseconds for which a count of the queue, or that there is none, answers all who ask. */
const COUNT_EVERY = 10_000
const ACCEPT = '/:clientId/sender'

interface Watched {
  /** Queues that rest. */
  readonly paused: () => readonly PausedQueue[]
  /** What is known of the mail server and the key of mails. Default: nothing. */
  readonly probes?: (() => readonly Probe[]) | undefined
}

export interface Metrics {
  /** For the door: every answered request. */
  request(seen: ObservedRequest): void
  /** For the queues. */
  readonly queues: QueueMetrics
  /** Asked at every reading for the open sockets by kind. */
  countSockets(count: () => Readonly<Record<string, number>>): void
  /** Asked at every reading. */
  watch(watched: Watched): void
  /** Text of the Prometheus exposition format. */
  read(): Promise<string>
  readonly contentType: string
  /** Ends the measurement of the event loop. */
  close(): void
}

/** A registry of its own, so that several servers may live in one process. */
export function openMetrics(db: Db): Metrics {
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
  // An increase is counted from a value to the next: without one before them, the first that die would be none.
  for (const queue of QUEUES) attempts.zero({ queue, outcome: 'dead' })
  const fenced = new Counter({
    help: 'Reports that came after the row had another owner.',
    labelNames: ['queue'],
    name: 'notif_fenced_total',
    registers
  })

  const depth = new Gauge({
    help: 'Rows in the outbox, due or not.',
    labelNames: ['queue'],
    name: 'notif_outbox_rows',
    registers
  })
  const oldest = new Gauge({
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
    if ((await ping(db)) === 'read-only') throw new Error('Nothing can leave the queue.')
  }
  let askedAt = -Infinity
  let counted: Promise<void>
  const queueCounted = (): Promise<void> => {
    if (performance.now() - askedAt < COUNT_EVERY) return counted
    askedAt = performance.now()
    counted = countQueue()
    return counted
  }

  let countSockets = (): Readonly<Record<string, number>> => ({})
  const sockets = new Gauge({
    collect() {
      for (const [kind, count] of Object.entries(countSockets())) this.set({ kind }, count)
    },
    help: 'Open sockets.',
    labelNames: ['kind'],
    name: 'notif_sockets',
    registers
  })
  let watched: Watched = { paused: () => [] }
  const paused = new Gauge({
    collect() {
      this.reset()
      for (const { code, queue } of watched.paused()) this.set({ queue: queue, code }, 1)
    },
    help: '1 for each queue of this process that waits for its provider, with the code of the fault; otherwise absent.',
    labelNames: ['queue', 'code'],
    name: 'notif_queue_paused',
    registers
  })
  const probed = new Gauge({
    collect() {
      this.reset()
      for (const { probe, state } of watched.probes?.() ?? []) this.set({ probe, state }, 1)
    },
    help: '1 for what the last try of the mail server (smtp) and of the DKIM record (dkim) came to.',
    labelNames: ['probe', 'state'],
    name: 'notif_mail_probe',
    registers
  })
  const database = new Gauge({
    help: '1 while the queue could be counted, and the database takes writes.',
    name: 'notif_database_up',
    registers
  })

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
      recordAttempt: (queue, outcome, milliseconds) =>
        attempts.observe({ queue, outcome }, milliseconds / 1000)
    },
    async read() {
      // A reading must succeed while the database is away: that is when it is looked at.
      await queueCounted().then(
        () => database.set(1),
        () => database.set(0)
      )
      return registry.metrics()
    },
    watch(what) {
      watched = what
      paused.reset()
      probed.reset()
    },
    request({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      if (route === ACCEPT && method === 'POST') {
        accepted.observe({ status: `${Math.floor(status / 100)}xx` }, seconds)
      }
    }
  }
}
