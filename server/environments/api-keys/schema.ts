// Schemas of the routes of API keys.

import { z } from 'zod'

import { isTrackingId } from '../../core/id.ts'
import { cursorSchema } from '../../http/cursor.ts'
import { SCOPES } from '../../http/scopes.ts'

const MAX_EXPIRY_DAYS = 3650
const MAX_PAGE = 200

export const createKeyBody = z.strictObject({
  name: z.string().trim().min(1).max(100).describe('Says what uses the key, such as `billing service`.'),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .transform(scopes => [...new Set(scopes)])
    .meta({
      description:
        '`send`: sends, retracts and schedules, reads nothing. `read`: reads everything, changes nothing. `types`: reads and changes types and templates. `users`: reads and changes users, their preferences and inboxes. `all`: all of that, and dead letters.',
      examples: [['send']]
    }),
  expiresInDays: z
    .int()
    .min(1)
    .max(MAX_EXPIRY_DAYS)
    .optional()
    .describe('Days until the key is refused. Default: it does not expire.')
})

export const keysQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
  cursor: cursorSchema(id => (isTrackingId(id) ? id : undefined)).optional()
})
