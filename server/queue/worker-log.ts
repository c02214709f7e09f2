// The log lines of a worker, by what happened.

import type { Log } from '../core/log.ts'
import type { QueueName } from './queues.ts'

export const createWorkerLog = (log: Log, queue: QueueName) => ({
  claimFailed: (err: unknown) =>
    log.warn(
      { err, event: 'claim_failed', queue },
      'could not claim rows; the worker claims again when the database answers'
    ),
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
})

export type WorkerLog = ReturnType<typeof createWorkerLog>
