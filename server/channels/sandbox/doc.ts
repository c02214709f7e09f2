// What the reference says about the sandbox.

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
    'Newest first. Beside the fields below each message has those of its channel. A page has fewer than `count` where they are large.',
  examples: [
    { name: 'The newest five mails', query: { channel: 'EMAIL', count: '5' }, status: 200 },
    {
      answer: { messages: [] },
      name: 'Nothing for somebody new',
      query: { user: 'new' },
      status: 200
    }
  ],
  operationId: 'listSandboxMessages',
  query: listQuery,
  summary: 'List the messages that were kept instead of sent',
  tag: 'sandbox'
}
