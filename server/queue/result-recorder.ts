// Records the outcomes of a worker's attempts: for the circuit breaker, for metrics, and through the completer for the rows.

import { placementHashInId, uuidv7 } from '../core/id.ts'
import type { Log } from '../core/log.ts'
import type { DatabaseGroup } from '../db/db.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { Completer, type CompletedBatch } from './completer.ts'
import { observeOutcome } from './observe-outcome.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { DeliveryJob, QueueJob, QueueOptions } from './queue-job.ts'
import { toResult, type AttemptOutcome } from './result.ts'
import { retryUntilUp } from './retry-until-up.ts'
import type { WorkerLog } from './worker-log.ts'

export interface RecorderOptions {
  readonly breaker: CircuitBreaker
  readonly group: DatabaseGroup
  readonly job: QueueJob
  readonly log: Log
  readonly workerLog: WorkerLog
  /** Called after each write, when the rows are no longer claimed. */
  readonly onCompleted: (rows: readonly ClaimedRow[]) => void
}

export class ResultRecorder {
  readonly #options: QueueOptions & RecorderOptions
  readonly #completer: Completer
  /** Calls of `beforeDeadLetter` that run. */
  readonly #hooks = new Set<Promise<void>>()

  constructor(options: QueueOptions & RecorderOptions) {
    const { finishParts, group, log } = options
    this.#options = options
    this.#completer = new Completer(group, {
      finishParts,
      log,
      onCompleted: batch => this.#onCompleted(batch)
    })
  }

  /** @param isLast - whether no other outcome is expected soon, so that the write need not wait */
  record(row: ClaimedRow, outcome: AttemptOutcome, durationMs: number, isLast: boolean): void {
    const { breaker, clock, job, metrics, random, workerLog } = this.#options
    const { queue } = job
    const delivery = job.kind === 'delivery' ? job : undefined
    if (!delivery?.hasSeparateProviders) observeOutcome(outcome, queue, breaker, this.#options)
    const whenUncertain = delivery?.whenUncertain ?? 'retry'
    const decision = toResult(row, outcome, { pauseLeftMs: breaker.pauseLeftMs, random, whenUncertain })
    metrics?.recordAttempt({
      durationMs,
      envId: row.envId,
      outcome: decision.isDeadLetter ? 'dead' : outcome.kind,
      queue,
      typeId: typeOf(row)
    })
    if (decision.isDeadLetter) workerLog.deliveryDied(decision.code, row.id)
    const attemptId = uuidv7(placementHashInId(row.id), clock())
    const add = (): void => this.#completer.add({ attemptId, durationMs, queue, row, ...decision }, isLast)
    if (!decision.isDeadLetter || !delivery?.beforeDeadLetter) return add()
    const hook = this.#beforeDeadLetter(delivery, row).then(add)
    this.#hooks.add(hook)
    void hook.finally(() => this.#hooks.delete(hook))
  }

  async #beforeDeadLetter(job: DeliveryJob, row: ClaimedRow): Promise<void> {
    const { group, workerLog } = this.#options
    try {
      await retryUntilUp(() => job.beforeDeadLetter!(row, group), { onWait: workerLog.deadLetterWaits })
    } catch (err) {
      workerLog.deadLetterHookFailed(err, row.id)
    }
  }

  /** Resolves when every outcome that was recorded is written. */
  async flush(): Promise<void> {
    await Promise.all(this.#hooks)
    await this.#completer.flush()
  }

  #onCompleted({ fencedIds, forwardedTo, rows }: CompletedBatch): void {
    const { job, metrics, onCompleted, wake, workerLog } = this.#options
    onCompleted(rows)
    if (forwardedTo.size > 0) wake?.(forwardedTo)
    if (fencedIds.length === 0) return
    metrics?.recordFenced(job.queue, fencedIds.length)
    workerLog.resultsFenced(fencedIds)
  }
}

function typeOf({ body }: ClaimedRow): string | undefined {
  const id = (body as { readonly notificationId?: unknown } | null)?.notificationId
  return typeof id === 'string' ? id : undefined
}
