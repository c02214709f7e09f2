// The API reference of dead letters.

import { z } from 'zod'

import { instant, next, trackingId } from '../../http/common-schemas.ts'
import { EXAMPLE_ID, unknownId, type Doc } from '../../http/route-doc.ts'
import { MAX_COUNTED_LETTERS } from './dead-letters.sql.ts'
import { listQuery, restoreBody, selectionBody } from './schema.ts'

const id = z.uuid()
const letter = z.object({
  id,
  trackingId: trackingId.optional(),
  channel: z.string(),
  type: z.string().optional(),
  userId: z.string(),
  to: z.string().optional().meta({ description: 'Email address, phone number or token.' }),
  code: z.string().meta({ description: 'Error code of the provider or of the server.' }),
  detail: z.string().optional(),
  diedAt: instant,
  attempts: z.int().meta({ description: 'Number of attempts so far, including earlier redrives.' })
})

const moved = z.object({
  count: z.int(),
  ids: z.array(id),
  more: z.boolean().meta({
    description:
      'True if the limit of one request was reached: repeat the request with another Idempotency-Key.'
  })
})

export const listDoc: Doc = {
  answer: z.object({
    deadLetters: z.array(letter),
    next
  }),
  description: 'Messages that ran out of attempts or were refused for good, the latest first.',
  examples: [
    { name: 'All', status: 200 },
    { name: 'One channel and code', query: { channel: 'EMAIL', code: '550', count: '10' }, status: 200 },
    { name: 'Unknown channel', query: { channel: 'FAX' }, status: 422 }
  ],
  operationId: 'listDeadLetters',
  query: listQuery,
  summary: 'List dead letters',
  tag: 'logs'
}

export const cause = z.object({
  channel: z.string(),
  code: z.string().meta({ description: 'Error code of the provider or of the server.' }),
  count: z.int(),
  isAtLeast: z.boolean().meta({ description: `The count stopped at ${MAX_COUNTED_LETTERS}.` }),
  firstDiedAt: instant,
  lastDiedAt: instant,
  exampleId: id.meta({ description: 'Id of the latest dead letter of the group.' })
})

export const groupsDoc: Doc = {
  answer: z.object({
    groups: z.array(cause),
    more: z.boolean().meta({ description: 'True if there are more causes than one answer holds.' })
  }),
  description: 'The largest groups first, at most 100. Redrive or drop a group by its channel and code.',
  examples: [{ name: 'All causes', status: 200 }],
  impersonal: true,
  operationId: 'groupDeadLetters',
  summary: 'Count dead letters by channel and error code',
  tag: 'logs'
}

export const readDoc: Doc = {
  answer: letter,
  examples: [{ name: 'Known id', status: 200 }, unknownId('letterId')],
  operationId: 'getDeadLetter',
  summary: 'Get a dead letter',
  tag: 'logs'
}

const many = (operationId: string, summary: string, description: string): Doc => ({
  answer: moved,
  body: selectionBody,
  description: `Takes \`ids\`, or a \`filter\` with at least one field. The oldest dead letters come first. ${description}`,
  examples: [
    { body: { ids: [EXAMPLE_ID] }, name: 'By ids', status: 200 },
    {
      body: { filter: { channel: 'EMAIL', code: 'ECONNREFUSED' } },
      name: 'By channel and code',
      status: 200
    },
    { body: { filter: {} }, name: 'Empty filter', status: 422 },
    { body: {}, name: 'Neither ids nor filter', status: 422 }
  ],
  operationId,
  summary,
  tag: 'logs'
})

export const redriveManyDoc: Doc = many(
  'redriveDeadLetters',
  'Redrive dead letters',
  'Redriven messages keep their tracking ids and logs, and get as many attempts as new messages. They go to the address that is stored for the user now, unless the send gave one itself; without an address they become dead letters again (`no-address`).'
)
export const dropManyDoc: Doc = many(
  'dropDeadLetters',
  'Drop dead letters',
  'The dead letters are kept for 24 hours, in which they can be restored; the log of their attempts stays.'
)

export const restoreDoc: Doc = {
  answer: moved,
  body: restoreBody,
  description: 'Undoes a drop of the last 24 hours. Other ids are ignored.',
  examples: [
    { body: { ids: [EXAMPLE_ID] }, name: 'By ids', status: 200 },
    { body: {}, name: 'No ids', status: 422 }
  ],
  operationId: 'restoreDeadLetters',
  summary: 'Restore dropped dead letters',
  tag: 'logs'
}

export const dropDoc: Doc = {
  answer: z.object({ id }),
  description: 'It is kept for 24 hours, in which it can be restored. The log of its attempts stays.',
  examples: [{ name: 'Known id', status: 200 }, unknownId('letterId')],
  operationId: 'dropDeadLetter',
  summary: 'Drop a dead letter',
  tag: 'logs'
}
