// Dead letters: deliveries that failed for good. They can be listed, redriven and dropped.

import type { Call, CallOptions } from './call.ts'
import type { Channel, Instant, PageOptions } from './names.ts'

export interface DeadLetter {
  readonly id: string
  /** Id of the send. */
  readonly trackingId?: string
  readonly channel: string
  readonly type?: string
  readonly userId: string
  /** Address, number or token. */
  readonly to?: string
  /** Code of the last failure. */
  readonly code: string
  readonly detail?: string
  readonly diedAt: Instant
  /** Attempts so far, over all redrives. */
  readonly attempts: number
}

export interface DeadLetterPage {
  /** Newest first. */
  readonly deadLetters: readonly DeadLetter[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** Dead letters with the same cause. */
export interface DeadLetterCause {
  readonly channel: string
  /** Code of the last failure. */
  readonly code: string
  readonly count: number
  /** The count stopped at 10,000. */
  readonly isAtLeast: boolean
  readonly firstDiedAt: Instant
  readonly lastDiedAt: Instant
  /** Id of the latest one. */
  readonly exampleId: string
}

export interface DeadLetterGroups {
  /** The largest first, at most 100. */
  readonly groups: readonly DeadLetterCause[]
  /** There are more causes. */
  readonly more: boolean
}

/** Conditions that all have to hold. */
export interface DeadLetterFilter {
  readonly channel?: Channel
  readonly code?: string
  readonly type?: string
  readonly userId?: string
  /** Range of `diedAt`, inclusive: Unix times in seconds or milliseconds. */
  readonly startTime?: number
  readonly endTime?: number
}

/** Selects dead letters by their ids, or by a filter with at least one field. */
export type DeadLetterOrder = { readonly ids: readonly string[] } | { readonly filter: DeadLetterFilter }

export interface DeadLettersMoved {
  readonly count: number
  readonly ids: readonly string[]
  /** The limit of one request was reached: repeat the call for the rest. */
  readonly more: boolean
}

export const deadLetterCalls = (call: Call) => ({
  /** Lists dead letters. */
  listDeadLetters: (
    filter: DeadLetterFilter & PageOptions = {},
    options?: CallOptions
  ): Promise<DeadLetterPage> =>
    call({ method: 'GET', path: ['dead-letters'], query: { ...filter } }, options),

  /** Counts dead letters by channel and code. */
  groupDeadLetters: (options?: CallOptions): Promise<DeadLetterGroups> =>
    call({ method: 'GET', path: ['dead-letters', 'groups'] }, options),

  getDeadLetter: (id: string, options?: CallOptions): Promise<DeadLetter> =>
    call({ method: 'GET', path: ['dead-letters', id] }, options),

  /**
   * Queues the deliveries again, with as many attempts as new ones. Their tracking ids and logs stay. They go to the address that is
   * stored for the user now, unless the send gave one itself.
   */
  redriveDeadLetters: (order: DeadLetterOrder, options?: CallOptions): Promise<DeadLettersMoved> =>
    call({ body: order, method: 'POST', path: ['dead-letters', 'redrive'] }, options),

  /** Drops dead letters. They are kept for 24 hours; the log of their attempts stays. */
  dropDeadLetters: (order: DeadLetterOrder, options?: CallOptions): Promise<DeadLettersMoved> =>
    call({ body: order, method: 'POST', path: ['dead-letters', 'drop'] }, options),

  /** Undoes drops of the last 24 hours. */
  restoreDeadLetters: (ids: readonly string[], options?: CallOptions): Promise<DeadLettersMoved> =>
    call({ body: { ids }, method: 'POST', path: ['dead-letters', 'restore'] }, options),

  dropDeadLetter: async (id: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: ['dead-letters', id] }, options)
  }
})
