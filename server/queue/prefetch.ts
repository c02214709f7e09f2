// How many rows a worker claims ahead of free slots: as many as it completed in half a second lately.
//
// Without prefetch, a fast provider waits for the database after every few rows. Too much of it keeps rows from other
// processes that have free slots, and after a crash the rows wait until their lease ends.

/** Work that is claimed ahead, in milliseconds at the measured speed. */
const PREFETCH_MS = 500
const MEASURE_INTERVAL_MS = 250
const MAX_GROWTH = 20
/** Limits the rows of one claim, which all stand in memory. */
const MAX_ROWS = 500

export class Prefetch {
  readonly #minRows: number
  readonly #maxRows: number
  #rows: number
  #completedCount = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  /** @param minRows - prefetched rows at any speed; 0 turns the prefetch off */
  constructor(minRows: number) {
    this.#minRows = minRows
    this.#maxRows = Math.max(minRows, Math.min(MAX_GROWTH * minRows, MAX_ROWS))
    this.#rows = minRows
  }

  recordCompleted(rowCount: number): void {
    this.#completedCount += rowCount
  }

  /** @param now - milliseconds of a monotonic clock */
  readRows(now: number): number {
    const intervalMs = now - this.#measuredAt
    if (intervalMs >= MEASURE_INTERVAL_MS) {
      const rows = Math.round((this.#completedCount / intervalMs) * PREFETCH_MS)
      this.#rows = Math.min(Math.max(rows, this.#minRows), this.#maxRows)
      this.#completedCount = 0
      this.#measuredAt = now
    }
    return this.#rows
  }
}
