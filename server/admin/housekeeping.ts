// Housekeeping: periodic tasks that keep the database small.
//
// Every task may run twice, late, or on any node; the table `ticks` makes it run about once per interval.

import { schedule } from 'node-cron'

import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import { TASKS, type HousekeepingConfig } from './housekeeping-tasks.ts'
import { claimTick, returnTick } from './housekeeping.sql.ts'

const RETRY_SECONDS = 120

export interface HousekeepingOptions {
  readonly db: Db
  readonly config: HousekeepingConfig
  readonly log: Log
}

const NEVER = new AbortController().signal

/**
 * Runs the due tasks. Never throws.
 *
 * @param stopped - when it aborts, ends after the current batch and returns the task. Default: never
 * @returns the names of the tasks that it ran
 */
export async function runDueTasks(
  options: HousekeepingOptions,
  stopped: AbortSignal = NEVER
): Promise<string[]> {
  const { db, log } = options
  const done: string[] = []
  for (const { everySeconds, name, run } of TASKS) {
    if (stopped.aborted) break
    try {
      if (!(await claimTick(db, name, everySeconds))) continue
      for (const group of db.groups) await run(group, { ...options, stopped })
      done.push(name)
    } catch (error) {
      if (!stopped.aborted)
        log.warn(
          { err: error, event: 'housekeeping_failed', retryInMs: RETRY_SECONDS * 1000, task: name },
          'housekeeping task failed; it runs again in two minutes'
        )
      await returnTick(db, name, stopped.aborted ? 0 : RETRY_SECONDS).catch(() => {})
    }
  }
  return done
}

export interface Housekeeping {
  /** Starts no further task, and resolves when the current one has ended. */
  stop(): Promise<void>
}

/** Runs the due tasks now, and then every minute. */
export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
  const stopping = new AbortController()
  const run = (): Promise<unknown> => runDueTasks(options, stopping.signal)
  let running = run()
  const job = schedule('* * * * *', () => (running = running.then(run)), { noOverlap: true })
  return {
    async stop() {
      stopping.abort()
      await job.destroy()
      await running
    }
  }
}
