// Limits how many attempts a queue starts per second, if its provider limits the rate.
//
// Permits do not add up while the queue is idle, so no second has more attempts than the rate, one batch and the permits
// of a late timer.

/** Permits of this time are used together, so that a high rate needs fewer and larger claims. */
const BATCH_MS = 50
/** A worker that asks this much too late loses no permit. */
const MAX_LATENESS_MS = 20

export class RateLimiter {
  readonly #intervalMs: number
  readonly #batchSize: number
  /** Every permit up to this time is used, in milliseconds of a monotonic clock. */
  #usedUntil = Number.NEGATIVE_INFINITY

  /** @param perSecond - more than 0 */
  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond
    this.#batchSize = Math.max(1, Math.floor(BATCH_MS / this.#intervalMs))
  }

  /** Returns the rows that may start now: a whole batch, or none. */
  readPermits(now: number): number {
    return this.readWaitMs(now) > 0 ? 0 : this.#batchSize
  }

  readWaitMs(now: number): number {
    return Math.max(0, this.#usedUntil + this.#batchSize * this.#intervalMs - now)
  }

  usePermits(rowCount: number, now: number): void {
    const earliest = now - this.#batchSize * this.#intervalMs - MAX_LATENESS_MS
    this.#usedUntil = Math.max(this.#usedUntil, earliest) + rowCount * this.#intervalMs
  }
}
