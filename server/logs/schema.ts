// The body of a log query.

import { z } from 'zod'

import { CHANNELS, type Channel } from '#protocol'

import type { LogStatus } from '../client/logs.ts'
import { phoneNumber } from '../core/contact.ts'
import { isTrackingId } from '../core/id.ts'
import { cursorSchema } from '../http/cursor.ts'
import type { Decision } from '../send/plan/decision.ts'
import { CONTENT_FIELDS } from '../types/templates/content.ts'
import { COUNTED_FIELDS } from './counts.sql.ts'
import { decisionsOfRule, RULES, type Rule } from './explain-rules.ts'
import { DECISIONS } from './status-labels.ts'

const MAX_VALUES = 1000
const MAX_PAGE_SIZE = 1000
const MAX_REQUEST_FILTERS = 50

const texts = z.array(z.string().max(510)).max(MAX_VALUES).optional()

export const DEFAULT_PAGE_SIZE = 100

/** Each is looked up on its own. */
const MAX_ADDRESSES = 20

/** A number is stored in E.164. The database ignores the case of an email address. */
const toSearchedAddress = (text: string): string => phoneNumber.safeParse(text).data ?? text.trim()

/** Unix time in seconds or milliseconds, which its size tells apart. */
const time = z
  .number()
  .min(0, 'Expected a Unix time.')
  .max(253_402_300_799_999, 'Expected a Unix time.')
  .optional()

const CHANNELS_BY_NAME = new Map<string, Channel>(
  CHANNELS.flatMap(channel => [
    [channel.toLowerCase(), channel],
    [CONTENT_FIELDS[channel], channel]
  ])
)

const channel = z.string().transform((text, context) => {
  const found = CHANNELS_BY_NAME.get(text.toLowerCase())
  if (found !== undefined) return found
  context.addIssue({ code: 'custom', message: `Expected one of ${CHANNELS.join(', ')}.` })
  return z.NEVER
})

export const LOG_STATUSES = [
  'received',
  'success',
  'partial',
  'failure'
] as const satisfies readonly LogStatus[]

/** Names of the Node SDK. */
const STATUS_ALIASES: Readonly<Record<string, string>> = { failed: 'failure', sent: 'success' }

const status = z
  .string()
  .transform(text => STATUS_ALIASES[text.toLowerCase()] ?? text.toLowerCase())
  .pipe(z.enum(LOG_STATUSES, `Expected one of ${LOG_STATUSES.join(', ')}.`))

const isRule = (text: string): text is Rule => (RULES as readonly string[]).includes(text)
const isDecision = (text: string): text is Decision => (DECISIONS as readonly string[]).includes(text)

const decision = z.string().transform((text, context): readonly Decision[] => {
  if (isDecision(text)) return [text]
  if (isRule(text)) return decisionsOfRule(text)
  const message = `Expected one of ${[...DECISIONS, ...RULES].join(', ')}.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const idCursor = cursorSchema(id => (isTrackingId(id) ? id.toLowerCase() : undefined))

export const queryBody = z.object({
  dateRangeFilter: z
    .object({
      endTime: time.describe('Absent: now.'),
      startTime: time.describe('Absent: the beginning of the log.')
    })
    .optional()
    .describe('When the send was received: Unix times in seconds or milliseconds, both inclusive.'),
  notificationFilter: texts.describe('Ids of notification types.'),
  channelFilter: z.array(channel).max(MAX_VALUES).optional().describe('Channels that the plan considered.'),
  userFilter: texts.describe('Ids of users.'),
  addressFilter: z
    .array(z.string().max(255).transform(toSearchedAddress))
    .max(MAX_ADDRESSES)
    .optional()
    .describe(
      'Email addresses and phone numbers that a message of the send went to, also if the address was that of the user and not of the send.'
    ),
  statusFilter: z
    .array(status)
    .max(MAX_VALUES)
    .optional()
    .describe('`received`, `success` (or `sent`), `partial` or `failure` (or `failed`).'),
  decisionFilter: z
    .array(decision)
    .max(MAX_VALUES)
    // A rule stands for the decisions that fail it.
    .transform(all => all.flat())
    .optional()
    .describe(
      'Decisions such as `preference-off`, or rules such as `preference`, which stand for the decisions that fail them. With `channelFilter`, of those channels.'
    ),
  trackingIds: z
    .array(z.string())
    .max(MAX_VALUES)
    // Other texts match no send.
    .transform(ids => ids.map(id => (isTrackingId(id) ? id.toLowerCase() : undefined)))
    .optional()
    .describe('Only these sends.'),
  requestFilter: z
    .array(z.string())
    .max(MAX_REQUEST_FILTERS)
    .optional()
    .describe('Conditions on the request, all of which must hold. Syntax: see the description above.'),
  envIdFilter: texts.describe('Client ids. Only sends of the environment in the path are found.'),
  customFilter: z.string().optional().describe('A complete query. Syntax: see the description above.'),
  limit: z.int().min(1).max(MAX_PAGE_SIZE).optional().describe('Records on one page. Default: 100.'),
  cursor: idCursor.optional().describe('`next` of the previous page.')
})

export type QueryBody = z.output<typeof queryBody>

const day = z.iso.date('Expected a day such as 2026-11-23.')

/** The counts of a log are by day, in UTC. */
export const statsQuery = z.object({
  by: z.enum(COUNTED_FIELDS).default('day').describe('What the counts are grouped by.'),
  type: z.string().min(1).max(255).optional().describe('Only this notification type.'),
  from: day.optional().describe('First day, in UTC. Default: 29 days before `to`.'),
  to: day.optional().describe('Last day, in UTC. Default: today.')
})
