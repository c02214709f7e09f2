// The API reference of pauses by operators.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { QUEUES } from '../queues.ts'
import { pauseBody } from './schema.ts'

export const pauseSchema = z
  .object({
    by: z.string().meta({ description: 'Actor of the audit log.' }),
    since: instant,
    until: instant.optional().meta({ description: 'Absent: until somebody resumes the queue.' })
  })
  .meta({ description: 'Present if an operator paused the queue.' })

const queue = z.enum(QUEUES)

export const pauseDoc: Doc = {
  answer: z.object({ queue, paused: pauseSchema }),
  body: pauseBody,
  bodyOptional: true,
  description:
    'Within two seconds, no worker starts another attempt; attempts in progress finish. Rows wait and lose no attempt. The pause is of all ' +
    'environments, and stays after restarts. Another call replaces its end.',
  examples: [
    { body: {}, name: 'Until it is resumed', params: { queue: 'SLACK' }, status: 200 },
    {
      body: { until: '2020-01-01T00:00:00Z' },
      name: 'Time in the past',
      params: { queue: 'SLACK' },
      status: 422
    },
    { body: {}, name: 'Unknown queue', params: { queue: 'FAX' }, status: 404 }
  ],
  operationId: 'pauseQueue',
  summary: 'Pause a queue',
  tag: 'operations'
}

export const resumeDoc: Doc = {
  answer: z.object({ queue }),
  description:
    'Ends a pause by an operator. A queue that is paused because its provider fails continues by itself.',
  examples: [
    { name: 'Paused or not', params: { queue: 'SLACK' }, status: 200 },
    { name: 'Unknown queue', params: { queue: 'FAX' }, status: 404 }
  ],
  operationId: 'resumeQueue',
  summary: 'Resume a queue',
  tag: 'operations'
}
