// The API reference of probes.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { CHANNEL_QUEUES } from '../provider-names.ts'

export const probeDoc: Doc = {
  answer: z.object({
    at: instant,
    checks: z.array(
      z.object({
        probe: z.string(),
        state: z.enum(['ok', 'warning', 'failed', 'unsupported']),
        detail: z.string()
      })
    ),
    provider: z.string(),
    queue: z.enum(CHANNEL_QUEUES)
  }),
  description:
    'Signs in at the provider with the settings of the node that answers, and sends no message: the login at the mail server and the DKIM ' +
    'record, the account of Twilio, Vonage or Plivo, a token of Google, a push to no device at Apple, `api.test` at Slack. Web push and your ' +
    'own SMS gateway cannot be probed (`unsupported`). A queue that is paused because its provider fails continues when its own probe, one ' +
    'message, is accepted.',
  examples: [
    { name: 'Sandbox', params: { queue: 'SMS' }, status: 200 },
    { name: 'Queue without a provider', params: { queue: 'DIGEST' }, status: 404 }
  ],
  operationId: 'probeQueue',
  summary: 'Probe the provider of a queue',
  tag: 'operations'
}
