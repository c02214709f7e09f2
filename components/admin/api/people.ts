// Users and types, as suggestions need them.

import type { NotificationType } from '../../../server/client/types.ts'
import type { UserPage } from '../../../server/client/users.ts'
import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type TypeHead = Pick<NotificationType, 'id' | 'title'>

/** Users whose id, email address or number begins with a text. */
export const findUsers = (
  { api }: AdminScope,
  text: string,
  signal: AbortSignal,
  count = 5
): Promise<Answer<UserPage>> => api.get('/users', { query: { count, q: text }, signal })

/** All types, without their templates. */
export const listTypes = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly notifications: readonly TypeHead[] }>> => api.get('/notifications', { signal })
