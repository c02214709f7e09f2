// The schema of the query of a list of digests.

import { z } from 'zod'

import { momentCursor } from '../../../http/cursor.ts'

const MAX_PAGE_SIZE = 1000

/**
 * - `count`: digests of one page, 1 to 1000. Default: 50
 * - `cursor`: `next` of the previous page
 */
export const digestsQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50),
  cursor: momentCursor.optional()
})
