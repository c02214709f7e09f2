// The API reference of the sandbox.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { listQuery } from './schema.ts'

const message = z.looseObject({
  channel: z.enum(CHANNELS),
  date: instant,
  id: z.string(),
  trackingId: z.string(),
  type: z.string(),
  userId: z.string()
})

export const messagesDoc: Doc = {
  answer: z.object({ messages: z.array(message), next: z.string().optional() }),
  description:
    'Newest first. Each message also has the fields of its channel. A page has fewer than `count` messages if they are large.',
  examples: [
    { name: 'Newest five emails', query: { channel: 'EMAIL', count: '5' }, status: 200 },
    {
      answer: { messages: [] },
      name: 'User without messages',
      query: { user: 'new' },
      status: 200
    }
  ],
  operationId: 'listSandboxMessages',
  query: listQuery,
  summary: 'List the messages that the sandbox stored instead of sending',
  tag: 'sandbox'
}
