// What the reference says about dead letters.

import { z } from 'zod'

import { instant, next, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { listQuery, orderBody } from './schema.ts'

const id = z.uuid()
const letter = z.object({
  id,
  trackingId: trackingId.optional(),
  channel: z.string(),
  type: z.string().optional(),
  userId: z.string(),
  to: z.string().optional().meta({ description: 'Address, number or token.' }),
  code: z.string().meta({ description: 'Why it died, in the words of the provider.' }),
  detail: z.string().optional(),
  diedAt: instant,
  tries: z.int().meta({ description: 'So far, over all redrives.' })
})

const moved = z.object({
  count: z.int(),
  ids: z.array(id),
  more: z
    .boolean()
    .meta({ description: 'The limit of one request was reached: ask again, with another key.' })
})

const UNKNOWN = { params: { letterId: '01937f6e-0000-7000-8000-000000000000' }, status: 404 }

export const listDoc: Doc = {
  answer: z.object({
    deadLetters: z.array(letter),
    next
  }),
  description: 'What ran out of tries or was refused for good. Those that died last come first.',
  examples: [
    { name: 'All of them', status: 200 },
    {
      name: 'Of a channel, for one reason',
      query: { channel: 'EMAIL', code: '550', count: '10' },
      status: 200
    },
    { name: 'A channel that is none', query: { channel: 'FAX' }, status: 422 }
  ],
  operationId: 'listDeadLetters',
  query: listQuery,
  summary: 'List dead letters',
  tag: 'logs'
}

export const readDoc: Doc = {
  answer: letter,
  examples: [
    { name: 'One', status: 200 },
    { name: 'Unknown', ...UNKNOWN }
  ],
  operationId: 'getDeadLetter',
  summary: 'Get a dead letter',
  tag: 'logs'
}

const many = (operationId: string, summary: string, description: string): Doc => ({
  answer: moved,
  body: orderBody,
  description: `Either \`ids\` or a \`filter\` with at least one field; the oldest first. ${description}`,
  examples: [
    { body: { ids: ['01937f6e-0000-7000-8000-000000000000'] }, name: 'By their ids', status: 200 },
    { body: { filter: { channel: 'EMAIL', code: 'ECONNREFUSED' } }, name: 'All of one reason', status: 200 },
    { body: { filter: {} }, name: 'A filter of nothing', status: 422 },
    { body: {}, name: 'Neither', status: 422 }
  ],
  operationId,
  summary,
  tag: 'logs'
})

export const redriveManyDoc: Doc = many(
  'redriveDeadLetters',
  'Redrive dead letters',
  'They keep their tracking ids and logs, and have as many tries as new messages.'
)
export const dropManyDoc: Doc = many(
  'dropDeadLetters',
  'Drop dead letters',
  'They are forgotten; the log of their tries stays.'
)

export const dropDoc: Doc = {
  answer: z.object({ id }),
  description: 'It is forgotten; the log of its tries stays.',
  examples: [
    { name: 'One', status: 200 },
    { name: 'Unknown', ...UNKNOWN }
  ],
  operationId: 'dropDeadLetter',
  summary: 'Drop a dead letter',
  tag: 'logs'
}
