// How far back a claim looks: behind the oldest row of the last one lie the dead entries of the index, and now and then a row.

import { performance } from 'node:perf_hooks'

/** Milliseconds behind the row that the last look reached. What commits later is found by the full look. */
export const TRAIL = 2000
/** Milliseconds between two looks at everything. */
export const FULL_LOOK = 10_000

export const EVERYTHING = new Date(0)

export class Horizon {
  #low = EVERYTHING
  #fullLookAt = Number.NEGATIVE_INFINITY

  /**
   * Of the claim that begins now. Whoever widens it while that is under way widens the one after it.
   *
   * @param all - look at everything in any case
   */
  next(all: boolean): Date {
    const now = performance.now()
    if (!all && now - this.#fullLookAt < FULL_LOOK) return this.#low
    this.#fullLookAt = now
    return EVERYTHING
  }

  claimed(oldest: Date): void {
    this.#low = new Date(oldest.getTime() - TRAIL)
  }

  /** The next claim looks at everything. */
  widen(): void {
    this.#fullLookAt = Number.NEGATIVE_INFINITY
  }
}
