// Frames of an existing client, one after the other: it is told nothing of what was done, so the last word must stand, and
// what comes faster than its budget waits instead of being lost.

import { Budget } from './socket-limits.ts'

/** Frames that wait, at most. */
const WAITING = 50

export class FrameQueue {
  readonly #budget = new Budget()
  readonly #waiting: (() => Promise<void>)[] = []
  #running = false

  /** @param work - which does not throw. @returns false when too much waits already: it is not done */
  take(work: () => Promise<void>): boolean {
    if (this.#waiting.length >= WAITING) return false
    this.#waiting.push(work)
    if (!this.#running) void this.#run()
    return true
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let work = this.#waiting.shift(); work; work = this.#waiting.shift()) {
      await this.#budget.wait()
      await work()
    }
    this.#running = false
  }
}
