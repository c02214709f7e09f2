// The scan floor: the lowest `run_at` that a claim reads.
//
// Below the oldest due row the index holds dead entries of rows that were claimed before. A claim skips them, and a full
// scan finds rows that were committed below the floor.

import { performance } from 'node:perf_hooks'

/** Distance of the floor from the oldest row of the last claim, for rows that are committed late. */
export const SCAN_MARGIN_MS = 2000
const FULL_SCAN_INTERVAL_MS = 10_000

export const NO_FLOOR = new Date(0)

export class ScanFloor {
  #floor = NO_FLOOR
  #fullScanAt = Number.NEGATIVE_INFINITY

  /**
   * Returns the floor of the claim that begins now. A {@link reset} during that claim counts for the next one.
   *
   * @param isFullScan - whether this claim reads everything in any case
   */
  next(isFullScan: boolean): Date {
    const now = performance.now()
    if (!isFullScan && now - this.#fullScanAt < FULL_SCAN_INTERVAL_MS) return this.#floor
    this.#fullScanAt = now
    return NO_FLOOR
  }

  raise(oldest: Date): void {
    this.#floor = new Date(oldest.getTime() - SCAN_MARGIN_MS)
  }

  /** Makes the next claim read everything. */
  reset(): void {
    this.#fullScanAt = Number.NEGATIVE_INFINITY
  }
}
