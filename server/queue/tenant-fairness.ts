// Claims rows so that environments share a provider that limits the rate: while more rows are due than the provider takes,
// each claim is for one environment in turn. Otherwise a burst of one environment would delay the others for hours.
//
// No index contains the environment, because every row would pay for it. So the due environments are read now and then, with
// the due times of their first and last rows, which keep a claim from reading rows of other environments. New environments
// are at the end of the queue, which is read much more often.

import { performance } from 'node:perf_hooks'

import type { Log } from '../core/log.ts'
import type { DatabaseGroup } from '../db/db.ts'
import {
  claim,
  compareDueTime,
  readDueEnvironments,
  type ClaimedRow,
  type ClaimOptions,
  type DueEnvironment
} from './outbox.sql.ts'
import { NO_FLOOR, SCAN_MARGIN_MS } from './scan-floor.ts'

/** Share of the time that each of the two reads may take. A slow read is repeated less often. */
const MAX_TIME_SHARE = 0.02

/** Limits a repeated read to {@link MAX_TIME_SHARE} of the time. */
class BudgetedRead {
  #nextAt = Number.NEGATIVE_INFINITY

  get isDue(): boolean {
    return performance.now() >= this.#nextAt
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await read()
    } finally {
      const now = performance.now()
      this.#nextAt = now + (now - startedAt) / MAX_TIME_SHARE
    }
  }
}

export interface ClaimedBatch {
  readonly rows: readonly ClaimedRow[]
  /** More rows may be due. */
  readonly hasMoreDue: boolean
}

export class TenantFairness {
  readonly #group: DatabaseGroup
  readonly #isRateLimited: boolean
  readonly #log: Log
  /** More rows were due than the provider takes. */
  #isCongested = false
  #rotation: DueEnvironment[] = []
  /** A full scan was asked for since all environments were read. Claims for one environment must not hide it. */
  #needsFullRead = false
  readonly #fullRead = new BudgetedRead()
  readonly #newestRead = new BudgetedRead()
  /** Environments that are not in the rotation have rows due after this time, or are found by the next full read. */
  #readUpTo = NO_FLOOR

  constructor(group: DatabaseGroup, isRateLimited: boolean, log: Log) {
    this.#group = group
    this.#isRateLimited = isRateLimited
    this.#log = log
  }

  async claim(options: ClaimOptions): Promise<ClaimedBatch> {
    this.#needsFullRead ||= options.minRunAt === NO_FLOOR
    // Before the claim, because a claimed row must not wait for this read.
    if (this.#isCongested) await this.#readEnvironments(options)
    for (let next = this.#rotation.shift(); next; next = this.#rotation.shift()) {
      const batch = await this.#claim({ ...options, ...next })
      const last = batch.rows.at(-1)
      if (!last) continue
      if (batch.hasMoreDue) this.#rotation.push({ ...next, minRunAt: last.dueAt })
      return { hasMoreDue: true, rows: batch.rows }
    }
    const batch = await this.#claim(options)
    this.#isCongested = this.#isRateLimited && batch.hasMoreDue
    return batch
  }

  async #claim(options: ClaimOptions): Promise<ClaimedBatch> {
    const rows = await claim(this.#group, options)
    const { foundCount = 0 } = rows[0] ?? {}
    return {
      hasMoreDue: foundCount === options.limit || foundCount > rows.length,
      rows: rows.sort(compareDueTime)
    }
  }

  /** Never throws, because only the order of claims depends on this read. */
  async #readEnvironments({ queue }: ClaimOptions): Promise<void> {
    const isFull = this.#needsFullRead && this.#fullRead.isDue
    const read = isFull ? this.#fullRead : this.#newestRead
    if (!read.isDue) return
    if (isFull) {
      this.#needsFullRead = false
      this.#readUpTo = NO_FLOOR
    }
    try {
      this.#merge(await read.run(() => readDueEnvironments(this.#group, queue, this.#readUpTo)))
    } catch (err) {
      this.#log.warn(
        { err, event: 'due_environments_unknown', queue },
        'could not read which environments have due rows; the rotation stays as it is'
      )
    }
  }

  /**
   * Keeps the order of environments that are already in the rotation and appends new ones. Otherwise environments that keep
   * sending would starve the others.
   */
  #merge(due: readonly DueEnvironment[]): void {
    const found = new Map(due.map(one => [one.envId, one]))
    const kept = this.#rotation.map(turn => {
      const { maxRunAt, minRunAt } = found.get(turn.envId) ?? turn
      found.delete(turn.envId)
      return { ...turn, maxRunAt, minRunAt: minRunAt < turn.minRunAt ? minRunAt : turn.minRunAt }
    })
    this.#rotation = [...kept, ...found.values()]
    for (const { maxRunAt } of due) {
      const readUpTo = Math.max(this.#readUpTo.getTime(), maxRunAt.getTime() - SCAN_MARGIN_MS)
      this.#readUpTo = new Date(readUpTo)
    }
  }
}
