// Jobs that arrive while a group is being written become the next group: no timer, so a lone job waits for nobody.
//
// A group has two stages. While one is written the next may be prepared, but groups are written one after the other:
// what is less than the group under way waits for it to end, because a group of few costs the database as much as a larger
// one (at 32 callers this is worth 40 %, as they fall into two equal halves that take turns). Groups of few wait for the
// disk more than they cost, so two of them may be written side by side: at 1,000 sends a second that halves the p99.
// Never two that hold jobs of one owner, so that these take effect in the order in which they came.

import { Problem } from '../../http/problem.ts'

export interface Pending<Job, Result> {
  readonly job: Job
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface Stages<Job, Result, Ready> {
  /** Settles the jobs that fail here, and returns what is to be written of the others. */
  prepare(pending: readonly Pending<Job, Result>[]): Promise<readonly Ready[]>
  /** Settles the jobs of what it gets. */
  write(ready: readonly Ready[]): Promise<void>
}

export interface GroupsOptions {
  /** Most jobs in one group. */
  readonly size: number
  /** Jobs that may wait; more are refused. */
  readonly limit: number
  /** Of the jobs that wait or are under way; more are refused, but a lone one never is. */
  readonly bytes: number
}

export interface Groups<Job, Result> {
  /** @throws Problem `unavailable` when too many are waiting already */
  add(job: Job): Promise<Result>
}

/** One is written, one is prepared; of groups of few, two are written. */
const WIDTH = 2
const WIDTH_OF_FEW = 3
/** Most jobs in a group of few. */
export const FEW = 8

/** What is known of each job here. */
export interface Grouped {
  readonly bytes: number
  /** A number of its owner's; jobs of two owners may have the same. */
  readonly place: number
}

export function openGroups<Job extends Grouped, Result, Ready>(
  { bytes, size, limit }: GroupsOptions,
  { prepare, write }: Stages<Job, Result, Ready>
): Groups<Job, Result> {
  let waiting: Pending<Job, Result>[] = []
  /** Their owners' places. */
  const underway = new Map<Promise<void>, ReadonlySet<number>>()
  /** Bytes of all that is not settled. */
  let held = 0
  /** Of the group that was begun last. */
  let ahead = 0
  let called = false

  const run = async (
    group: readonly Pending<Job, Result>[],
    before: readonly Promise<void>[]
  ): Promise<void> => {
    try {
      const ready = await prepare(group)
      await Promise.all(before)
      if (ready.length > 0) await write(ready)
    } catch (error) {
      for (const job of group) job.reject(error)
    }
  }

  /** The groups whose end must be awaited before one with these owners is written. */
  const before = (places: ReadonlySet<number>, few: boolean): Promise<void>[] =>
    [...underway]
      .filter(([, others]) => !few || [...places].some(place => others.has(place)))
      .map(([group]) => group)

  const begin = (group: readonly Pending<Job, Result>[]): void => {
    const places = new Set(group.map(({ job }) => job.place))
    // None under way is larger than this one: few begin beside few only.
    const written = run(group, before(places, group.length <= FEW))
    underway.set(written, places)
    ahead = group.length
    void (async () => {
      await written
      underway.delete(written)
      pump()
    })()
  }

  const isTime = (): boolean =>
    waiting.length > 0 &&
    (underway.size === 0 ||
      (underway.size < (ahead <= FEW ? WIDTH_OF_FEW : WIDTH) && waiting.length >= ahead))

  const pump = (): void => {
    called = false
    while (isTime()) {
      const group = waiting.length > size ? waiting.splice(0, size) : waiting
      if (group === waiting) waiting = []
      begin(group)
    }
  }

  const join = (job: Job): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, reject, resolve })
      // After this turn of the event loop, so that requests that were read together are written together.
      if (!called && isTime()) {
        called = true
        setImmediate(pump)
      }
    })

  return {
    async add(job) {
      if (waiting.length >= limit || (held > 0 && held + job.bytes > bytes)) {
        throw new Problem('unavailable', 'Too many sends are waiting for the database.', {
          headers: { 'retry-after': '1' }
        })
      }
      held += job.bytes
      try {
        return await join(job)
      } finally {
        held -= job.bytes
      }
    }
  }
}
