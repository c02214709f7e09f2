// House-keeping: what is done now and then so that the database stays small. Nothing that a user sees hangs on it.
//
// Every task may run twice, late or on any node without harm; the table `ticks` keeps it to about once.

import { schedule } from 'node-cron'

import { deleteOrphans } from '../attachments/store.ts'
import type { Config } from '../config.ts'
import { dropOldPartitions, ensurePartitions } from '../db/partitions.ts'
import type { Db, Group } from '../db/sql.ts'
import { claimTick, returnTick } from '../db/ticks.ts'
import { deleteOldGates } from '../gates/store.ts'
import { purgeEnvironments } from '../environments/purge/store.ts'
import { deleteOldKeys } from '../http/store.ts'
import type { Log } from '../log.ts'
import { deleteOldLogs, readRetentions } from '../logs/retention/store.ts'
import { deleteHeadlessItems, deleteOld, deleteOldTombstones } from './store.ts'

/** How long a client may be away and still be told exactly what changed. */
const TOMBSTONE_DAYS = 7
const SANDBOX_DAYS = 7
/** A row of the outbox may be as old as its tries before the phone rings. */
const WORD_DAYS = 2
const KEY_HOURS = 24

const HOUR = 3600
/** Seconds after which a task that failed is tried again. */
const AGAIN = 120

interface Task {
  readonly name: string
  /** Seconds. */
  readonly every: number
  run(group: Group, config: HouseConfig, db: Db): Promise<unknown>
}

type HouseConfig = Pick<Config, 'deadLetterDays' | 'retentionDays'>

const untilNone = async (batch: () => Promise<number>): Promise<void> => {
  while ((await batch()) > 0);
}

const TASKS: readonly Task[] = [
  {
    every: 6 * HOUR,
    name: 'partitions',
    async run({ work }, { retentionDays }, db) {
      await ensurePartitions(work)
      const { longest } = await readRetentions(db.control, retentionDays)
      await dropOldPartitions(work, longest)
    }
  },
  {
    every: 6 * HOUR,
    name: 'retention',
    async run(group, { retentionDays }, db) {
      const { shorter } = await readRetentions(db.control, retentionDays)
      for (const { days, envId } of shorter) await untilNone(() => deleteOldLogs(group, envId, days))
    }
  },
  { every: HOUR, name: 'gates', run: group => untilNone(() => deleteOldGates(group)) },
  { every: 60, name: 'deleted-environments', run: (group, _config, db) => purgeEnvironments(db, group) },
  {
    every: HOUR,
    name: 'idempotency-keys',
    run: group => untilNone(() => deleteOldKeys(group, KEY_HOURS))
  },
  {
    every: HOUR,
    name: 'tombstones',
    run: group => untilNone(() => deleteOldTombstones(group, TOMBSTONE_DAYS))
  },
  {
    every: HOUR,
    name: 'sandbox',
    run: group => untilNone(() => deleteOld(group, 'sandbox_messages', SANDBOX_DAYS))
  },
  { every: HOUR, name: 'attachments', run: group => untilNone(() => deleteOrphans(group)) },
  {
    every: HOUR,
    name: 'call-words',
    run: group => untilNone(() => deleteOld(group, 'call_words', WORD_DAYS))
  },
  {
    every: 6 * HOUR,
    name: 'receipts',
    async run(group, { retentionDays }, db) {
      const { longest } = await readRetentions(db.control, retentionDays)
      await untilNone(() => deleteOld(group, 'receipts', longest))
    }
  },
  {
    every: 6 * HOUR,
    name: 'dead-letters',
    // Without its send, which the log keeps, a letter is of no use.
    async run(group, { deadLetterDays, retentionDays }) {
      await untilNone(() => deleteOld(group, 'dead_letters', Math.min(deadLetterDays, retentionDays)))
      await untilNone(() => deleteHeadlessItems(group))
    }
  }
]

export interface HousekeepingOptions {
  readonly db: Db
  readonly config: HouseConfig
  readonly log: Log
}

/** Does what is due; never throws. @returns names of the tasks that this call did */
export async function keepHouse({ db, config, log }: HousekeepingOptions): Promise<string[]> {
  const done: string[] = []
  for (const { name, every, run } of TASKS) {
    try {
      if (!(await claimTick(db, name, every))) continue
      for (const group of db.groups) await run(group, config, db)
      done.push(name)
    } catch (error) {
      log.warn({ err: error, task: name }, 'house-keeping failed, it will be tried again')
      await returnTick(db, name, AGAIN).catch(() => {})
    }
  }
  return done
}

export interface Housekeeping {
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>
}

/** Looks once now and then every minute. */
export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
  let underway: Promise<unknown> = keepHouse(options)
  const job = schedule('* * * * *', () => (underway = underway.then(() => keepHouse(options))), {
    noOverlap: true
  })
  return {
    async stop() {
      await job.destroy()
      await underway
    }
  }
}
