// The frames of one legacy client, answered in order. The client gets no confirmation of its changes, so their order must hold,
// and frames above the rate limit wait instead of being dropped.

import { MessageBudget } from './socket-limits.ts'

const MAX_WAITING = 50

export class FrameQueue {
  readonly #budget = new MessageBudget()
  readonly #waiting: (() => Promise<void>)[] = []
  #isRunning = false

  /** @param work - must not throw. @returns false if the queue is full; the work is not done */
  add(work: () => Promise<void>): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false
    this.#waiting.push(work)
    if (!this.#isRunning) void this.#run()
    return true
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let work = this.#waiting.shift(); work; work = this.#waiting.shift()) {
      await this.#budget.wait()
      await work()
    }
    this.#isRunning = false
  }
}
