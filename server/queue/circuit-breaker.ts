// The breaker of a queue: after a fault of the provider the queue rests, then one row probes.
//
// closed --fault, or 10 failures within a minute--> open --time--> probing --sent--> closed
//                                                    ^---------------fault---'

import type { Clock } from '../core/clock.ts'
import { clampAfter } from './backoff.ts'

/** Milliseconds of the first, second, ... rest in a row; the last one repeats. */
export const RESTS: readonly number[] = [5000, 10_000, 20_000, 40_000, 60_000]
/** So many failures of different tries in a row, within {@link WINDOW}, are the provider's fault as well. */
const FAILURES = 10
const WINDOW = 60_000

export interface Fault {
  /** Of the provider or of the network: `EAUTH`, `connect`, a status. */
  readonly code: string
  /** The first one that nothing good has followed. */
  readonly since: Date
}

export type Verdict = 'fine' | 'failed' | 'fault'

export class Breaker {
  readonly #clock: Clock
  readonly #rests: readonly number[]
  #failures: number[] = []
  #fault: Fault | undefined
  #rest = 0
  #state: 'closed' | 'open' | 'probing' = 'closed'
  /** By the clock, and milliseconds from then. */
  #openedAt = 0
  #length = 0

  constructor(clock: Clock, rests: readonly number[] = RESTS) {
    this.#clock = clock
    this.#rests = rests
  }

  get state(): 'closed' | 'open' | 'probing' {
    return this.#state
  }

  /** Why it is not closed. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Milliseconds until the queue may go on or probe; 0: now. */
  get wait(): number {
    if (this.#state !== 'open') return 0
    const rested = this.#clock() - this.#openedAt
    // A clock that was set back says nothing: one row probes.
    return rested < 0 ? 0 : Math.max(0, this.#length - rested)
  }

  /** How many rows may be started, where `free` slots are free and `busy` are not. */
  room(free: number, busy: number): number {
    if (this.#state === 'closed') return free
    if (this.wait > 0 || busy > 0) return 0
    this.#state = 'probing'
    return Math.min(1, free)
  }

  /**
   * @param after - milliseconds that the provider asked for
   * @param code - of the fault
   * @returns true when this verdict made the queue rest
   */
  observe(verdict: Verdict, after?: number, code: string = verdict): boolean {
    if (verdict === 'fine') {
      // A late success of before the fault says nothing about now: only the probe closes.
      if (this.#state !== 'open') this.#close()
      return false
    }
    if (this.#state === 'open') return false
    const now = this.#clock()
    this.#failures = [...this.#failures.filter(at => at > now - WINDOW), now]
    if (verdict === 'failed' && this.#state === 'closed' && this.#failures.length < FAILURES) return false
    const base = this.#rests[Math.min(this.#rest, this.#rests.length - 1)]!
    this.#rest += 1
    this.#state = 'open'
    this.#fault = { code, since: this.#fault?.since ?? new Date(now) }
    this.#openedAt = now
    this.#length = clampAfter(after, base) ?? base
    return true
  }

  #close(): void {
    this.#state = 'closed'
    this.#fault = undefined
    this.#failures = []
    this.#rest = 0
  }
}
