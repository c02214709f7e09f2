// The tasks of housekeeping and their intervals. A new task stands here.

import { deleteExpiredCallbacks } from '../channels/sms-call/replays.sql.ts'
import type { Config } from '../config/config.ts'
import type { Db, DatabaseGroup } from '../db/db.ts'
import { dropOldPartitions, ensurePartitions } from '../db/partitions.ts'
import { purgeEnvironments } from '../environments/purge.sql.ts'
import { deleteOldProgress, deleteOldTasks } from '../environments/tasks/tasks.sql.ts'
import { deleteOldEntries } from '../http/audit/audit.sql.ts'
import { deleteOldKeys } from '../http/idempotency.sql.ts'
import { addLogCounts, deleteOldCounts } from '../logs/counts.sql.ts'
import { deleteOldMinutes } from '../logs/minutes.sql.ts'
import { deleteOldLogs, readRetentions } from '../logs/retention.sql.ts'
import { deleteExpiredSessions } from '../operators/sessions.sql.ts'
import { deleteOldDropped } from '../queue/dead-letters/dropped.sql.ts'
import { deleteOrphanedAttachments } from '../send/attachments/attachments.sql.ts'
import { deleteExpiredRateCounters } from '../send/rate-control/rate-control.sql.ts'
import { deleteOldExports } from '../users/privacy/stored-exports.sql.ts'
import { finishDeletions } from '../users/topics/remove-members.sql.ts'
import { deleteOldLeaves } from '../users/topics/user-topics.sql.ts'
import { deleteOrphanedDigestItems, deleteOld, deleteOldTombstones } from './housekeeping.sql.ts'
import { deleteOldNodes } from './nodes/nodes.sql.ts'

/** How long a client may be offline and still get exact changes instead of a reset. */
const TOMBSTONE_DAYS = 7
/** Spoken texts are needed until the last attempt of a call. */
const CALL_TEXT_DAYS = 2
/** The documented time for which the audit log is kept. */
const AUDIT_DAYS = 365
/** The documented lifetime of idempotency keys. */
const IDEMPOTENCY_KEY_HOURS = 24
/** At least. The log reads from a broadcast what was sent, so tasks are kept as long as the log is. */
const TASK_DAYS = 30
const MAX_TASK_DAYS = 400

/** Longer than the log, to compare months. */
const LOG_COUNT_DAYS = 400

const HOUR_SECONDS = 3600

interface Task {
  readonly name: string
  readonly everySeconds: number
  run(group: DatabaseGroup, options: TaskOptions): Promise<unknown>
}

/** Days that dead letters can be redriven. A later redrive would surprise its recipient. */
const MAX_DEAD_LETTER_DAYS = 30

/** Days that the sandbox stores messages, which are read during development only. */
const MAX_SANDBOX_DAYS = 7

export type HousekeepingConfig = Pick<Config, 'retentionDays'>

interface TaskOptions {
  readonly db: Db
  readonly config: HousekeepingConfig
  readonly stopped: AbortSignal
}

const repeatUntilEmpty = async ({ stopped }: TaskOptions, batch: () => Promise<number>): Promise<void> => {
  while ((await batch()) > 0) stopped.throwIfAborted()
}

export const TASKS: readonly Task[] = [
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'partitions',
    // Of a cluster, the coordinator changes the tables on all nodes, so other groups find nothing left.
    async run(_group, { config, db }) {
      await ensurePartitions(db.controlWork)
      const { longestDays } = await readRetentions(db.control, config.retentionDays)
      await dropOldPartitions(db.controlWork, longestDays)
    }
  },
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'retention',
    async run(group, options) {
      const { shorter } = await readRetentions(options.db.control, options.config.retentionDays)
      for (const { days, envId } of shorter)
        await repeatUntilEmpty(options, () => deleteOldLogs(group, envId, days))
    }
  },
  {
    // Less than a minute, so that a tick that is a moment early is not left out.
    everySeconds: 50,
    name: 'log-counts',
    run: (group, { stopped }) => addLogCounts(group, stopped)
  },
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'old-log-counts',
    async run(group, options) {
      await repeatUntilEmpty(options, () => deleteOldCounts(group, LOG_COUNT_DAYS))
      await repeatUntilEmpty(options, () => deleteOldMinutes(group))
    }
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'tasks-and-nodes',
    async run(group, options) {
      await repeatUntilEmpty(options, () => deleteOldExports(group))
      const { control } = options.db
      const { longestDays } = await readRetentions(control, options.config.retentionDays)
      await repeatUntilEmpty(options, () => deleteOldTasks(control, Math.max(TASK_DAYS, longestDays)))
      await repeatUntilEmpty(options, () => deleteOldProgress(group, MAX_TASK_DAYS))
      await deleteOldNodes(control)
    }
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'rate_counters',
    run: (group, options) => repeatUntilEmpty(options, () => deleteExpiredRateCounters(group))
  },
  {
    everySeconds: 60,
    name: 'deleted-environments',
    run: (group, { db, stopped }) => purgeEnvironments(db, group, stopped)
  },
  {
    everySeconds: 60,
    name: 'deleted-topics',
    async run(group, options) {
      // In all groups at once, so that others find nothing left.
      await finishDeletions(options.db, options.stopped)
      await repeatUntilEmpty(options, () => deleteOldLeaves(group))
    }
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'idempotency-keys',
    run: (group, options) => repeatUntilEmpty(options, () => deleteOldKeys(group, IDEMPOTENCY_KEY_HOURS))
  },
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'audit',
    // The audit log is in one database, so other groups find nothing left.
    run: (_group, options) =>
      repeatUntilEmpty(options, () => deleteOldEntries(options.db.control, AUDIT_DAYS))
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'sessions',
    run: (_group, options) => repeatUntilEmpty(options, () => deleteExpiredSessions(options.db.control))
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'tombstones',
    run: (group, options) => repeatUntilEmpty(options, () => deleteOldTombstones(group, TOMBSTONE_DAYS))
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'sandbox',
    run: (group, options) =>
      repeatUntilEmpty(options, () =>
        deleteOld(group, 'sandbox_messages', Math.min(MAX_SANDBOX_DAYS, options.config.retentionDays))
      )
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'attachments',
    run: (group, options) => repeatUntilEmpty(options, () => deleteOrphanedAttachments(group))
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'call-texts',
    run: (group, options) => repeatUntilEmpty(options, () => deleteOld(group, 'call_texts', CALL_TEXT_DAYS))
  },
  {
    everySeconds: HOUR_SECONDS,
    name: 'handled-callbacks',
    run: (_, options) => repeatUntilEmpty(options, () => deleteExpiredCallbacks(options.db))
  },
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'receipts',
    async run(group, options) {
      const { longestDays } = await readRetentions(options.db.control, options.config.retentionDays)
      await repeatUntilEmpty(options, () => deleteOld(group, 'receipts', longestDays))
    }
  },
  {
    everySeconds: 6 * HOUR_SECONDS,
    name: 'dead-letters',
    // A dead letter cannot be redriven without its send, which the log holds.
    async run(group, options) {
      const days = Math.min(MAX_DEAD_LETTER_DAYS, options.config.retentionDays)
      await repeatUntilEmpty(options, () => deleteOld(group, 'dead_letters', days))
      await repeatUntilEmpty(options, () => deleteOldDropped(group))
      await repeatUntilEmpty(options, () => deleteOrphanedDigestItems(group))
    }
  }
]
