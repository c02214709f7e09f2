// The body of a log query (spec/interface.md "Log query input", spec/wire.md 4.3).

import { z } from 'zod'

import { CHANNELS, type Channel } from '#protocol'

import { isTrackingId } from '../core/id.ts'
import { cursorOf } from '../http/cursor.ts'
import { INLINE } from '../types/templates/inline-content.ts'

/** Most values of one filter, and most records of one page. */
const VALUES = 1000
const PAGE_LIMIT = 1000
const FILTERS = 50

const texts = z.array(z.string().max(510)).max(VALUES).optional()

/** Records of a page whose size nobody says. */
export const PAGE = 100

/** Unix time in seconds or milliseconds; which one, tells its size. */
const time = z
  .number()
  .min(0, 'Expected a Unix time.')
  .max(253_402_300_799_999, 'Expected a Unix time.')
  .optional()

const CHANNEL_OF = new Map<string, Channel>(
  CHANNELS.flatMap(channel => [
    [channel.toLowerCase(), channel],
    [INLINE[channel], channel]
  ])
)

const channel = z.string().transform((text, context) => {
  const found = CHANNEL_OF.get(text.toLowerCase())
  if (found !== undefined) return found
  context.addIssue({ code: 'custom', message: `Expected one of ${CHANNELS.join(', ')}.` })
  return z.NEVER
})

/** How the SDK for Node names them. */
const ALSO: Readonly<Record<string, string>> = { failed: 'failure', sent: 'success' }

const status = z
  .string()
  .transform(text => ALSO[text.toLowerCase()] ?? text.toLowerCase())
  .pipe(z.enum(['received', 'success', 'failure'], 'Expected received, success or failure.'))

const place = cursorOf(id => (isTrackingId(id) ? id.toLowerCase() : undefined))

export const queryBody = z.object({
  dateRangeFilter: z
    .object({
      endTime: time.describe('Absent: now.'),
      startTime: time.describe('Absent: as far back as the log goes.')
    })
    .optional()
    .describe('When they were received; Unix times in seconds or milliseconds, both inclusive.'),
  notificationFilter: texts.describe('Ids of notification types.'),
  channelFilter: z.array(channel).max(VALUES).optional().describe('Channels that took part.'),
  userFilter: texts.describe('Ids of users.'),
  statusFilter: z
    .array(status)
    .max(VALUES)
    .optional()
    .describe('`received`, `success` (or `sent`) or `failure` (or `failed`).'),
  trackingIds: z
    .array(z.string())
    .max(VALUES)
    // What is no tracking id is nobody's, and found nowhere.
    .transform(ids => ids.map(id => (isTrackingId(id) ? id.toLowerCase() : undefined)))
    .optional()
    .describe('These sends alone.'),
  requestFilter: z
    .array(z.string())
    .max(FILTERS)
    .optional()
    .describe('Conditions that the request meets, all of them; written as said above.'),
  envIdFilter: texts.describe('Client ids; there is only the one in the path.'),
  customFilter: z.string().optional().describe('A query of its own, written as said above.'),
  limit: z.int().min(1).max(PAGE_LIMIT).optional().describe('Records of one page; default 100.'),
  cursor: place.optional().describe('`next` of the page before.')
})

export type QueryBody = z.output<typeof queryBody>
