// Opens the queues of this process: one worker for each queue and database group.

import type { Db } from '../db/db.ts'
import { createPauseWatch } from './pauses/watch-pauses.ts'
import type { QueueJob, QueueOptions } from './queue-job.ts'
import type { QueueName, Queues } from './queues.ts'
import { RateLimiter } from './rate-limiter.ts'
import { Worker } from './worker.ts'

export interface OpenQueues extends Queues {
  /** Gives queues their jobs, before {@link Queues.start}, which may be called again for further ones. Rows of a queue without a job are left to other processes. */
  add(...jobs: readonly QueueJob[]): void
  /** Makes the next claim read everything, because another process returned rows that may have been due long ago. */
  rescan(queue: QueueName): void
  /** Whether this process knows that an operator paused the queue. */
  isPausedByOperator(queue: QueueName): boolean
}

/** Defaults: performance.now, 1 s and Math.random. */
type OptionalOption = 'monotonicMs' | 'pollMs' | 'random'

const monotonicMs = (): number => performance.now()

export function openQueues(
  db: Db,
  options: Omit<QueueOptions, OptionalOption> & Partial<Pick<QueueOptions, OptionalOption>>
): OpenQueues {
  const workers = new Map<QueueName, Worker[]>()
  const jobs: QueueJob[] = []
  const wake = (queues: Iterable<QueueName>): void => {
    for (const queue of queues) for (const worker of workers.get(queue) ?? []) worker.wake()
  }
  const allWorkers = (): Worker[] => [...workers.values()].flat()
  const pauses = createPauseWatch({
    ...options,
    onResumed: queue => wake([queue]),
    query: db.controlWork
  })
  let starting: Promise<void> | undefined
  let watching: Promise<void> | undefined
  /** A queue that an operator paused must not start attempts before this is known. Workers that run already go on. */
  const startWorkers = async (): Promise<void> => {
    if (jobs.length > 0) await (watching ??= pauses.start())
    for (const worker of allWorkers()) worker.start()
  }
  return {
    add(...added) {
      for (const job of added) {
        const { queue } = job
        if (workers.has(queue)) throw new Error(`The queue ${queue} has a job already.`)
        jobs.push(job)
        const limiter =
          job.kind === 'delivery' && job.attemptsPerSecond
            ? new RateLimiter(job.attemptsPerSecond)
            : undefined
        const defaults = {
          isPausedByOperator: pauses.isPaused,
          monotonicMs,
          pollMs: 1000,
          random: Math.random,
          wake
        }
        const all = { ...defaults, ...options }
        workers.set(
          queue,
          db.groups.map(group => new Worker(job, group, all, limiter))
        )
      }
    },
    async idle(queue) {
      await starting
      await Promise.all((workers.get(queue) ?? []).map(worker => worker.idle()))
    },
    isPausedByOperator: pauses.isPaused,
    rescan(queue) {
      for (const worker of workers.get(queue) ?? []) worker.rescan()
    },
    paused: () =>
      [...workers].flatMap(([queue, own]) => own.flatMap(({ pause }) => (pause ? { queue, ...pause } : []))),
    start() {
      starting = startWorkers()
    },
    async stop(deadlineMs) {
      pauses.stop()
      await starting
      await Promise.all(allWorkers().map(worker => worker.stop(deadlineMs)))
      await Promise.all(jobs.map(job => job.kind === 'delivery' && job.close?.()))
    },
    wake
  }
}
