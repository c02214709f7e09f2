// The lanes of this process: which work each does, one loop for each database group.

import type { Db } from '../db/db.ts'
import type { LaneOptions, Work } from './queue-job.ts'
import type { LaneName, Lanes } from './queues.ts'
import { Rate } from './rate-limiter.ts'
import { Loop } from './worker.ts'

export interface OpenLanes extends Lanes {
  /** Gives a lane its work, before {@link Lanes.start}. A lane without work leaves its rows to other processes. */
  add(...works: readonly Work[]): void
  /** Another process has given back rows, however long ago they were due: look for them. Returns at once. */
  look(lane: LaneName): void
}

/** What has a default that fits production: performance.now, 1 s and Math.random. */
type Fitting = 'elapsed' | 'poll' | 'random'

const elapsed = (): number => performance.now()

export function openLanes(
  db: Db,
  options: Omit<LaneOptions, Fitting> & Partial<Pick<LaneOptions, Fitting>>
): OpenLanes {
  const loops = new Map<LaneName, Loop[]>()
  const works: Work[] = []
  const wake = (lanes: Iterable<LaneName>): void => {
    for (const lane of lanes) for (const loop of loops.get(lane) ?? []) loop.wake()
  }
  const all = (): Loop[] => [...loops.values()].flat()
  return {
    add(...more) {
      for (const work of more) {
        if (loops.has(work.name)) throw new Error(`The lane ${work.name} has its work already.`)
        works.push(work)
        const rate = work.kind === 'deliver' && work.perSecond ? new Rate(work.perSecond) : undefined
        const whole = { elapsed, poll: 1000, random: Math.random, wake, ...options }
        loops.set(
          work.name,
          db.groups.map(group => new Loop(work, group, whole, rate))
        )
      }
    },
    async idle(lane) {
      await Promise.all((loops.get(lane) ?? []).map(loop => loop.idle()))
    },
    look(lane) {
      for (const loop of loops.get(lane) ?? []) loop.look()
    },
    resting: () =>
      [...loops].flatMap(([lane, own]) => own.flatMap(({ fault }) => (fault ? { lane, ...fault } : []))),
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
