// What the reference says about simulations.

import { z } from 'zod'

import { instant, messages } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { channel } from '../../logs/doc.ts'
import { simulateBody } from './schema.ts'

const channels = z.array(
  channel.extend({
    at: instant.optional().meta({ description: 'When it would go out.' }),
    content: z.record(z.string(), z.string()).optional().meta({
      description: 'With `render`: the fields as they would be; `problem` says why there are none.'
    }),
    to: z.array(z.string()).optional().meta({ description: 'Addresses, numbers or tokens.' })
  })
)

export const simulateDoc: Doc = {
  answer: z.object({
    channels,
    messages,
    now: instant,
    status: z.enum(['received', 'success', 'failure']),
    wouldAnswer: z.int().meta({ description: 'Status with which POST /{clientId}/sender would answer.' })
  }),
  body: simulateBody,
  description:
    'Plans a send as if it came at `now`, for the stored user or the one described: for each channel whether it would go out, when and why, as `GET /{clientId}/logs/{trackingId}/explain` tells it afterwards. Nothing is written and nothing is sent.',
  examples: [
    {
      body: { send: { inapp: { title: 'Your report is ready' }, to: { id: 'u1' }, type: 'report_ready' } },
      name: 'As things stand',
      status: 200
    },
    {
      body: {
        now: '2026-12-24T08:00:00Z',
        preferences: [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'report_ready' }],
        render: true,
        send: {
          email: { html: '<p>{{ n }}</p>', subject: 'Report' },
          parameters: { n: 1 },
          to: { email: 'u1@example.com', id: 'u1' },
          type: 'report_ready'
        },
        user: { timezone: 'America/New_York' }
      },
      name: 'Another moment, another user',
      status: 200
    },
    { body: { send: { to: { id: 'u1' } } }, name: 'Without a type', status: 422 }
  ],
  operationId: 'simulate',
  summary: 'Simulate a send',
  tag: 'send'
}
