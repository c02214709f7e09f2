// What callers may ask of schedules.

import { z } from 'zod'

import { userId } from '../../core/contact.ts'
import { momentCursor } from '../../http/cursor.ts'

/** Most schedules of one page. */
const PAGE_LIMIT = 1000

/**
 * - `count`: schedules of one page, 1 to 1000, default 50
 * - `cursor`: `next` of the page before
 * - `userId`, `type` (or `notificationId`): only those
 */
export const schedulesQuery = z.object({
  count: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
  cursor: momentCursor.optional(),
  notificationId: z.string().optional(),
  type: z.string().optional(),
  userId: userId.optional()
})
