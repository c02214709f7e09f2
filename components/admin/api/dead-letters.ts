// Dead letters: causes, letters of a cause, and orders for all that match.

import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface Cause {
  readonly channel: string
  readonly code: string
  readonly count: number
  readonly isAtLeast: boolean
  readonly firstDiedAt: string
  readonly lastDiedAt: string
  readonly exampleId: string
}

export interface DeadLetter {
  readonly id: string
  readonly trackingId?: string
  readonly channel: string
  readonly type?: string
  readonly userId: string
  readonly to?: string
  readonly code: string
  readonly detail?: string
  readonly diedAt: string
  readonly attempts: number
}

export interface LetterFilter {
  readonly channel?: string
  readonly code?: string
  readonly type?: string
  readonly userId?: string
}

export const readCauses = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly groups: readonly Cause[]; readonly more: boolean }>> =>
  api.get('/dead-letters/groups', { signal })

export const LETTERS_PAGE = 20

export const readLetters = (
  { api }: AdminScope,
  filter: LetterFilter,
  cursor: string | undefined,
  signal?: AbortSignal
): Promise<Answer<{ readonly deadLetters: readonly DeadLetter[]; readonly next?: string }>> =>
  api.get('/dead-letters', { query: { ...filter, count: LETTERS_PAGE, cursor }, signal })

export interface Done {
  readonly count: number
  readonly ids: readonly string[]
  readonly more: boolean
}

type Order = { readonly ids: readonly string[] } | { readonly filter: LetterFilter }

export const redriveLetters = ({ api }: AdminScope, order: Order): Promise<Answer<Done>> =>
  api.post('/dead-letters/redrive', { body: order })

export const dropLetters = ({ api }: AdminScope, order: Order): Promise<Answer<Done>> =>
  api.post('/dead-letters/drop', { body: order })

/** Undoes a drop, for a day. */
export const restoreLetters = ({ api }: AdminScope, ids: readonly string[]): Promise<Answer<Done>> =>
  api.post('/dead-letters/restore', { body: { ids } })
