// The query and the API reference of the audit log.

import { z } from 'zod'

import { isTrackingId } from '../core/id.ts'
import { instant, next, unixTime } from '../http/common-schemas.ts'
import { cursorSchema } from '../http/cursor.ts'
import type { Doc } from '../http/route-doc.ts'

const MAX_COUNT = 200

const text = z.string().min(1).max(255).optional()

const filter = {
  clientId: z.string().max(255).optional().describe('Only calls about this environment.'),
  actor: text.describe('Only calls of this operator: `actor` of an entry or of a member.'),
  action: text.describe('Only calls of this operation: its id in this reference, such as `getUser`.'),
  userId: text.describe('Only calls about this user of the environment `clientId`.'),
  subject: text.describe('Only calls about what has this id: a send, a type, a key and so on.'),
  startTime: unixTime
    .optional()
    .describe('Only calls at or after this Unix time, in seconds or milliseconds.'),
  endTime: unixTime.optional().describe('Only calls at or before this Unix time, in seconds or milliseconds.')
}

type Filter = { readonly clientId?: string | undefined; readonly userId?: string | undefined }
const namesUser = ({ clientId, userId }: Filter): boolean => userId === undefined || clientId !== undefined
const NO_CLIENT = { message: 'Expected the clientId of the user as well.', path: ['clientId'] }

const listQuery = z.object({
  ...filter,
  count: z.coerce.number().int().min(1).max(MAX_COUNT).default(50),
  cursor: cursorSchema(id => (isTrackingId(id) ? id : undefined)).optional()
})
export const auditQuery = listQuery.refine(namesUser, NO_CLIENT)
const wholeQuery = z.object(filter)
export const exportQuery = wholeQuery.refine(namesUser, NO_CLIENT)

const entry = z.object({
  id: z.uuid(),
  date: instant,
  actor: z.string().meta({
    description:
      '`admin:` and the first 8 hex digits of the SHA-256 of the admin token, or `member:` and the id of a member.'
  }),
  name: z.string().optional().meta({ description: 'Of the member.' }),
  action: z.string().meta({ description: 'Operation id in this reference.', examples: ['getUser'] }),
  method: z.string(),
  route: z.string().meta({ description: 'Path pattern.', examples: ['/:clientId/users/:userId'] }),
  clientId: z.string().optional(),
  userDigest: z.string().optional().meta({
    description:
      'The first 16 hex digits of the SHA-256 of client id, a NUL byte and user id; absent if the call names no user.'
  }),
  subject: z
    .string()
    .optional()
    .meta({ description: 'Id of what the path names beside environment and user.' }),
  address: z.string().meta({ description: 'IP address of the client.' }),
  status: z.int().optional().meta({
    description: 'Status of the answer; absent if the call still runs, or if the process ended before.'
  })
})

export const auditDoc: Doc = {
  answer: z.object({ entries: z.array(entry), next }),
  description:
    'What operators did with the admin token or a session: each look at data of users, each change and each sign-in, the latest first.',
  examples: [
    { name: 'Newest', query: { count: '10' }, status: 200 },
    { name: 'One environment', query: { clientId: 'client_1', startTime: '1795000000' }, status: 200 },
    { name: 'One user', query: { clientId: 'client_1', userId: 'u1' }, status: 200 },
    { name: 'No cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listAuditLog',
  query: listQuery,
  summary: 'List what operators did',
  tag: 'operations'
}

export const auditExportDoc: Doc = {
  answer: entry,
  description: 'Streams every entry of the list as JSON lines, the latest first.',
  examples: [
    { name: 'One user', query: { clientId: 'client_1', userId: 'u1' }, status: 200 },
    { name: 'User without environment', query: { userId: 'u1' }, status: 422 }
  ],
  lines: true,
  operationId: 'exportAuditLog',
  query: wholeQuery,
  summary: 'Export what operators did',
  tag: 'operations'
}
