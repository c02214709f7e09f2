// The API reference of simulated sends.

import { z } from 'zod'

import { instant, messages } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { channel } from '../../logs/channel-doc.ts'
import { status } from '../../logs/doc.ts'
import { simulateBody } from './schema.ts'

const channels = z.array(
  channel.extend({
    at: instant.optional().meta({ description: 'When the message would be sent.' }),
    content: z.record(z.string(), z.string()).optional().meta({
      description: 'Rendered fields, if `render` is true; `problem` says why there are none.'
    }),
    to: z.array(z.string()).optional().meta({ description: 'Email addresses, phone numbers or tokens.' })
  })
)

export const simulateDoc: Doc = {
  answer: z.object({
    channels,
    messages,
    now: instant,
    status,
    wouldAnswer: z.int().meta({ description: 'Status that POST /{clientId}/sender would return.' })
  }),
  body: simulateBody,
  description:
    'Plans a send as if it arrived at `now`, for the stored user or the user in the body. The answer says for each channel whether, when and why it would send, in the format of `GET /{clientId}/logs/{trackingId}/explain`. Nothing is written and nothing is sent.',
  examples: [
    {
      body: { send: { inapp: { title: 'Your report is ready' }, to: { id: 'u1' }, type: 'report_ready' } },
      name: 'Stored user, now',
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
      name: 'Another time and other preferences',
      status: 200
    },
    { body: { send: { to: { id: 'u1' } } }, name: 'Without a type', status: 422 }
  ],
  reads: true,
  operationId: 'simulate',
  summary: 'Simulate a send',
  tag: 'send'
}
