// What a worker does with the rows of its queue: it delivers each to a provider, or processes them in the database.

import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { DatabaseGroup } from '../db/db.ts'
import type { FinishPart } from './finish.sql.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'
import type { QueueName } from './queues.ts'

/** Bytes of rows, as they are stored, that a queue reads ahead; a larger row is read alone. They are in memory at once. */
export const MAX_BATCH_BYTES = 8_000_000

export interface Attempt {
  /** Aborts at the time-out of the job, and when the process must stop. */
  readonly signal: AbortSignal
  /**
   * Returns whether the lease may end before the provider answers, because the process stood still since the claim. Ask
   * directly before the call; if true, the outcome is `late`.
   */
  readonly isTooLate: () => boolean
  /** 1 for the first attempt. Counts every claim, also one that did not use an attempt. */
  readonly number: number
}

/** Delivers rows to a provider. The worker finishes each row by its outcome. */
export interface DeliveryJob {
  readonly kind: 'delivery'
  readonly queue: QueueName
  /** Of one attempt. The lease is 15 s longer. */
  readonly timeoutMs: number
  /** Attempts that run at the same time, for each database group. */
  readonly concurrency: number
  /**
   * Rows claimed ahead, so that a free slot need not wait for a claim: at least this many, and up to 20 times as many if the
   * queue completes them in half a second. Default: 3 x concurrency.
   */
  readonly prefetch?: number
  /** Size of the bodies that are claimed ahead, as they are stored. Default: any. */
  readonly maxBytes?: number
  /** Attempts that this process starts per second, for all database groups together. Default 0: any number. */
  readonly attemptsPerSecond?: number
  readonly whenUncertain: 'retry' | 'dead'
  /** Each row has a provider of its own. A failure says nothing about the others, so the queue is never paused. */
  readonly hasSeparateProviders?: true
  /**
   * Reads what all rows need. The returned function makes one attempt. If `prepare` throws, each row uses an attempt, unless
   * the database is unavailable.
   */
  prepare(
    rows: readonly ClaimedRow[],
    group: DatabaseGroup
  ):
    | Promise<(row: ClaimedRow, attempt: Attempt) => Promise<Outcome>>
    | ((row: ClaimedRow, attempt: Attempt) => Promise<Outcome>)
  /**
   * Called before a row becomes a dead letter, for whatever reason: also if its attempts were lost, timed out or threw an error.
   * After a crash in between, it is called again.
   */
  beforeDeadLetter?(row: ClaimedRow, group: DatabaseGroup): Promise<void>
  close?(): Promise<void>
}

/**
 * Turns rows into other rows, without network.
 *
 * `run` opens a transaction and calls `removeClaimed` in it, so that its effects commit only for rows that are still
 * claimed. A row that `run` does not remove is claimed again when its lease ends. If `run` throws, it is called for each row
 * alone; a row that throws alone uses an attempt and backs off.
 */
export interface DatabaseJob {
  readonly kind: 'database'
  readonly queue: QueueName
  /** Of one `run`, with its transaction. The lease is 15 s longer. */
  readonly timeoutMs: number
  /** Rows of one `run`. Default: 100. */
  readonly batchSize?: number
  /** Size of the bodies of one `run`, as they are stored. One row is claimed in any case. Default: any. */
  readonly maxBytes?: number
  run(rows: readonly ClaimedRow[], group: DatabaseGroup): Promise<void>
}

export type QueueJob = DeliveryJob | DatabaseJob

export interface QueueOptions {
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Milliseconds of a clock that is never set back, and that runs while the process stands still. */
  readonly monotonicMs: () => number
  /** How late a row that another node wrote may be found. */
  readonly pollMs: number
  /** The first, second, … pause after faults of a provider. */
  readonly pausesMs?: readonly number[]
  /** Writes to the tables of other rooms when attempts are finished. */
  readonly finishParts: readonly FinishPart[]
  /** Logs the lost attempts of rows that were claimed again; passes over the other rows. */
  readonly logLostAttempts: (
    group: DatabaseGroup,
    queue: QueueName,
    claimed: readonly ClaimedRow[],
    now: number
  ) => Promise<void>
  readonly metrics?: QueueMetrics
  /** Whether the queue starts no attempts, because an operator paused it. Default: no. */
  readonly isPausedByOperator?: (queue: QueueName) => boolean
  readonly onResumed?: (queue: QueueName) => void
  /** Called when this process stops and has returned rows of this queue. */
  readonly onReturned?: (queue: QueueName) => void
  readonly wake?: (queues: Iterable<QueueName>) => void
}

export interface QueueMetrics {
  recordAttempt(attempt: {
    readonly queue: string
    readonly outcome: string
    readonly durationMs: number
    readonly envId: string
    /** Undefined for rows without a notification type. */
    readonly typeId: string | undefined
  }): void
  recordFenced(queue: string, rowCount: number): void
}
