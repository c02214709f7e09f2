// The log lines of a worker, by what happened.

import { LRUCache } from 'lru-cache'

import type { Log } from '../core/log.ts'
import type { QueueName } from './queues.ts'

/** A paused queue and its dead letters are a warning once in this time for each code, else debug. */
const REPEAT_AFTER_MS = 15 * 60_000
/** After this time, the next pause of a queue that was resumed is a warning. */
const RESUMED_AFTER_MS = 60_000
/** Codes come from providers. */
const MAX_CODES = 100

export function createWorkerLog(log: Log, queue: QueueName) {
  const logged = new LRUCache<string, true>({ max: MAX_CODES, ttl: REPEAT_AFTER_MS })
  const firstLevel = (event: string, code: string | undefined): 'debug' | 'warn' => {
    const key = `${event} ${code}`
    if (logged.has(key)) return 'debug'
    logged.set(key, true)
    return 'warn'
  }
  return {
    claimFailed: (err: unknown) =>
      log.warn(
        { err, event: 'claim_failed', queue },
        'could not claim rows; the worker claims again when the database answers'
      ),
    deadLetterHookFailed: (err: unknown, rowId: string) =>
      log.error(
        { err, event: 'dead_letter_hook_failed', queue, rowId },
        'the hook of a dead letter failed; the dead letter is written without it'
      ),
    deadLetterWaits: (err: unknown) =>
      log.warn(
        { err, event: 'dead_letter_waits', queue },
        'the database does not answer; the dead letter waits in memory until it does'
      ),
    /** Without the detail: the provider's text may quote an address. */
    deliveryDied: (code: string | undefined, rowId: string) => {
      log[firstLevel('delivery_died', code)](
        { code, event: 'delivery_died', queue, rowId },
        'delivery failed for good and is a dead letter; the level of others with this code is debug for 15 minutes'
      )
    },
    databaseJobFailed: (err: unknown, rowId: string) =>
      log.error(
        { err, event: 'database_job_failed', queue, rowId },
        'database job failed; it counts as a failed attempt'
      ),
    lostAttemptsUnlogged: (err: unknown) =>
      log.warn(
        { err, event: 'lost_attempts_unlogged', queue },
        'could not log attempts without a result; their rows are delivered again'
      ),
    prepareFailed: (err: unknown, rowCount: number) =>
      log.error(
        { err, event: 'prepare_failed', queue, rowCount },
        'could not prepare deliveries; it counts as a failed attempt of each row'
      ),
    /** Without the detail: the provider's text may quote an address. */
    queuePaused: (code: string | undefined, outcome: string, pauseMs: number) => {
      log[firstLevel('queue_paused', code)](
        { code, event: 'queue_paused', outcome, pauseMs, queue },
        'queue paused after provider failures; one message probes the provider when each pause ends'
      )
    },
    queueResumed: (code: string, faultSince: Date) => {
      logged.set(`queue_paused ${code}`, true, { ttl: RESUMED_AFTER_MS })
      log.info(
        { code, event: 'queue_resumed', faultSince, queue },
        'queue resumed: the provider answers again'
      )
    },
    resultsFenced: (rowIds: readonly string[]) =>
      log.warn(
        { event: 'results_fenced', queue, rowIds },
        'late delivery results ignored: the rows were claimed again, or their users were erased'
      ),
    returnFailed: (err: unknown, rowCount: number) =>
      log.warn(
        { err, event: 'return_failed', queue, rowCount },
        'could not return rows to the queue; they are claimed again at the latest when their lease expires'
      ),
    rowsReturned: (err: unknown, rowCount: number) =>
      log.warn(
        { err, event: 'rows_returned', queue, rowCount },
        'database unavailable; claimed rows return to the queue without using an attempt'
      )
  }
}

export type WorkerLog = ReturnType<typeof createWorkerLog>
