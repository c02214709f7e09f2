// Dead letters: causes, letters of a cause, and orders for all that match.

import type {
  DeadLetterFilter,
  DeadLetterGroups,
  DeadLetterOrder,
  DeadLetterPage,
  DeadLettersMoved
} from '../../../server/client/dead-letters.ts'
import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { DeadLetter, DeadLetterCause, DeadLetterFilter } from '../../../server/client/dead-letters.ts'

export const readCauses = ({ api }: AdminScope, signal: AbortSignal): Promise<Answer<DeadLetterGroups>> =>
  api.get('/dead-letters/groups', { signal })

export const LETTERS_PAGE = 20

export const readLetters = (
  { api }: AdminScope,
  filter: DeadLetterFilter,
  cursor: string | undefined,
  signal?: AbortSignal
): Promise<Answer<DeadLetterPage>> =>
  api.get('/dead-letters', { query: { ...filter, count: LETTERS_PAGE, cursor }, signal })

export const redriveLetters = (
  { api }: AdminScope,
  order: DeadLetterOrder
): Promise<Answer<DeadLettersMoved>> => api.post('/dead-letters/redrive', { body: order })

export const dropLetters = ({ api }: AdminScope, order: DeadLetterOrder): Promise<Answer<DeadLettersMoved>> =>
  api.post('/dead-letters/drop', { body: order })

/** Undoes a drop, for a day. */
export const restoreLetters = (
  { api }: AdminScope,
  ids: readonly string[]
): Promise<Answer<DeadLettersMoved>> => api.post('/dead-letters/restore', { body: { ids } })
