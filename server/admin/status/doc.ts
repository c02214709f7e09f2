// The API reference of the status of an environment.

import { z } from 'zod'

import { CHANNEL_QUEUES } from '../../channels/provider-names.ts'
import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { cause } from '../../queue/dead-letters/doc.ts'
import { pauseSchema } from '../../queue/pauses/doc.ts'
import { UNSENDABLE } from './attention.sql.ts'

const counts = {
  sent: z.int(),
  failed: z.int(),
  discarded: z.int().meta({ description: 'Not sent because of a rule, a preference or a missing address.' })
}

const probe = {
  probe: z.enum(['smtp', 'dkim']),
  state: z.enum(['ok', 'warning', 'failed']),
  detail: z.string()
}

const queue = z.object({
  queue: z.enum(CHANNEL_QUEUES),
  channel: z.string(),
  provider: z.string().meta({
    description: 'Host of the mail server or name of the provider; `sandbox`: messages are kept and not sent.'
  }),
  state: z.enum(['running', 'provider-failing', 'paused', 'sandbox']),
  waiting: z
    .object({ count: z.int(), isAtLeast: z.boolean() })
    .meta({ description: 'Messages of this environment among the first 5,000 of the queue.' }),
  oldestDueSeconds: z
    .number()
    .optional()
    .meta({ description: 'How late the oldest message of this environment is; absent if none is due.' }),
  fault: z
    .object({
      code: z.string().meta({ description: 'Error code of the provider or of the network.' }),
      since: instant,
      until: instant.meta({ description: 'When one message probes the provider.' })
    })
    .optional(),
  paused: pauseSchema.optional()
})

const attention = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), ...probe }),
  z.object({
    kind: z.literal('dead-letters'),
    channel: z.string(),
    code: z.string(),
    count: z.int(),
    isAtLeast: z.boolean()
  }),
  z.object({
    kind: z.literal('cannot-send'),
    decision: z.enum(UNSENDABLE),
    type: z.string(),
    title: z.string().optional(),
    channel: z.string(),
    count: z.int().meta({ description: 'Messages since the beginning of yesterday, in UTC.' })
  }),
  z.object({ kind: z.literal('key-expires'), keyId: z.uuid(), name: z.string(), expiresAt: instant }),
  z.object({ kind: z.literal('secret-ends'), endsAt: instant })
])

const steps = z.array(z.object({ at: instant, ...counts }))

const channels = z.array(
  z.object({
    channel: z.string(),
    sent: z.array(z.int()),
    failed: z.array(z.int()),
    total: z.object(counts)
  })
)

export const historyQuery = z.object({
  span: z.enum(['24h', '7d']).default('24h').meta({
    description: '24 hours in steps of 30 minutes, or 7 days in steps of 2 hours.'
  })
})

export const historyDoc: Doc = {
  answer: z.object({
    span: z.enum(['24h', '7d']),
    stepMinutes: z.int(),
    steps,
    channels,
    total: z.object(counts)
  }),
  description:
    'Deliveries over a longer time than the hour of `GET /{clientId}/status`. Steps begin on the hour or half hour in UTC; the last one is not over.',
  examples: [
    { name: 'A week', query: { span: '7d' }, status: 200 },
    { name: 'Unknown span', query: { span: '1y' }, status: 422 }
  ],
  operationId: 'getDeliveryHistory',
  query: historyQuery,
  summary: 'Get the deliveries of each channel over a day or a week',
  tag: 'operations'
}

export const statusDoc: Doc = {
  answer: z.object({
    at: instant,
    database: z.object({
      state: z.enum(['ok', 'read-only']),
      sizeBytes: z.int().optional().meta({ description: 'Of all environments, at most a minute old.' })
    }),
    nodes: z.array(
      z.object({
        id: z.uuid(),
        role: z.enum(['all', 'api', 'worker']),
        version: z.string(),
        startedAt: instant,
        seenAt: instant
      })
    ),
    sockets: z.int().meta({ description: 'Open sockets and waiting polls of all nodes and environments.' }),
    email: z.array(z.object(probe)),
    queues: z.array(queue),
    minutes: steps,
    channels,
    lastHour: z.object(counts),
    usual: z.object({ sentPerMinute: z.number(), failedPerMinute: z.number() }).optional().meta({
      description: 'Average of the same hour of the last seven days; absent for a younger environment.'
    }),
    deadLetters: z.object({
      causes: z.array(cause),
      count: z.int(),
      isAtLeast: z.boolean(),
      more: z.boolean()
    }),
    attention: z.array(attention)
  }),
  description:
    'For the first look at an environment. `minutes` are the last 60, with the current one last; deliveries to the inbox count too. ' +
    '`queues` says for each provider whether it gets messages: a queue serves all environments. `attention` is what somebody has to look at, ' +
    'the worst first. Counts of dead letters stop at 1,000 for each cause.',
  examples: [{ name: 'Now', status: 200 }],
  operationId: 'getStatus',
  summary: 'Get what is going out, what waits and what needs somebody',
  tag: 'operations'
}
