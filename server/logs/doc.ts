// The API reference of the log of sends.

import { z } from 'zod'

import { DELIVERIES } from '#protocol'

import { instant, messages, trackingId } from '../http/common-schemas.ts'
import { unknownId, type Doc } from '../http/route-doc.ts'
import { CONTENT_FIELDS } from '../types/templates/content.ts'
import { CHANGE_SOURCES } from '../users/preferences/preference.ts'
import { channel } from './channel-doc.ts'
import { COUNTED_FIELDS } from './counts.sql.ts'
import { RULES } from './explain-rules.ts'
import { LOG_STATUSES, queryBody, statsQuery } from './schema.ts'

const channels = z.array(channel)

export const status = z.enum(LOG_STATUSES).meta({
  description:
    '`received`: not finished, or discarded by rules. `success`: delivered, and nothing failed. `partial`: one delivery succeeded and another failed for good. `failure`: a delivery failed for good and none succeeded, or the user has no address on any channel. A channel without an address is `discarded` and does not count beside others.'
})

const later = z.int().optional().meta({ description: 'Milliseconds after `received_at`.' })

/** The flat fields of a channel, such as `email_sent_at`; absent if the plan did not consider the channel. */
const channelFields = (prefix: string) => ({
  [`${prefix}_routing`]: z
    .string()
    .optional()
    .meta({ description: 'Decision, such as SEND, BATCH or IGNORE.' }),
  [`${prefix}_routing_reason`]: z.string().optional(),
  [`${prefix}_sent_at`]: instant.optional(),
  [`${prefix}_sent_after`]: later,
  [`${prefix}_delivered_at`]: instant.optional(),
  [`${prefix}_delivered_after`]: later,
  [`${prefix}_undelivered_at`]: instant.optional(),
  [`${prefix}_undelivered_code`]: z.string().optional(),
  [`${prefix}_failed_at`]: instant.optional(),
  [`${prefix}_failed_code`]: z.string().optional()
})

const record = z.object({
  trackingId,
  clientId: z.string(),
  envId: z.string().meta({ description: 'The same as `clientId`.' }),
  type: z.string(),
  subNotificationId: z.string().optional(),
  user_id: z.string(),
  user_email: z.string().optional().meta({ description: 'Email address in the send.' }),
  user_number: z.string().optional().meta({ description: 'Phone number in the send.' }),
  received_at: instant,
  broadcastId: z.uuid().optional().meta({ description: 'The broadcast that it is part of.' }),
  resendOf: trackingId.optional().meta({ description: 'Tracking id of the send that this one repeats.' }),
  scheduled_for: z.string().optional().meta({ description: '`schedule` of the send.' }),
  status,
  ignored: z.string().optional().meta({ description: 'Reason, if it discarded all channels.' }),
  request: z.string().meta({ description: 'The send as JSON text, with the current names of its fields.' }),
  messages,
  channels,
  ...Object.assign({}, ...Object.values(CONTENT_FIELDS).map(channelFields))
})

