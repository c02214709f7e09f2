// Users and types, as suggestions need them.

import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface UserHead {
  readonly id: string
  readonly email?: string
  readonly number?: string
}

export interface TypeHead {
  readonly id: string
  readonly title?: string
}

/** Users whose id, email address or number begins with a text. */
export const findUsers = (
  { api }: AdminScope,
  text: string,
  signal: AbortSignal,
  count = 5
): Promise<Answer<{ readonly users: readonly UserHead[] }>> =>
  api.get('/users', { query: { count, q: text }, signal })
