// Counts the claimed rows of a worker, and says how many it may claim now.
//
// Concurrency, prefetch, the bytes of the bodies, the provider's rate, the circuit breaker and pauses by operators limit the number.

import { performance } from 'node:perf_hooks'

import type { CircuitBreaker } from './circuit-breaker.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import { Prefetch } from './prefetch.ts'
import type { QueueJob, QueueOptions } from './queue-job.ts'
import type { RateLimiter } from './rate-limiter.ts'

const DATABASE_JOB_BATCH_SIZE = 100

type SizedRow = Pick<ClaimedRow, 'bodyBytes'>

const sumBytes = (rows: readonly SizedRow[]): number =>
  rows.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0)

export class Capacity {
  readonly #breaker: CircuitBreaker
  readonly #maxBytes: number
  readonly #prefetch: Prefetch
  readonly #rateLimiter: RateLimiter | undefined
  readonly #concurrency: number
  readonly #isPausedByOperator: () => boolean
  #claimedBytes = 0
  #claimedCount = 0
  #permitInMs = 0

  /** @param rateLimiter - shared by all workers of the queue; undefined if the provider does not limit the rate */
  constructor(
    job: QueueJob,
    breaker: CircuitBreaker,
    rateLimiter: RateLimiter | undefined,
    { isPausedByOperator }: Pick<QueueOptions, 'isPausedByOperator'> = {}
  ) {
    const isDatabaseJob = job.kind === 'database'
    this.#isPausedByOperator = () => isPausedByOperator?.(job.queue) ?? false
    this.#breaker = breaker
    this.#maxBytes = job.maxBytes ?? Number.MAX_SAFE_INTEGER
    this.#rateLimiter = rateLimiter
    this.#concurrency = isDatabaseJob ? (job.batchSize ?? DATABASE_JOB_BATCH_SIZE) : job.concurrency
    this.#prefetch = new Prefetch(isDatabaseJob ? 0 : (job.prefetch ?? 3 * job.concurrency))
  }

  /** Rows that this process has claimed, and that are not released yet. */
  get claimedCount(): number {
    return this.#claimedCount
  }

  /** Bytes that the next claim may return. A claim returns one row in any case. */
  get freeBytes(): number {
    return Math.max(0, this.#maxBytes - this.#claimedBytes)
  }

  /** Whether no attempt may start: after a failure of the provider, or because an operator paused the queue. */
  get isPaused(): boolean {
    return this.#breaker.pauseLeftMs > 0 || this.#isPausedByOperator()
  }

  get freeRows(): number {
    if (this.#isPausedByOperator()) return 0
    const claimed = this.#claimedCount
    const now = performance.now()
    if (this.#rateLimiter) {
      // No prefetch: rows that wait in memory would all start together after a pause.
      const freeSlots = this.#concurrency - claimed
      this.#permitInMs = freeSlots > 0 ? this.#rateLimiter.readWaitMs(now) : 0
      const free = Math.min(freeSlots, this.#rateLimiter.readPermits(now))
      return free > 0 ? this.#breaker.allowedRows(free, claimed) : 0
    }
    // Without free bytes, rows are claimed one by one for free slots.
    if (this.freeBytes === 0) return claimed < this.#concurrency ? this.#breaker.allowedRows(1, claimed) : 0
    const capacity = this.#concurrency + this.#prefetch.readRows(now)
    const free = capacity - claimed
    // Claims only when half of the capacity is free, so that claims are few and large.
    return free * 2 < capacity ? 0 : this.#breaker.allowedRows(Math.min(free, this.#rowsThatFit), claimed)
  }

  /** Rows that fit into the free bytes if they are as large as the claimed ones. A claim locks as many rows as it asks for. */
  get #rowsThatFit(): number {
    return this.#claimedBytes === 0
      ? Number.POSITIVE_INFINITY
      : Math.ceil((this.freeBytes * this.#claimedCount) / this.#claimedBytes)
  }

  /** Milliseconds after which {@link freeRows} may be more than 0 again; 0: only when a row is released. */
  get waitMs(): number {
    return this.#isPausedByOperator() ? 0 : this.#breaker.pauseLeftMs || this.#permitInMs
  }

  addClaimed(rows: readonly SizedRow[]): void {
    this.#claimedCount += rows.length
    this.#claimedBytes += sumBytes(rows)
    this.#rateLimiter?.usePermits(rows.length, performance.now())
  }

  release(rows: readonly SizedRow[]): void {
    this.#claimedCount -= rows.length
    this.#claimedBytes -= sumBytes(rows)
  }

  /** Measures the speed of the queue for the prefetch. */
  recordCompleted(rowCount: number): void {
    this.#prefetch.recordCompleted(rowCount)
  }
}
