// What was not delivered: looked at, sent again, forgotten.

import type { Ask, CallOptions } from './call.ts'
import type { Channel, Instant, PageOptions } from './names.ts'

export interface DeadLetter {
  readonly id: string
  /** Of its send. */
  readonly trackingId?: string
  readonly channel: string
  readonly type?: string
  readonly userId: string
  /** Address, number or token. */
  readonly to?: string
  /** Why it died, in the words of the provider. */
  readonly code: string
  readonly detail?: string
  readonly diedAt: Instant
  /** So far, over all redrives. */
  readonly tries: number
}

export interface DeadLetterPage {
  /** Those that died last come first. */
  readonly deadLetters: readonly DeadLetter[]
  readonly next?: string
}

/** Only those. */
export interface DeadLetterFilter {
  readonly channel?: Channel
  readonly code?: string
  readonly type?: string
  readonly userId?: string
  /** When they died, inclusive: Unix times in seconds or milliseconds. */
  readonly startTime?: number
  readonly endTime?: number
}

/** By their ids, or all that fit a filter of at least one field. */
export type DeadLetterOrder = { readonly ids: readonly string[] } | { readonly filter: DeadLetterFilter }

export interface DeadLettersMoved {
  readonly count: number
  readonly ids: readonly string[]
  /** The limit of one request was reached: ask again. */
  readonly more: boolean
}

export const deadLetters = (ask: Ask) => ({
  listDeadLetters: (
    filter: DeadLetterFilter & PageOptions = {},
    options?: CallOptions
  ): Promise<DeadLetterPage> => ask({ method: 'GET', path: ['dead-letters'], query: { ...filter } }, options),

  getDeadLetter: (id: string, options?: CallOptions): Promise<DeadLetter> =>
    ask({ method: 'GET', path: ['dead-letters', id] }, options),

  /** They keep their tracking ids and logs, and have as many tries as new messages. */
  redriveDeadLetters: (order: DeadLetterOrder, options?: CallOptions): Promise<DeadLettersMoved> =>
    ask({ body: order, method: 'POST', path: ['dead-letters', 'redrive'] }, options),

  /** Forgets them; the log of their tries stays. */
  dropDeadLetters: (order: DeadLetterOrder, options?: CallOptions): Promise<DeadLettersMoved> =>
    ask({ body: order, method: 'POST', path: ['dead-letters', 'drop'] }, options),

  dropDeadLetter: async (id: string, options?: CallOptions): Promise<void> => {
    await ask({ method: 'DELETE', path: ['dead-letters', id] }, options)
  }
})
