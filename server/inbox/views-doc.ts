// The API reference of the unread counts by type.

import { z } from 'zod'

import type { Doc } from '../http/route-doc.ts'
import { countsQuery } from './schema.ts'

export const countsDoc: Doc = {
  answer: z.object({
    byType: z.record(z.string(), z.int()),
    tags: z.record(z.string(), z.array(z.string())),
    version: z.int()
  }),
  examples: [
    { name: 'All types', status: 200 },
    { name: 'One type and one tag', query: { tags: 'billing', types: 'new_comment' }, status: 200 }
  ],
  operationId: 'countInbox',
  query: countsQuery,
  summary: 'Count unread notifications by type, and list the types of tags',
  tag: 'inbox'
}
