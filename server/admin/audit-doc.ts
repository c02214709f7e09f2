// The query and the API reference of the audit log.

import { z } from 'zod'

import { isTrackingId } from '../core/id.ts'
import { instant, next, unixTime } from '../http/common-schemas.ts'
import { cursorSchema } from '../http/cursor.ts'
import type { Doc } from '../http/route-doc.ts'

const MAX_COUNT = 200

export const auditQuery = z.object({
  clientId: z.string().max(255).optional().describe('Only calls about this environment.'),
  startTime: unixTime
    .optional()
    .describe('Only calls at or after this Unix time, in seconds or milliseconds.'),
  endTime: unixTime
    .optional()
    .describe('Only calls at or before this Unix time, in seconds or milliseconds.'),
  count: z.coerce.number().int().min(1).max(MAX_COUNT).default(50),
  cursor: cursorSchema(id => (isTrackingId(id) ? id : undefined)).optional()
})

const entry = z.object({
  id: z.uuid(),
  date: instant,
  actor: z
    .string()
    .meta({ description: '`admin:` and the first 8 hex digits of the SHA-256 of the admin token.' }),
  method: z.string(),
  route: z.string().meta({ description: 'Path pattern.', examples: ['/:clientId/users/:userId'] }),
  clientId: z.string().optional(),
  userDigest: z.string().optional().meta({
    description:
      'The first 16 hex digits of the SHA-256 of client id, a NUL byte and user id; absent if the call names no user.'
  }),
  address: z.string().meta({ description: 'IP address of the client.' }),
  status: z.int().optional().meta({
    description: 'Status of the answer; absent if the call still runs, or if the process ended before.'
  })
})

export const auditDoc: Doc = {
  answer: z.object({ entries: z.array(entry), next }),
  description:
    'Each call with the admin token to a route of an environment, reads included, and each change of an environment, the latest first.',
  examples: [
    { name: 'Newest', query: { count: '10' }, status: 200 },
    { name: 'One environment', query: { clientId: 'client_1', startTime: '1795000000' }, status: 200 },
    { name: 'No cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listAuditLog',
  query: auditQuery,
  summary: 'List what operators did',
  tag: 'operations'
}
