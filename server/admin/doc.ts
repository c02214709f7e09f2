// What the reference says about health.

import { z } from 'zod'

import { instant } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { QUEUES } from '../queue/queues.ts'

const check = z.enum(['ok', 'failed', 'read-only', 'behind', 'few', 'draining'])

export const healthDoc: Doc = {
  answer: z.object({ status: z.literal('ok') }),
  examples: [{ answer: { status: 'ok' }, name: 'The process turns', status: 200 }],
  operationId: 'getHealth',
  summary: 'Liveness: the process runs',
  tag: 'operations'
}

export const readinessDoc: Doc = {
  answer: z.object({
    database: check,
    mail: z.array(
      z.object({
        probe: z.enum(['smtp', 'dkim']),
        state: z.enum(['ok', 'warning', 'failed']),
        words: z.string()
      })
    ),
    migrations: check,
    partitions: check,
    resting: z.array(z.object({ code: z.string(), lane: z.enum(QUEUES), since: instant })),
    serving: check,
    status: z.enum(['ready', 'not ready'])
  }),
  description:
    'For a balancer: 200 when this node should get requests, otherwise 503 with the same body, of which a node that starts ' +
    'says `status` and `serving` alone. A `database` that is `read-only`, such as a standby before it is promoted, stores nothing. `resting` names queues that ' +
    'wait for their provider, and the code of its fault, `mail` what trying the mail server and the DKIM key at start came to; neither makes a node unready.',
  examples: [
    {
      answer: {
        database: 'ok',
        mail: [],
        migrations: 'ok',
        partitions: 'ok',
        resting: [],
        serving: 'ok',
        status: 'ready'
      },
      name: 'Ready',
      status: 200
    }
  ],
  operationId: 'getReadiness',
  summary: 'Readiness: this node should get requests',
  tag: 'operations'
}
