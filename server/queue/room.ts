// How many rows a loop may claim now: what its hands, the speed of late, the provider's rate and the breaker leave.

import { performance } from 'node:perf_hooks'

import type { Breaker } from './breaker.ts'
import type { Work } from './lane.ts'
import { Pace } from './pace.ts'
import type { Rate } from './rate.ts'

const STEP_BATCH = 100

export class Room {
  readonly #breaker: Breaker
  readonly #pace: Pace
  readonly #rate: Rate | undefined
  readonly #slots: number
  #leaveIn = 0

  /** @param rate - of all loops of the lane together; undefined: the provider takes any number */
  constructor(work: Work, breaker: Breaker, rate: Rate | undefined) {
    this.#breaker = breaker
    this.#rate = rate
    this.#slots = work.kind === 'step' ? (work.batch ?? STEP_BATCH) : work.slots
    this.#pace = new Pace(work.kind === 'step' ? 0 : (work.ahead ?? 3 * work.slots))
  }

  /** @param held - rows claimed and not yet out of our hands */
  left(held: number): number {
    const now = performance.now()
    if (this.#rate) {
      // Started at once or not claimed: what waits in our hands would start all together when a provider wakes up.
      const idle = this.#slots - held
      this.#leaveIn = idle > 0 ? this.#rate.wait(now) : 0
      const free = Math.min(idle, this.#rate.room(now))
      return free > 0 ? this.#breaker.room(free, held) : 0
    }
    const capacity = this.#slots + this.#pace.ahead(now)
    const free = capacity - held
    // Only hands that are half empty take more, so that claims stay few and large.
    return free * 2 < capacity ? 0 : this.#breaker.room(free, held)
  }

  /** Milliseconds after which there may be room, as it was when none was {@link left}; 0: when a row ends. */
  get wait(): number {
    return this.#breaker.wait || this.#leaveIn
  }

  claimed(rows: number): void {
    this.#rate?.took(rows, performance.now())
  }

  ended(rows: number): void {
    this.#pace.ended(rows)
  }
}
