// Jobs that arrive while a group is being written become the next group: no timer, so a lone job waits for nobody.
//
// A group has two stages. While one is written the next may be prepared, but groups are written one after the other,
// so jobs take effect in the order in which they came. What is less than the group under way waits for it to end: it
// could not be written before, and a group of few costs the database as much as a larger one (at 32 callers this is
// worth 40 %, because they fall into two equal halves that take turns).

import { Problem } from '../http/problem.ts'

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

/** One is written, one is prepared. */
const WIDTH = 2

export function openGroups<Job extends { readonly bytes: number }, Result, Ready>(
  { bytes, size, limit }: GroupsOptions,
  { prepare, write }: Stages<Job, Result, Ready>
): Groups<Job, Result> {
  let waiting: Pending<Job, Result>[] = []
  let underway = 0
  /** Bytes of all that is not settled. */
  let held = 0
  /** Of the group that was begun last. */
  let ahead = 0
  let called = false
  let written: Promise<void> = Promise.resolve()

  const run = async (group: readonly Pending<Job, Result>[], before: Promise<void>): Promise<void> => {
    try {
      const ready = await prepare(group)
      await before
      if (ready.length > 0) await write(ready)
    } catch (error) {
      for (const job of group) job.reject(error)
    }
    underway -= 1
    pump()
  }

  const isTime = (): boolean =>
    waiting.length > 0 && (underway === 0 || (underway < WIDTH && waiting.length >= ahead))

  const pump = (): void => {
    called = false
    while (isTime()) {
      const group = waiting.length > size ? waiting.splice(0, size) : waiting
      if (group === waiting) waiting = []
      underway += 1
      ahead = group.length
      written = run(group, written)
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
