// The loop of one queue over one database group: claim, try, report; asleep until a hint or the next due time.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { placementHashInId, uuidv7 } from '../core/id.ts'
import type { Group } from '../db/db.ts'
import { Room } from './capacity.ts'
import { Breaker, type Fault } from './circuit-breaker.ts'
import { Reports } from './completer.ts'
import { Tries } from './executor.ts'
import { heed } from './observe-outcome.ts'
import { giveBack, nextDue, type Claim, type Claimed } from './outbox.sql.ts'
import { logLost } from './queue-depth.sql.ts'
import type { Deliver, QueueOptions, DatabaseJob, Work } from './queue-job.ts'
import type { Rate } from './rate-limiter.ts'
import { crashOf, endOf, LOST, STOPPED, type Ending } from './result.ts'
import { comesAgain, patiently } from './retry-until-up.ts'
import { EVERYTHING, Horizon } from './scan-floor.ts'
import { Turns } from './tenant-fairness.ts'
import { WakeSignal } from './wake-signal.ts'

/** Added to the time-out for the lease: the wait for a slot and a slow report. Milliseconds. */
const MARGIN = 15_000
/** A due row that cannot be claimed is locked by another transaction for a moment. */
const LOCKED = 50
/** For the last reports when the process stops. */
const LAST_WORDS = 2000

export class Worker {
  readonly #work: Work
  readonly #group: Group
  readonly #options: QueueOptions
  readonly #bell = new WakeSignal()
  readonly #horizon = new Horizon()
  readonly #breaker: Breaker
  readonly #reports: Reports
  readonly #tries: Tries | undefined
  readonly #room: Room
  readonly #turns: Turns
  /** What may have been done is not done again. */
  readonly #once: boolean
  readonly #claim: Pick<Claim, 'queue' | 'lease'>
  /** There may be more due than we have room for. */
  #hungry = false
  /** Something is due, now or later, or in our hands; as the last look found it. */
  #waited = false
  #stopping = false
  #running: Promise<void> | undefined
  #idlers: (() => void)[] = []

