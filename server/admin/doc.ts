// The API reference of the health checks.

import { z } from 'zod'

import { instant } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { QUEUES } from '../queue/queues.ts'

const check = z.enum(['ok', 'failed', 'read-only', 'behind', 'few', 'draining'])

export const healthDoc: Doc = {
  answer: z.object({ status: z.literal('ok') }),
  examples: [{ name: 'The process runs', status: 200 }],
  operationId: 'getHealth',
  summary: 'Liveness: the process runs',
  tag: 'operations'
}

export const readinessDoc: Doc = {
  answer: z.object({
    database: check,
    email: z.array(
      z.object({
        probe: z.enum(['smtp', 'dkim']),
        state: z.enum(['ok', 'warning', 'failed']),
        detail: z.string()
      })
    ),
    migrations: check,
    partitions: check,
    paused: z.array(z.object({ code: z.string(), queue: z.enum(QUEUES), since: instant })),
    serving: check,
    status: z.enum(['ready', 'not ready'])
  }),
  description:
    'For load balancers: answers 200 if this node can take requests, and 503 with the same body if not. A starting node answers with `status` ' +
    'and `serving` only. `database` is `read-only` on a standby that is not promoted. `paused` lists queues that are paused because their provider ' +
    'fails, with its error code. `email` is the result of testing the mail server and the DKIM key. A node stays ready with both.',
  examples: [{ name: 'Ready', status: 200 }],
  operationId: 'getReadiness',
  summary: 'Readiness: this node should get requests',
  tag: 'operations'
}