export const queryDoc: Doc = {
  answer: z.object({
    // A custom query also selects members of the request, under their paths.
    logs: z.array(record.partial().required({ trackingId: true }).loose()),
    messages,
    next: z.string().optional().meta({
      description:
        'Cursor of the next page. Absent only on the last page; a page before it may be short or empty.'
    }),
    queryId: z.string(),
    status: z.literal('Complete')
  }),
  body: queryBody,
  bodyOptional: true,
  description:
    'Newest first, within the retention period of the environment. Time, users, tracking ids and `failure` or `partial` are found by indexes; a search for anything else that is rare answers after three seconds with what it has found until then, perhaps nothing, and `next` goes on from there. Times are Unix times in seconds or milliseconds. With `channelFilter` a status is that of those channels. ' +
    'Users of a broadcast who only got the in-app notification are found by `userFilter` and `trackingIds`; conditions see only type, user and broadcast of their requests. ' +
    '`requestFilter`: conditions on the send that all hold, e.g. `request.parameters.item = "sneaker*" && request.to.email NOT EXISTS`; operators `= != > >= < <=`, `*` in texts, `IS NULL`, `IS TRUE`, `IS FALSE`, `EXISTS`, `NOT EXISTS`, `&&`, `||`, parentheses. ' +
    '`customFilter`: `fields … | filter … | sort … desc | limit n`, with `and`, `or`, `not`, `in [..]` and `like /pattern/`; it overrides all other filters but the span of time. A pattern has literals, `.`, `[a-z]`, `\\d`, `\\w`, `\\s`, `*`, `+`, `^` and `$`. ' +
    'Each record is that of `GET /{clientId}/logs/{trackingId}`, or the `fields` of it. ' +
    'Queries of an environment run one after another; while one runs and three wait, further ones get 429 with `Retry-After`.',
  examples: [
    { body: {}, name: 'All sends', status: 200 },
    {
      body: { channelFilter: ['EMAIL'], statusFilter: ['failure'], userFilter: ['u1'] },
      name: 'Failures of a user',
      status: 200
    },
    { body: { decisionFilter: ['preference-off', 'rate'] }, name: 'By decisions and rules', status: 200 },
    { body: { decisionFilter: ['off'] }, name: 'Unknown decision', status: 422 },
    { body: { requestFilter: ['request.to.id = "u*"'] }, name: 'By content of the request', status: 200 },
    {
      body: {
        customFilter:
          'fields received_at, request.to.id | filter type like /^com/ and email_routing = "SEND" | sort received_at desc | limit 20'
      },
      name: 'Custom query',
      status: 200
    },
    { body: { dateRangeFilter: { startTime: 1 } }, name: 'Before the retention period', status: 422 },
    { body: { requestFilter: ['request.a ='] }, name: 'Incomplete condition', status: 422 }
  ],
  reads: true,
  operationId: 'queryLogs',
  summary: 'Search the log of sends',
  tag: 'logs'
}

const stateCounts = z.object({ discarded: z.int(), failed: z.int(), sent: z.int() }).partial()

export const statsDoc: Doc = {
  answer: z.object({
    by: z.enum(COUNTED_FIELDS),
    from: z.iso.date(),
    to: z.iso.date(),
    until: instant.optional().meta({
      description: 'Everything until then is counted. Absent in the first minute of an installation.'
    }),
    counts: z.array(
      z.object({
        value: z.string().meta({ description: 'Day, type, channel or state.' }),
        count: z.int(),
        states: stateCounts
          .optional()
          .meta({ description: 'Of a day, type or channel: counts of its states.' })
      })
    )
  }),
  description:
    'Counts the deliveries whose last attempt was made (`sent`, `failed`) and the channels of sends that were not delivered (`discarded`, `failed`). A digest counts as one delivery, a delivery to two devices as two, and a redriven one again. In-app notifications count as `sent` when they are in the inbox. A day is that of the decision or the result, in UTC; days are kept for 400 days, also those of erased users. Housekeeping counts once a minute.',
  examples: [
    { name: 'Last 30 days', status: 200 },
    { name: 'By type', query: { by: 'type' }, status: 200 },
    { name: 'Wrong day', query: { from: 'yesterday' }, status: 422 }
  ],
  impersonal: true,
  operationId: 'getLogStats',
  query: statsQuery,
  summary: 'Count deliveries by day, type, channel or state',
  tag: 'logs'
}

export const readDoc: Doc = {
  answer: record,
  examples: [{ name: 'Known tracking id', status: 200 }, unknownId('trackingId')],
  operationId: 'getLog',
  summary: 'Get a send with every attempt of every channel',
  tag: 'logs'
}

const explainedChannel = channel.extend({
  rules: z.array(z.object({ rule: z.enum(RULES), passed: z.boolean() })).meta({
    description:
      'The rules in their order, up to the one that decided. A rule that does not apply counts as passed.'
  }),
  preference: z
    .object({ delivery: z.enum(DELIVERIES), changedAt: instant, changedBy: z.enum(CHANGE_SOURCES) })
    .optional()
    .meta({
      description:
        'If a preference decided and still stands: its value, and when and where it was changed last.'
    })
})

export const explainDoc: Doc = {
  answer: z.object({
    channels: z.array(explainedChannel),
    messages,
    received_at: instant,
    status,
    trackingId,
    type: z.string(),
    user_id: z.string()
  }),
  examples: [{ name: 'Known tracking id', status: 200 }, unknownId('trackingId')],
  operationId: 'explainLog',
  summary: 'Explain a send: why each channel did what it did',
  tag: 'logs'
}
