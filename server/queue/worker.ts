// The worker of one queue in one database group: claims rows, runs their attempts, has results written, and sleeps until a
// wake signal or the next due time.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import type { DatabaseGroup } from '../db/db.ts'
import { Capacity } from './capacity.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { Executor } from './executor.ts'
import { readNextDueMs, returnToQueue, type ClaimedRow } from './outbox.sql.ts'
import type { DatabaseJob, DeliveryJob, QueueJob, QueueOptions } from './queue-job.ts'
import type { PausedQueue } from './queues.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { ResultRecorder } from './result-recorder.ts'
import { LOST_OUTCOME, STOPPED_OUTCOME, toCrash } from './result.ts'
import { isWorthReturning, retryUntilUp } from './retry-until-up.ts'
import { NO_FLOOR, ScanFloor } from './scan-floor.ts'
import { TenantFairness } from './tenant-fairness.ts'
import { WakeSignal } from './wake-signal.ts'
import { createWorkerLog, type WorkerLog } from './worker-log.ts'

/** Difference between lease and time-out: for the wait for a slot and for a slow write of the result. */
const LEASE_MARGIN_MS = 15_000
/** A due row that cannot be claimed is locked by another transaction, which ends soon. */
const LOCKED_ROW_DELAY_MS = 50
/** For writing the last results when the process stops. */
const LAST_WRITE_TIMEOUT_MS = 2000

export class Worker {
  readonly #job: QueueJob
  readonly #group: DatabaseGroup
  readonly #options: QueueOptions
  readonly #log: WorkerLog
  readonly #signal = new WakeSignal()
  readonly #scanFloor = new ScanFloor()
  readonly #breaker: CircuitBreaker
  readonly #recorder: ResultRecorder
  readonly #executor: Executor | undefined
  readonly #capacity: Capacity
  readonly #fairness: TenantFairness
  readonly #leaseMs: number
  /** A message that may have been delivered is not attempted again. */
  readonly #isAtMostOnce: boolean
  /** More rows may be due than the capacity allows. */
  #hasMoreDue = false
  /** The last claim found that rows are due, now or later, or are claimed. */
  #hasRows = false
  #isStopping = false
  #running: Promise<void> | undefined
  #idleListeners: (() => void)[] = []

