// Suggestions for a search of the log, and tickets for its live tail.

import type { Call, CallOptions } from './call.ts'
import type { Instant } from './names.ts'

export type SuggestionKind = 'channel' | 'decision' | 'field' | 'rule' | 'status' | 'type' | 'user'

export interface SuggestionQuery {
  /** What is typed. Default: everything. */
  readonly text?: string
  /** Kinds, separated by commas. Default: all. */
  readonly kind?: string
  /** Suggestions of each kind, 1 to 20. Default: 5. */
  readonly count?: number
}

export interface Suggestion {
  readonly kind: SuggestionKind
  readonly value: string
  /** Title of a type, address of a user. */
  readonly hint?: string
}

export interface TailTicket {
  readonly ticket: string
  /** Until then a socket may show the ticket. */
  readonly expiresAt: Instant
}

export const suggestionCalls = (call: Call) => ({
  /** Returns a ticket for a WebSocket that shows new sends: see `POST /{clientId}/logs/live` in the reference. */
  createTailTicket: (options?: CallOptions): Promise<TailTicket> =>
    call({ method: 'POST', path: ['logs', 'live'] }, options),

  /** Suggests values for the filters of a search. */
  suggestLogValues: (
    query: SuggestionQuery = {},
    options?: CallOptions
  ): Promise<{ readonly suggestions: readonly Suggestion[] }> =>
    call({ method: 'GET', path: ['logs', 'suggestions'], query: { ...query } }, options)
})