  constructor(work: Work, group: Group, options: QueueOptions, rate?: Rate) {
    const { clock, elapsed, log, observe, rests, wake } = options
    this.#work = work
    this.#group = group
    this.#options = options
    this.#breaker = new Breaker(clock, rests)
    this.#claim = { queue: work.name, lease: (work.kind === 'step' ? work.lease : work.timeout) + MARGIN }
    this.#once = work.kind === 'deliver' && work.uncertain === 'dead'
    this.#room = new Room(work, this.#breaker, rate)
    this.#turns = new Turns(group, rate !== undefined, log)
    this.#reports = new Reports(group, log, ({ rows, fenced, onward }) => {
      this.#room.ended(rows.length)
      this.#release(rows)
      if (onward.size > 0) wake?.(onward)
      if (fenced.length === 0) return
      observe?.fenced(work.name, fenced.length)
      log.warn(
        { claims: fenced, queue: work.name },
        'Late reports were fenced: the rows have other owners, or their users were erased'
      )
    })
    if (work.kind === 'step') return
    this.#tries = new Tries(work, {
      elapsed,
      ended: (...ending) => this.#report(...ending),
      giveBack: rows => void this.#giveBack(rows),
      log,
      paused: () => this.#breaker.wait > 0
    })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Undefined: it does not rest, or nothing waits for that. */
  get fault(): Fault | undefined {
    return this.#waited ? this.#breaker.fault : undefined
  }

  wake(): void {
    this.#bell.ring()
  }

  /** Wakes it for rows that may be older than what it looks for. */
  look(): void {
    this.#horizon.widen()
    this.#bell.ring()
  }

  /** Resolves when nothing is in our hands and nothing is due, or the queue rests. */
  idle(): Promise<void> {
    if (!this.#running || this.#stopping) return Promise.resolve()
    return new Promise(resolve => {
      this.#idlers.push(resolve)
      this.#bell.ring()
    })
  }

  /** @param deadline - milliseconds that tries under way may still take; then they are aborted and given back */
  async stop(deadline: number): Promise<void> {
    const until = performance.now() + deadline
    this.#stopping = true
    this.#bell.ring()
    await this.#running
    await this.#giveBack(this.#tries?.takeWaiting() ?? [])
    while (this.#room.held > 0 && performance.now() < until) await this.#bell.wait(until - performance.now())
    const aborted = this.#tries?.abort() ?? []
    if (!this.#once) await this.#giveBack(aborted)
    else for (const row of aborted) this.#report(row, STOPPED, 0, false)
    // A database that is away must not hold up the end: leases end by themselves.
    await Promise.race([this.#reports.flush(), sleep(LAST_WORDS, undefined, { ref: false })])
    for (const resolve of this.#idlers.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#round()
      } catch (error) {
        this.#horizon.widen()
        this.#options.log.warn({ err: error, queue: this.#work.name }, 'The queue waits for the database')
        await this.#bell.wait(this.#options.poll * (0.5 + this.#options.random()))
      }
    }
  }

  /** One claim, and a sleep where it did not find more than we can take. */
  async #round(): Promise<void> {
    const idlers = [...this.#idlers]
    const limit = this.#room.rows
    const low = limit > 0 ? this.#horizon.next(idlers.length > 0) : EVERYTHING
    this.#hungry = limit === 0
    if (limit > 0) {
      const since = this.#options.elapsed()
      const { more, rows } = await this.#turns.claim({ ...this.#claim, bytes: this.#room.bytes, limit, low })
      this.#room.claimed(rows)
      this.#hungry = more
      if (rows.length > 0) await this.#begin(rows, since)
      if (this.#hungry) return
    }
    const due = limit > 0 || idlers.length > 0 ? await nextDue(this.#group, this.#work.name, low) : undefined
    if (limit > 0) this.#waited = due !== undefined || this.#room.held > 0
    if (this.#room.held === 0 && (due === undefined || due > 0 || this.#breaker.wait > 0)) {
      this.#idlers = this.#idlers.filter(resolve => !idlers.includes(resolve))
      for (const resolve of idlers) resolve()
    }
    await this.#bell.wait(this.#nap(due))
  }

  #nap(due: number | undefined): number {
    const { poll } = this.#options
    if (this.#hungry) return Math.min(this.#room.wait || poll, poll)
    return due === undefined ? poll : Math.min(Math.max(due + 1, LOCKED), poll)
  }

  #release(rows: readonly Claimed[]): void {
    this.#room.released(rows)
    if (this.#hungry || this.#stopping || this.#idlers.length > 0) this.#bell.ring()
  }

  /** @param since - when the claim was asked for */
  async #begin(claimed: readonly Claimed[], since: number): Promise<void> {
    const { clock, log } = this.#options
    const { name } = this.#work
    this.#horizon.claimed(claimed[0]!.dueAt)
    this.#waited = true
    const failed = (err: unknown): void => log.warn({ err, queue: name }, 'Lost tries could not be logged')
    await logLost(this.#group, name, claimed, clock()).catch(failed)
    const isOver = (row: Claimed): boolean => row.attemptsLeft < 0 || (row.lost && this.#once)
    const rows = claimed.filter(row => !isOver(row))
    for (const row of claimed.filter(isOver)) this.#report(row, LOST, 0, false)
    if (rows.length === 0) return
    if (this.#work.kind === 'deliver') void this.#deliver(this.#work, rows, since)
    else await this.#step(this.#work, rows)
  }

  async #deliver(work: Deliver, rows: readonly Claimed[], since: number): Promise<void> {
    try {
      const deliver = await work.prepare(rows, this.#group)
      if (this.#stopping) await this.#giveBack(rows)
      else this.#tries!.add(rows, deliver, since)
    } catch (error) {
      if (comesAgain(error)) return this.#again(error, rows)
      this.#options.log.error({ err: error, queue: work.name, rows: rows.length }, 'Rows were not prepared')
      for (const row of rows) this.#report(row, crashOf(error), 0, false)
    }
  }

  async #step(work: DatabaseJob, rows: readonly Claimed[]): Promise<void> {
    try {
      await work.run(rows, this.#group)
      this.#release(rows)
    } catch (error) {
      if (comesAgain(error)) await this.#again(error, rows)
      else if (rows.length > 1) for (const one of rows) await this.#step(work, [one])
      else {
        this.#options.log.error({ err: error, id: rows[0]!.id, queue: work.name }, 'A step failed')
        this.#report(rows[0]!, crashOf(error), 0, true)
      }
    }
  }

  async #again(err: unknown, rows: readonly Claimed[]): Promise<void> {
    this.#options.log.warn({ err, queue: this.#work.name, rows: rows.length }, 'Claimed rows come again')
    await sleep(LOCKED * (1 + this.#options.random()))
    await this.#giveBack(rows)
  }

  #report(row: Claimed, ending: Ending, tookMs: number, last: boolean): void {
    const { clock, observe, random } = this.#options
    const { name } = this.#work
    const scattered = this.#work.kind === 'deliver' && this.#work.scattered
    if (!scattered) heed(ending, name, this.#breaker, this.#options)
    const uncertain = this.#work.kind === 'deliver' ? this.#work.uncertain : 'retry'
    const end = endOf(row, ending, { random, rest: this.#breaker.wait, uncertain })
    observe?.tried(name, end.bury ? 'dead' : ending.fate, tookMs)
    this.#reports.add(
      { attemptId: uuidv7(placementHashInId(row.id), clock()), queue: name, row, tookMs, ...end },
      last
    )
  }

  /** Without a try spent, once the database is there. Where that fails, the lease ends by itself, and we no longer hold them. */
  async #giveBack(rows: readonly Claimed[]): Promise<void> {
    if (rows.length === 0) return
    const { elapsed, gaveBack, log } = this.#options
    const { queue, lease } = this.#claim
    const until = elapsed() + lease
    const goesOn = (): boolean => !this.#stopping && elapsed() < until
    const waits = (error: unknown): void => log.warn({ err: error, queue }, 'Rows could not be given back')
    const back = patiently(() => giveBack(this.#group, rows), { goesOn, waits })
    await back.then(() => this.#stopping && gaveBack?.(queue), waits)
    // They may be older than what was claimed since.
    this.#horizon.widen()
    this.#release(rows)
  }
}
