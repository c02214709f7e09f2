// Schemas of the routes of members and their sessions.

import { z } from 'zod'

import { isTrackingId } from '../core/id.ts'
import { cursorSchema } from '../http/cursor.ts'

const MAX_TOKEN_CHARACTERS = 1000
const MAX_PAGE = 200

export const signInBody = z.strictObject({
  adminToken: z.string().min(1).max(MAX_TOKEN_CHARACTERS).describe('The admin token.')
})

export const membersQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
  cursor: cursorSchema(id => (isTrackingId(id) ? id : undefined)).optional()
})

export const memberPatch = z.strictObject({
  blocked: z
    .boolean()
    .describe('`true` ends all sessions of the member and refuses new ones; `false` allows them again.')
})
