// How many rows a queue may start by now, where its provider takes so many a second.
//
// Leave comes row by row and does not add up while the queue is idle, so no second sees more than its share and what a
// batch and a late timer bring with them.

/** Milliseconds of leave that may be used at once: fewer, larger claims at a high rate. */
const BATCH = 50
/** Milliseconds by which whoever asks may be late without losing leave. */
const LATE = 20

export class Rate {
  readonly #interval: number
  readonly #batch: number
  /** Up to here all leave is used. Milliseconds of a clock that is never set back. */
  #used = Number.NEGATIVE_INFINITY

  /** @param perSecond - more than 0 */
  constructor(perSecond: number) {
    this.#interval = 1000 / perSecond
    this.#batch = Math.max(1, Math.floor(BATCH / this.#interval))
  }

  /** Rows that may start: a whole batch, or none yet. */
  room(now: number): number {
    return this.wait(now) > 0 ? 0 : this.#batch
  }

  /** Milliseconds until a batch may start. */
  wait(now: number): number {
    return Math.max(0, this.#used + this.#batch * this.#interval - now)
  }

  took(rows: number, now: number): void {
    const earliest = now - this.#batch * this.#interval - LATE
    this.#used = Math.max(this.#used, earliest) + rows * this.#interval
  }
}
