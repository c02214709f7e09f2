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
  #writing: Promise<void> | undefined

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
    if (this.#buffer.length > 0) this.#writing ??= this.#write()
    await this.#writing
  }

  /**
   * Writes until the buffer is empty; results that are added meanwhile belong to the next batch.
   *
   * Invariant: `#writing` is cleared in the same tick in which the buffer is found empty. A result added in between would
   * never be written, and its row would be delivered again.
   */
  async #write(): Promise<void> {
    try {
      while (this.#buffer.length > 0) {
        const batch = this.#buffer.splice(0, BATCH_SIZE)
        const written = await this.#writeBatch(batch)
        const fencedIds = batch.filter(({ row }) => !written.has(claimKey(row))).map(({ row }) => row.id)
        const forwardedTo = new Set(batch.flatMap(({ forwardTo }) => forwardTo ?? []))
        this.#options.onCompleted({ fencedIds, forwardedTo, rows: batch.map(({ row }) => row) })
      }
    } finally {
      this.#writing = undefined
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
