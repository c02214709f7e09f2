// The API reference of the status of queues.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { pauseSchema } from '../pauses/doc.ts'
import { QUEUES } from '../queues.ts'
import { MAX_COUNTED_ROWS } from './status.sql.ts'

const count = z.object({
  count: z.int(),
  isAtLeast: z.boolean().meta({ description: `The count stopped at ${MAX_COUNTED_ROWS}.` })
})

export const queuesDoc: Doc = {
  answer: z.object({
    queues: z.array(
      z.object({
        queue: z.enum(QUEUES),
        due: count.meta({ description: 'Rows that should run now.' }),
        later: count.meta({
          description:
            'Rows that wait for their time or for their next attempt, and rows that are being delivered.'
        }),
        oldestDueSeconds: z
          .number()
          .optional()
          .meta({ description: 'How late the oldest due row is. Absent if none is due.' }),
        paused: z
          .object({
            code: z.string().meta({ description: 'Error code of the provider or of the network.' }),
            since: instant,
            until: instant.meta({ description: 'When one message probes the provider.' })
          })
          .optional()
          .meta({ description: 'Present if this node has paused the queue because its provider fails.' }),
        pausedByOperator: pauseSchema.optional()
      })
    )
  }),
  description:
    'Counts are those of all environments, and the same on every node. A pause is that of the node that answers: ask the workers.',
  examples: [{ name: 'All queues', status: 200 }],
  operationId: 'listQueues',
  roles: ['viewer', 'support', 'editor'],
  summary: 'List the queues: how much waits, how late it is, and why a queue is paused',
  tag: 'operations'
}
