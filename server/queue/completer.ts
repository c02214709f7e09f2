// Writes the results of attempts in batches: those of up to 20 ms in one statement.
//
// A crash within that time loses results, and their rows are delivered again.

import type { Log } from '../core/log.ts'
import type { DatabaseGroup } from '../db/db.ts'
import { claimKey, finish, type AttemptResult, type FinishPart } from './finish.sql.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { QueueName } from './queues.ts'
import { retryUntilUp } from './retry-until-up.ts'

const WINDOW_MS = 20
const BATCH_SIZE = 500
/** Writes at once, so that the database works on one while this process prepares the other. */
const MAX_WRITERS = 2
/** A further write begins with this many results: small ones would cost the database more than they save time. */
const MIN_FURTHER_BATCH_SIZE = BATCH_SIZE / 4

export interface CompletedBatch {
  readonly rows: readonly ClaimedRow[]
  /** Rows that were claimed again before their result arrived: nothing was written for them. */
  readonly fencedIds: readonly string[]
  readonly forwardedTo: ReadonlySet<QueueName>
}

export interface CompleterOptions {
  readonly finishParts: readonly FinishPart[]
  readonly log: Log
  /** Called after each write, when the rows are no longer claimed. */
  readonly onCompleted: (batch: CompletedBatch) => void
}

export class Completer {
  readonly #group: DatabaseGroup
  readonly #options: CompleterOptions
  #buffer: AttemptResult[] = []
  #timer: NodeJS.Timeout | undefined
  #activeWriterCount = 0
  readonly #writers = new Set<Promise<void>>()

  constructor(group: DatabaseGroup, options: CompleterOptions) {
    this.#group = group
    this.#options = options
  }

  /** @param isLast - whether no other result is expected soon, so that the batch need not wait */
  add(result: AttemptResult, isLast: boolean): void {
    this.#buffer.push(result)
    if (isLast || this.#buffer.length >= BATCH_SIZE) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), WINDOW_MS)
  }

  /** Resolves when every result that was added is written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const minBatchSize = this.#activeWriterCount === 0 ? 1 : MIN_FURTHER_BATCH_SIZE
    if (this.#activeWriterCount < MAX_WRITERS && this.#buffer.length >= minBatchSize) {
      const writer: Promise<void> = this.#write().finally(() => this.#writers.delete(writer))
      this.#writers.add(writer)
    }
    await Promise.all(this.#writers)
  }

  /**
   * Writes until the buffer is empty; results that are added meanwhile belong to the next batch.
   *
   * Invariant: the writer is no longer counted in the same tick in which it finds the buffer empty. A result added in between
   * would never be written, and its row would be delivered again.
   */
  async #write(): Promise<void> {
    this.#activeWriterCount += 1
    try {
      while (this.#buffer.length > 0) {
        const batch = this.#buffer.splice(0, BATCH_SIZE)
        const written = await this.#writeBatch(batch)
        const fencedIds = batch.filter(({ row }) => !written.has(claimKey(row))).map(({ row }) => row.id)
        const forwardedTo = new Set(batch.flatMap(({ forwardTo }) => forwardTo ?? []))
        this.#options.onCompleted({ fencedIds, forwardedTo, rows: batch.map(({ row }) => row) })
      }
    } finally {
      this.#activeWriterCount -= 1
    }
  }

  /** Waits for a database that is down as long as necessary, because fencing rejects results that arrive too late. */
  async #writeBatch(batch: readonly AttemptResult[]): Promise<Set<string>> {
    const { finishParts, log } = this.#options
    const rowCount = batch.length
    const onWait = (err: unknown): void =>
      log.warn(
        { err, event: 'results_wait', rowCount },
        'database unavailable; delivery results wait in memory'
      )
    try {
      return await retryUntilUp(() => finish(this.#group, batch, finishParts), { onWait })
    } catch (err) {
      log.error(
        { err, event: 'result_batch_failed', rowCount },
        'batch of delivery results failed; writing its results one by one'
      )
      return this.#writeOneByOne(batch)
    }
  }

  /** Writes each result without its optional parts if it fails with them, so that its row is not delivered twice. */
  async #writeOneByOne(batch: readonly AttemptResult[]): Promise<Set<string>> {
    const { finishParts, log } = this.#options
    const requiredParts = finishParts.filter(({ isOptional }) => !isOptional)
    const written = new Set<string>()
    for (const result of batch) {
      const { queue, row } = result
      const keys = await finish(this.#group, [result], finishParts)
        .catch(() => finish(this.#group, [result], requiredParts))
        .catch((err: unknown) => {
          log.error(
            { err, event: 'result_lost', queue, rowId: row.id },
            'could not write a delivery result; the row is claimed again when its lease expires'
          )
          return [claimKey(row)]
        })
      for (const key of keys) written.add(key)
    }
    return written
  }
}
