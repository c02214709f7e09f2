// The queues of this process: which work each does, one loop for each database group.

import type { Db } from '../db/db.ts'
import type { QueueOptions, Work } from './queue-job.ts'
import type { QueueName, Queues } from './queues.ts'
import { Rate } from './rate-limiter.ts'
import { Worker } from './worker.ts'

export interface OpenQueues extends Queues {
  /** Gives a queue its work, before {@link Queues.start}. A queue without work leaves its rows to other processes. */
  add(...works: readonly Work[]): void
  /** Another process has given back rows, however long ago they were due: look for them. Returns at once. */
  look(queue: QueueName): void
}

/** What has a default that fits production: performance.now, 1 s and Math.random. */
type Fitting = 'elapsed' | 'poll' | 'random'

const elapsed = (): number => performance.now()

export function openQueues(
  db: Db,
  options: Omit<QueueOptions, Fitting> & Partial<Pick<QueueOptions, Fitting>>
): OpenQueues {
  const loops = new Map<QueueName, Worker[]>()
  const works: Work[] = []
  const wake = (queues: Iterable<QueueName>): void => {
    for (const queue of queues) for (const loop of loops.get(queue) ?? []) loop.wake()
  }
  const all = (): Worker[] => [...loops.values()].flat()
  return {
    add(...more) {
      for (const work of more) {
        if (loops.has(work.name)) throw new Error(`The queue ${work.name} has its work already.`)
        works.push(work)
        const rate = work.kind === 'deliver' && work.perSecond ? new Rate(work.perSecond) : undefined
        const whole = { elapsed, poll: 1000, random: Math.random, wake, ...options }
        loops.set(
          work.name,
          db.groups.map(group => new Worker(work, group, whole, rate))
        )
      }
    },
    async idle(queue) {
      await Promise.all((loops.get(queue) ?? []).map(loop => loop.idle()))
    },
    look(queue) {
      for (const loop of loops.get(queue) ?? []) loop.look()
    },
    paused: () =>
      [...loops].flatMap(([queue, own]) =>
        own.flatMap(({ fault }) => (fault ? { queue: queue, ...fault } : []))
      ),
    start() {
      for (const loop of all()) loop.start()
    },
    async stop(deadline) {
      await Promise.all(all().map(loop => loop.stop(deadline)))
      await Promise.all(works.map(work => work.kind === 'deliver' && work.close?.()))
    },
    wake
  }
}
