// Schemas of the routes of types in the log.

import { z } from 'zod'

import { cursorSchema } from '../../http/cursor.ts'
import { typeId } from '../../types/type-id.ts'

const MAX_PAGE_SIZE = 200

export const typesQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(100),
  cursor: cursorSchema(text => typeId.safeParse(text).data).optional()
})
