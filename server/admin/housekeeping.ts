// House-keeping: what is done now and then so that the database stays small. Nothing that a user sees hangs on it.
//
// Every task may run twice, late or on any node without harm; the table `ticks` keeps it to about once.

import { schedule } from 'node-cron'

import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Db, Group } from '../db/db.ts'
import { dropOldPartitions, ensurePartitions } from '../db/partitions.ts'
import { claimTick, returnTick } from '../db/ticks.ts'
import { purgeEnvironments } from '../environments/purge.sql.ts'
import { deleteOldKeys } from '../http/idempotency.sql.ts'
import { deleteOldLogs, readRetentions } from '../logs/retention.sql.ts'
import { deleteOrphanedAttachments } from '../send/attachments/attachments.sql.ts'
import { deleteExpiredRateCounters } from '../send/rate-control/rate-control.sql.ts'
import { deleteHeadlessItems, deleteOld, deleteOldTombstones } from './housekeeping.sql.ts'

/** How long a client may be away and still be told exactly what changed. */
const TOMBSTONE_DAYS = 7
/** A row of the outbox may be as old as its tries before the phone rings. */
const WORD_DAYS = 2
/** As callers are told: they may count on no more, and need no less. */
const KEY_HOURS = 24

const HOUR = 3600
/** Seconds after which a task that failed is tried again. */
const AGAIN = 120

interface Task {
  readonly name: string
  /** Seconds. */
  readonly every: number
  run(group: Group, house: House): Promise<unknown>
}

/** Days that dead letters can be redriven: later redrives surprise their recipients. */
export const MAX_DEAD_LETTER_DAYS = 30

/** Days that the sandbox keeps messages: they are looked at once, during development. */
export const MAX_SANDBOX_DAYS = 7

type HouseConfig = Pick<Config, 'retentionDays'>

interface House {
  readonly db: Db
  readonly config: HouseConfig
  /** Somebody waits for the end of it. */
  readonly stopped: AbortSignal
}

const untilNone = async ({ stopped }: House, batch: () => Promise<number>): Promise<void> => {
  while ((await batch()) > 0) stopped.throwIfAborted()
}

const TASKS: readonly Task[] = [
  {
    every: 6 * HOUR,
    name: 'partitions',
    async run({ work }, { config, db }) {
      await ensurePartitions(work)
      const { longestDays } = await readRetentions(db.control, config.retentionDays)
      await dropOldPartitions(work, longestDays)
    }
  },
  {
    every: 6 * HOUR,
    name: 'retention',
    async run(group, house) {
      const { shorter } = await readRetentions(house.db.control, house.config.retentionDays)
      for (const { days, envId } of shorter) await untilNone(house, () => deleteOldLogs(group, envId, days))
    }
  },
  {
    every: HOUR,
    name: 'rate_counters',
    run: (group, house) => untilNone(house, () => deleteExpiredRateCounters(group))
  },
  {
    every: 60,
    name: 'deleted-environments',
    run: (group, { db, stopped }) => purgeEnvironments(db, group, stopped)
  },
  {
    every: HOUR,
    name: 'idempotency-keys',
    run: (group, house) => untilNone(house, () => deleteOldKeys(group, KEY_HOURS))
  },
  {
    every: HOUR,
    name: 'tombstones',
    run: (group, house) => untilNone(house, () => deleteOldTombstones(group, TOMBSTONE_DAYS))
  },
  {
    every: HOUR,
    name: 'sandbox',
    run: (group, house) =>
      untilNone(house, () =>
        deleteOld(group, 'sandbox_messages', Math.min(MAX_SANDBOX_DAYS, house.config.retentionDays))
      )
  },
  {
    every: HOUR,
    name: 'attachments',
    run: (group, house) => untilNone(house, () => deleteOrphanedAttachments(group))
  },
  {
    every: HOUR,
    name: 'call-words',
    run: (group, house) => untilNone(house, () => deleteOld(group, 'call_words', WORD_DAYS))
  },
  {
    every: 6 * HOUR,
    name: 'receipts',
    async run(group, house) {
      const { longestDays } = await readRetentions(house.db.control, house.config.retentionDays)
      await untilNone(house, () => deleteOld(group, 'receipts', longestDays))
    }
  },
  {
    every: 6 * HOUR,
    name: 'dead-letters',
    // Without its send, which the log keeps, a letter is of no use.
    async run(group, house) {
      const days = Math.min(MAX_DEAD_LETTER_DAYS, house.config.retentionDays)
      await untilNone(house, () => deleteOld(group, 'dead_letters', days))
      await untilNone(house, () => deleteHeadlessItems(group))
    }
  }
]

export interface HousekeepingOptions {
  readonly db: Db
  readonly config: HouseConfig
  readonly log: Log
}

const NEVER = new AbortController().signal

/**
 * Does what is due; never throws.
 *
 * @param stopped - aborted: ends after the batch that is under way, and gives the task back. Default: never
 * @returns names of the tasks that this call did
 */
export async function keepHouse(
  options: HousekeepingOptions,
  stopped: AbortSignal = NEVER
): Promise<string[]> {
  const { db, log } = options
  const done: string[] = []
  for (const { name, every, run } of TASKS) {
    if (stopped.aborted) break
    try {
      if (!(await claimTick(db, name, every))) continue
      for (const group of db.groups) await run(group, { ...options, stopped })
      done.push(name)
    } catch (error) {
      if (!stopped.aborted)
        log.warn({ err: error, task: name }, 'house-keeping failed, it will be tried again')
      await returnTick(db, name, stopped.aborted ? 0 : AGAIN).catch(() => {})
    }
  }
  return done
}

export interface Housekeeping {
  /** Begins nothing more; resolves when nothing of it is under way. */
  stop(): Promise<void>
}

/** Looks once now and then every minute. */
export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
  const stopping = new AbortController()
  const keep = (): Promise<unknown> => keepHouse(options, stopping.signal)
  let underway = keep()
  const job = schedule('* * * * *', () => (underway = underway.then(keep)), { noOverlap: true })
  return {
    async stop() {
      stopping.abort()
      await job.destroy()
      await underway
    }
  }
}
