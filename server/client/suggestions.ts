// Suggestions for a search of the log.

import type { Call, CallOptions } from './call.ts'

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

export const suggestionCalls = (call: Call) => ({
  /** Suggests values for the filters of a search. */
  suggestLogValues: (
    query: SuggestionQuery = {},
    options?: CallOptions
  ): Promise<{ readonly suggestions: readonly Suggestion[] }> =>
    call({ method: 'GET', path: ['logs', 'suggestions'], query: { ...query } }, options)
})