  constructor(job: QueueJob, group: DatabaseGroup, options: QueueOptions, rateLimiter?: RateLimiter) {
    const { clock, monotonicMs, pausesMs } = options
    this.#job = job
    this.#group = group
    this.#options = options
    const log = options.log.child({ component: 'worker' })
    this.#log = createWorkerLog(log, job.queue)
    this.#breaker = new CircuitBreaker(clock, pausesMs)
    this.#leaseMs = job.timeoutMs + LEASE_MARGIN_MS
    this.#isAtMostOnce = job.kind === 'delivery' && job.whenUncertain === 'dead'
    this.#capacity = new Capacity(job, this.#breaker, rateLimiter, options)
    this.#fairness = new TenantFairness(group, rateLimiter !== undefined, log)
    this.#recorder = new ResultRecorder({
      ...options,
      breaker: this.#breaker,
      group,
      job,
      log,
      onCompleted: rows => {
        this.#capacity.recordCompleted(rows.length)
        this.#release(rows)
      },
      workerLog: this.#log
    })
    if (job.kind === 'database') return
    this.#executor = new Executor(job, {
      isPaused: () => this.#capacity.isPaused,
      log,
      monotonicMs,
      onOutcome: (...outcome) => this.#recorder.record(...outcome),
      returnToQueue: rows => void this.#return(rows)
    })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Why the queue is paused. Undefined: it is not paused, or has no rows. */
  get pause(): Omit<PausedQueue, 'queue'> | undefined {
    const { fault, pauseLeftMs } = this.#breaker
    return this.#hasRows && fault
      ? { ...fault, until: new Date(this.#options.clock() + pauseLeftMs) }
      : undefined
  }

  wake(): void {
    this.#signal.notify()
  }

  /** Wakes the worker for rows that may be below the scan floor. */
  rescan(): void {
    this.#scanFloor.reset()
    this.#signal.notify()
  }

  /** Resolves when no row is claimed and none is due, or the queue is paused. */
  idle(): Promise<void> {
    if (!this.#running || this.#isStopping) return Promise.resolve()
    return new Promise(resolve => {
      this.#idleListeners.push(resolve)
      this.#signal.notify()
    })
  }

  /** @param deadlineMs - for running attempts, which are aborted and returned to the queue after it */
  async stop(deadlineMs: number): Promise<void> {
    const until = performance.now() + deadlineMs
    this.#isStopping = true
    this.#signal.notify()
    await this.#running
    await this.#return(this.#executor?.takeWaiting() ?? [])
    while (this.#capacity.claimedCount > 0 && performance.now() < until) {
      await this.#signal.wait(until - performance.now())
    }
    const aborted = this.#executor?.abort() ?? []
    if (!this.#isAtMostOnce) await this.#return(aborted)
    else for (const row of aborted) this.#recorder.record(row, STOPPED_OUTCOME, 0, false)
    // If the database is down, the leases of these rows expire on their own.
    await Promise.race([this.#recorder.flush(), sleep(LAST_WRITE_TIMEOUT_MS, undefined, { ref: false })])
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#claimOnce()
      } catch (err) {
        this.#scanFloor.reset()
        this.#log.claimFailed(err)
        await this.#signal.wait(this.#options.pollMs * (0.5 + this.#options.random()))
      }
    }
  }

  /** Claims once, and then sleeps unless more rows are due than the claim returned. */
  async #claimOnce(): Promise<void> {
    const idleListeners = [...this.#idleListeners]
    const limit = this.#capacity.freeRows
    const minRunAt = limit > 0 ? this.#scanFloor.next(idleListeners.length > 0) : NO_FLOOR
    const { queue } = this.#job
    this.#hasMoreDue = limit === 0
    if (limit > 0) {
      const claimedAt = this.#options.monotonicMs()
      const maxBytes = this.#capacity.freeBytes
      const claim = { leaseMs: this.#leaseMs, limit, maxBytes, minRunAt, queue }
      const { hasMoreDue, rows } = await this.#fairness.claim(claim)
      this.#capacity.addClaimed(rows)
      this.#hasMoreDue = hasMoreDue
      if (rows.length > 0) await this.#begin(rows, claimedAt)
      if (this.#hasMoreDue) return
    }
    const isDueNeeded = limit > 0 || idleListeners.length > 0
    // Before the read: a row that is returned to the queue meanwhile is neither claimed afterwards nor due in the answer.
    const { claimedCount } = this.#capacity
    const dueMs = isDueNeeded ? await readNextDueMs(this.#group, queue, minRunAt) : undefined
    if (limit > 0) this.#hasRows = dueMs !== undefined || claimedCount > 0
    if (claimedCount === 0 && (dueMs === undefined || dueMs > 0 || this.#capacity.isPaused)) {
      this.#idleListeners = this.#idleListeners.filter(resolve => !idleListeners.includes(resolve))
      for (const resolve of idleListeners) resolve()
    }
    await this.#signal.wait(this.#sleepMs(dueMs))
  }

  #sleepMs(dueMs: number | undefined): number {
    const { pollMs } = this.#options
    if (this.#hasMoreDue) return Math.min(this.#capacity.waitMs || pollMs, pollMs)
    return dueMs === undefined ? pollMs : Math.min(Math.max(dueMs + 1, LOCKED_ROW_DELAY_MS), pollMs)
  }

  #release(rows: readonly ClaimedRow[]): void {
    this.#capacity.release(rows)
    if (this.#hasMoreDue || this.#isStopping || this.#idleListeners.length > 0) this.#signal.notify()
  }

  async #begin(claimed: readonly ClaimedRow[], claimedAt: number): Promise<void> {
    const { clock, logLostAttempts } = this.#options
    const { queue } = this.#job
    this.#scanFloor.raise(claimed[0]!.dueAt)
    this.#hasRows = true
    await logLostAttempts(this.#group, queue, claimed, clock()).catch(this.#log.lostAttemptsUnlogged)
    const isOver = (row: ClaimedRow): boolean =>
      row.attemptsLeft < 0 || (row.isPreviousLost && this.#isAtMostOnce)
    const rows = claimed.filter(row => !isOver(row))
    for (const row of claimed.filter(isOver)) this.#recorder.record(row, LOST_OUTCOME, 0, false)
    if (rows.length === 0) return
    if (this.#job.kind === 'delivery') void this.#deliver(this.#job, rows, claimedAt)
    else await this.#runDatabaseJob(this.#job, rows)
  }

  async #deliver(job: DeliveryJob, rows: readonly ClaimedRow[], claimedAt: number): Promise<void> {
    try {
      const deliver = await job.prepare(rows, this.#group)
      if (this.#isStopping) await this.#return(rows)
      else this.#executor!.execute(rows, deliver, claimedAt)
    } catch (err) {
      if (isWorthReturning(err)) return this.#returnAfterFailure(err, rows)
      this.#log.prepareFailed(err, rows.length)
      for (const row of rows) this.#recorder.record(row, toCrash(err), 0, false)
    }
  }

  async #runDatabaseJob(job: DatabaseJob, rows: readonly ClaimedRow[]): Promise<void> {
    try {
      await job.run(rows, this.#group)
      this.#release(rows)
    } catch (err) {
      if (isWorthReturning(err)) await this.#returnAfterFailure(err, rows)
      else if (rows.length > 1) for (const row of rows) await this.#runDatabaseJob(job, [row])
      else {
        this.#log.databaseJobFailed(err, rows[0]!.id)
        this.#recorder.record(rows[0]!, toCrash(err), 0, true)
      }
    }
  }

  async #returnAfterFailure(err: unknown, rows: readonly ClaimedRow[]): Promise<void> {
    this.#log.rowsReturned(err, rows.length)
    await sleep(LOCKED_ROW_DELAY_MS * (1 + this.#options.random()))
    await this.#return(rows)
  }

  /** Returns rows to the queue without using an attempt, at the latest when their lease ends on its own. */
  async #return(rows: readonly ClaimedRow[]): Promise<void> {
    if (rows.length === 0) return
    const { monotonicMs, onReturned } = this.#options
    const { queue } = this.#job
    const until = monotonicMs() + this.#leaseMs
    const goesOn = (): boolean => !this.#isStopping && monotonicMs() < until
    const onWait = (err: unknown): void => this.#log.returnFailed(err, rows.length)
    const returning = retryUntilUp(() => returnToQueue(this.#group, rows), { goesOn, onWait })
    await returning.then(() => this.#isStopping && onReturned?.(queue), onWait)
    // The rows may be below the scan floor.
    this.#scanFloor.reset()
    this.#release(rows)
  }
}
