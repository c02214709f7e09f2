// What a loop holds, and how much it may claim now: what its hands, the speed of late, the provider's rate and the breaker leave.

import { performance } from 'node:perf_hooks'

import type { Breaker } from './circuit-breaker.ts'
import type { Claimed } from './outbox.sql.ts'
import { Pace } from './prefetch.ts'
import type { Work } from './queue-job.ts'
import type { Rate } from './rate-limiter.ts'

const STEP_BATCH = 100

type Weighed = Pick<Claimed, 'bytes'>

const bytesOf = (rows: readonly Weighed[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)

export class Room {
  readonly #breaker: Breaker
  readonly #most: number
  readonly #pace: Pace
  readonly #rate: Rate | undefined
  readonly #slots: number
  #bytes = 0
  #held = 0
  #leaveIn = 0

  /** @param rate - of all loops of the queue together; undefined: the provider takes any number */
  constructor(work: Work, breaker: Breaker, rate: Rate | undefined) {
    this.#breaker = breaker
    this.#most = work.bytes ?? Number.MAX_SAFE_INTEGER
    this.#rate = rate
    this.#slots = work.kind === 'step' ? (work.batch ?? STEP_BATCH) : work.slots
    this.#pace = new Pace(work.kind === 'step' ? 0 : (work.ahead ?? 3 * work.slots))
  }

  /** Rows claimed and not yet out of our hands. */
  get held(): number {
    return this.#held
  }

  /** Bytes that the next claim may bring; one row always comes. */
  get bytes(): number {
    return Math.max(0, this.#most - this.#bytes)
  }

  /** Rows that the next claim may bring. */
  get rows(): number {
    const held = this.#held
    const now = performance.now()
    if (this.#rate) {
      // Started at once or not claimed: what waits in our hands would start all together when a provider wakes up.
      const idle = this.#slots - held
      this.#leaveIn = idle > 0 ? this.#rate.wait(now) : 0
      const free = Math.min(idle, this.#rate.room(now))
      return free > 0 ? this.#breaker.room(free, held) : 0
    }
    // One by one into free slots, nothing in advance.
    if (this.bytes === 0) return held < this.#slots ? this.#breaker.room(1, held) : 0
    const capacity = this.#slots + this.#pace.ahead(now)
    const free = capacity - held
    // Only hands that are half empty take more, so that claims stay few and large.
    return free * 2 < capacity ? 0 : this.#breaker.room(Math.min(free, this.#fitting), held)
  }

  /** Rows for which there are bytes, were they like those in our hands: a claim locks what it asks for, and leaves the rest. */
  get #fitting(): number {
    return this.#bytes === 0 ? Number.POSITIVE_INFINITY : Math.ceil((this.bytes * this.#held) / this.#bytes)
  }

  /** Milliseconds after which there may be room, as it was when there was none for {@link rows}; 0: when a row ends. */
  get wait(): number {
    return this.#breaker.wait || this.#leaveIn
  }

  claimed(rows: readonly Weighed[]): void {
    this.#held += rows.length
    this.#bytes += bytesOf(rows)
    this.#rate?.took(rows.length, performance.now())
  }

  /** They are out of our hands. */
  released(rows: readonly Weighed[]): void {
    this.#held -= rows.length
    this.#bytes -= bytesOf(rows)
  }

  /** The queue got through so many. */
  ended(rows: number): void {
    this.#pace.ended(rows)
  }
}
