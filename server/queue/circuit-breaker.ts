// The circuit breaker of a queue: pauses it after a failure of its provider, and then lets one row probe the provider.
//
// closed --fault, or 10 failures within a minute--> open --time--> probing --success--> closed
//                                                    ^---------------fault-----'

import type { Clock } from '../core/clock.ts'
import { clampRetryAfter } from './backoff.ts'

/** The first, second, … pause in a row. The last one repeats. */
export const PAUSES_MS: readonly number[] = [5000, 10_000, 20_000, 40_000, 60_000]
/** This many failed attempts without a success, within {@link FAILURE_WINDOW_MS}, count as a fault of the provider. */
const MAX_FAILURES = 10
const FAILURE_WINDOW_MS = 60_000

export interface ProviderFault {
  /** Of the provider or of the network: `EAUTH`, `connect`, a status. */
  readonly code: string
  /** Time of the first fault since the last success. */
  readonly since: Date
}

export type Verdict = 'success' | 'failure' | 'fault'

export class CircuitBreaker {
  readonly #clock: Clock
  readonly #pausesMs: readonly number[]
  #failureTimes: number[] = []
  #fault: ProviderFault | undefined
  #pauseCount = 0
  #state: 'closed' | 'open' | 'probing' = 'closed'
  #openedAt = 0
  #pauseMs = 0

  constructor(clock: Clock, pausesMs: readonly number[] = PAUSES_MS) {
    this.#clock = clock
    this.#pausesMs = pausesMs
  }

  get state(): 'closed' | 'open' | 'probing' {
    return this.#state
  }

  get fault(): ProviderFault | undefined {
    return this.#fault
  }

  /** Milliseconds until a row may probe the provider; 0 if rows may start now. */
  get pauseLeftMs(): number {
    if (this.#state !== 'open') return 0
    const elapsedMs = this.#clock() - this.#openedAt
    // If the clock was set back, the elapsed time is unknown: one row probes.
    return elapsedMs < 0 ? 0 : Math.max(0, this.#pauseMs - elapsedMs)
  }

  /** Returns how many rows may start, at most `free`. While the breaker is not closed, one row starts if none is `busy`. */
  allowedRows(free: number, busy: number): number {
    if (this.#state === 'closed') return free
    if (this.pauseLeftMs > 0 || busy > 0) return 0
    this.#state = 'probing'
    return Math.min(1, free)
  }

  /**
   * @param retryAfterMs - what the provider asked for
   * @param code - of the fault
   * @returns true if this verdict paused the queue
   */
  observe(verdict: Verdict, retryAfterMs?: number, code: string = verdict): boolean {
    if (verdict === 'success') {
      // While the breaker is open, a success is that of an attempt from before the fault. Only the probe closes the breaker.
      if (this.#state !== 'open') this.#close()
      return false
    }
    if (this.#state === 'open') return false
    const now = this.#clock()
    this.#failureTimes = [...this.#failureTimes.filter(at => at > now - FAILURE_WINDOW_MS), now]
    const isTolerated = this.#state === 'closed' && this.#failureTimes.length < MAX_FAILURES
    if (verdict === 'failure' && isTolerated) return false
    const pauseMs = this.#pausesMs[Math.min(this.#pauseCount, this.#pausesMs.length - 1)]!
    this.#pauseCount += 1
    this.#state = 'open'
    this.#fault = { code, since: this.#fault?.since ?? new Date(now) }
    this.#openedAt = now
    this.#pauseMs = clampRetryAfter(retryAfterMs, pauseMs) ?? pauseMs
    return true
  }

  #close(): void {
    this.#state = 'closed'
    this.#fault = undefined
    this.#failureTimes = []
    this.#pauseCount = 0
  }
}
