// Parses requests about the tasks of one user.

import { z } from 'zod'

export const USER_TASKS = ['export-user', 'erase-user'] as const

export const createBody = z.strictObject({
  kind: z.enum(USER_TASKS).describe('`export-user` or `erase-user`.')
})
