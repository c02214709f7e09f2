// What a queue does with the rows it claims: deliver each to the outside world, or take a step in the database.

import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Group } from '../db/db.ts'
import type { Claimed } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'
import type { QueueName } from './queues.ts'

/** Bytes of rows, as they are stored, that a queue reads ahead; a larger row is read alone. They are in memory at once. */
export const MAX_BATCH_BYTES = 8_000_000

export interface Attempt {
  /** Aborts at the queue's time-out and when the process must stop. */
  readonly signal: AbortSignal
  /**
   * Whether the lease might end before the provider has answered: the process stood still for too long since the claim.
   * To be asked directly before the call; the outcome is `late` then.
   */
  readonly late: () => boolean
  /** 1 for the first; every claim counts, also one whose try was given back. */
  readonly attempt: number
}

/** Rows that leave the system. The loop ends them by their outcome: log, back-off, dead letter, pause of the queue. */
export interface Deliver {
  readonly kind: 'deliver'
  readonly name: QueueName
  /** Milliseconds of one try. The lease is this and 15 s. */
  readonly timeout: number
  /** Tries at the same time, for each database group. */
  readonly slots: number
  /**
   * Rows claimed beyond the slots, so that a freed slot need not wait for a claim: at least this many, and up to 20 times
   * as many where the queue gets through them in half a second. Default: 3 x slots.
   */
  readonly ahead?: number
  /** Most bytes of their bodies, as they are stored, claimed beyond the slots. Default: any. */
  readonly bytes?: number
  /** Tries that this process begins in a second, for all database groups together. 0, the default: any number. */
  readonly perSecond?: number
  /** What an uncertain outcome does. */
  readonly uncertain: 'retry' | 'dead'
  /** Each row goes to a peer of its own: a failure says nothing about the others, so the queue never rests. */
  readonly scattered?: true
  /**
   * Reads once for all what the rows need; the answer makes one try. Throwing spends a try of each row, but for a database that
   * is away.
   */
  prepare(
    rows: readonly Claimed[],
    group: Group
  ):
    | Promise<(row: Claimed, call: Attempt) => Promise<Outcome>>
    | ((row: Claimed, call: Attempt) => Promise<Outcome>)
  close?(): Promise<void>
}

/**
 * Rows that become other rows. `run` opens its own transaction and calls `take(tx, group, rows)` in it, which
 * removes the rows that are still ours and says which: effects only for those, and they commit together.
 * A row that `run` leaves alone comes again when the lease ends. When it throws, the rows are tried one by one, and
 * a row that throws alone spends a try and backs off.
 */
export interface DatabaseJob {
  readonly kind: 'step'
  readonly name: QueueName
  /** Milliseconds that one `run` may take at most, transaction and all. */
  readonly lease: number
  /** Most rows for one `run`. Default: 100. */
  readonly batch?: number
  /** Most bytes of their bodies, as they are stored; one row always comes. Default: any. */
  readonly bytes?: number
  run(rows: readonly Claimed[], group: Group): Promise<void>
}

export type Work = Deliver | DatabaseJob

export interface QueueOptions {
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Milliseconds of a clock that is never set back and goes on while the process stands still. */
  readonly elapsed: () => number
  /** Longest sleep in milliseconds: how late a row that another node wrote may be seen. */
  readonly poll: number
  /** Milliseconds that the queue rests after the provider's first, second, ... fault. */
  readonly rests?: readonly number[]
  readonly observe?: Observe
  /** The provider of this queue is well again. */
  readonly recovered?: (queue: QueueName) => void
  /** This process ends, and what it held of this queue is for others now. */
  readonly gaveBack?: (queue: QueueName) => void
  /** Rows went on to these queues. */
  readonly wake?: (queues: Iterable<QueueName>) => void
}

/** For metrics. */
export interface Observe {
  tried(queue: string, outcome: string, milliseconds: number): void
  fenced(queue: string, rows: number): void
}
