// Parses requests about tasks.

import { z } from 'zod'

import { isTrackingId } from '../../core/id.ts'
import { anyObject } from '../../http/common-schemas.ts'
import { cursorSchema } from '../../http/cursor.ts'
import { TASK_STATES } from './task.ts'

const MAX_COUNT = 200
const MAX_PER_SECOND = 1000

export const createBody = z.strictObject({
  kind: z.string().max(100).describe('Kind of the task.'),
  input: anyObject.describe('What the task works on. A filter without fields selects all.'),
  perSecond: z.int().min(1).max(MAX_PER_SECOND).optional().describe('The most in a second. Default: 100.')
})

export const listQuery = z.object({
  state: z.enum(TASK_STATES).optional().describe('Only those in this state.'),
  count: z.coerce.number().int().min(1).max(MAX_COUNT).default(50),
  cursor: cursorSchema(id => (isTrackingId(id) ? id : undefined)).optional()
})
