// The schema of the query of a list of schedules.

import { z } from 'zod'

import { userId } from '../../core/contact.ts'
import { formerName } from '../../http/common-schemas.ts'
import { momentCursor } from '../../http/cursor.ts'

const MAX_PAGE_SIZE = 1000

/**
 * - `count`: schedules of one page, 1 to 1000. Default: 50
 * - `cursor`: `next` of the previous page
 * - `userId`, `type` (or `notificationId`): only schedules of this user and type
 */
export const schedulesQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50),
  cursor: momentCursor.optional(),
  notificationId: formerName(z.string(), 'type'),
  type: z.string().optional(),
  userId: userId.optional()
})
