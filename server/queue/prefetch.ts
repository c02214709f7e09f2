// How many rows a queue claims in advance: what it got through lately in half a second.
//
// A fast provider must not wait for the database after every few rows; what a slow one is given waits in this process
// while another is free, and a crash leaves it waiting for the end of its lease.

/** Milliseconds of work that are claimed in advance. */
const ADVANCE = 500
/** Milliseconds over which the speed is measured. */
const SPAN = 250
const GROWTH = 20
/** Rows of one claim that are still cheap to hold. */
const MOST = 500

export class Pace {
  readonly #least: number
  readonly #most: number
  #ahead: number
  #ended = 0
  #since = Number.NEGATIVE_INFINITY

  /** @param least - rows in advance at any speed; 0: never any */
  constructor(least: number) {
    this.#least = least
    this.#most = Math.max(least, Math.min(GROWTH * least, MOST))
    this.#ahead = least
  }

  ended(rows: number): void {
    this.#ended += rows
  }

  /** @param now - milliseconds of a clock that is never set back */
  ahead(now: number): number {
    const span = now - this.#since
    if (span >= SPAN) {
      const advance = Math.round((this.#ended / span) * ADVANCE)
      this.#ahead = Math.min(Math.max(advance, this.#least), this.#most)
      this.#ended = 0
      this.#since = now
    }
    return this.#ahead
  }
}
