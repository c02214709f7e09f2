// Runs delivery attempts with limited concurrency and a time-out. Further rows wait in the order of their due times.

import { performance } from 'node:perf_hooks'

import type { Log } from '../core/log.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'
import type { Attempt, DeliveryJob } from './queue-job.ts'
import { toCrash, type AttemptOutcome } from './result.ts'

/** Time from the claim to the attempt. A row that waited longer returns to the queue, because its lease would end too early. */
const START_TIMEOUT_MS = 8000
/** After the time-out, a channel has this long to return its own outcome. */
const ABORT_GRACE_MS = 1000

type DeliverRow = (row: ClaimedRow, attempt: Attempt) => Promise<Outcome>

interface Entry {
  readonly row: ClaimedRow
  readonly deliver: DeliverRow
  /** When the claim was sent: the lease began at that time or later. */
  readonly claimedAt: number
}

export interface ExecutorOptions {
  readonly monotonicMs: () => number
  readonly log: Log
  /** Whether the circuit breaker allows no attempt now. */
  readonly isPaused: () => boolean
  /** @param isLast - whether no other attempt runs or waits */
  readonly onOutcome: (row: ClaimedRow, outcome: AttemptOutcome, durationMs: number, isLast: boolean) => void
  readonly returnToQueue: (rows: readonly ClaimedRow[]) => void
}

export class Executor {
  readonly #job: DeliveryJob
  readonly #options: ExecutorOptions
  #waiting: Entry[] = []
  readonly #active = new Map<Entry, AbortController>()

  constructor(job: DeliveryJob, options: ExecutorOptions) {
    this.#job = job
    this.#options = options
  }

  /** @param claimedAt - when the claim was sent */
  execute(rows: readonly ClaimedRow[], deliver: DeliverRow, claimedAt: number): void {
    for (const row of rows) this.#waiting.push({ claimedAt, deliver, row })
    this.#startNext()
  }

  /** Removes the rows that did not start, and returns them. */
  takeWaiting(): ClaimedRow[] {
    return this.#waiting.splice(0).map(entry => entry.row)
  }

  /** Aborts the running attempts, whose outcomes are then ignored, and returns their rows. */
  abort(): ClaimedRow[] {
    const active = [...this.#active]
    this.#active.clear()
    for (const [, controller] of active) controller.abort(new Error('The process stops.'))
    return active.map(([entry]) => entry.row)
  }

  #startNext(): void {
    const [first] = this.#waiting
    if (!first) return
    if (this.#options.isPaused()) this.#options.returnToQueue(this.takeWaiting())
    else if (this.#hasWaited(first, START_TIMEOUT_MS)) {
      const lateCount = this.#waiting.findLastIndex(entry => this.#hasWaited(entry, START_TIMEOUT_MS)) + 1
      this.#options.returnToQueue(this.#waiting.splice(0, lateCount).map(entry => entry.row))
    }
    const freeSlots = this.#job.concurrency - this.#active.size
    for (const entry of this.#waiting.splice(0, Math.max(0, freeSlots))) void this.#attempt(entry)
  }

  #hasWaited({ claimedAt }: Entry, limitMs: number): boolean {
    return this.#options.monotonicMs() - claimedAt > limitMs
  }

  async #attempt(entry: Entry): Promise<void> {
    const controller = new AbortController()
    this.#active.set(entry, controller)
    const startedAt = performance.now()
    const outcome = await this.#runWithTimeout(entry, controller)
    if (!this.#active.delete(entry)) return
    const isLast = this.#active.size + this.#waiting.length === 0
    if (outcome.kind === 'late') this.#options.returnToQueue([entry.row])
    else this.#options.onOutcome(entry.row, outcome, performance.now() - startedAt, isLast)
    this.#startNext()
  }

  /** Resolves at the latest {@link ABORT_GRACE_MS} after the time-out. */
  #runWithTimeout(entry: Entry, controller: AbortController): Promise<AttemptOutcome | Outcome> {
    const { deliver, row } = entry
    const { queue, timeoutMs } = this.#job
    const isTooLate = (): boolean => this.#hasWaited(entry, START_TIMEOUT_MS + timeoutMs)
    const detail = `No answer within ${timeoutMs} ms.`
    return new Promise(resolve => {
      let timer = setTimeout(() => {
        controller.abort(new Error(detail))
        timer = setTimeout(() => resolve({ code: 'timeout', detail, kind: 'uncertain' }), ABORT_GRACE_MS)
      }, timeoutMs)
      const end = (outcome: AttemptOutcome | Outcome): void => {
        clearTimeout(timer)
        resolve(outcome)
      }
      const crash = (err: unknown): void => {
        this.#options.log.error(
          { err, event: 'attempt_threw', queue, rowId: row.id },
          'delivery code threw an error; it counts as a failed attempt'
        )
        end(toCrash(err))
      }
      try {
        deliver(row, { isTooLate, number: row.claimCount, signal: controller.signal }).then(end, crash)
      } catch (error) {
        crash(error)
      }
    })
  }
}
