// What callers may ask of dead letters: pages, and orders about some or many of them.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { userId } from '../../core/contact.ts'
import { isTrackingId } from '../../core/id.ts'
import { toMillis } from '../../core/instant.ts'
import { momentCursor } from '../../http/cursor.ts'
import { toChannel, QUEUES, type QueueName } from '../queues.ts'

/** Most letters of one page, and most ids of one order. */
const PAGE_LIMIT = 1000

/** The queues of a channel, or a queue by its own name. */
const channel = z.string().transform((text, context): readonly QueueName[] => {
  const name = text.toUpperCase()
  const queues = QUEUES.filter(queue => queue === name || toChannel(queue) === name)
  if (queues.length > 0) return queues
  context.addIssue({
    code: 'custom',
    message: `Expected one of ${CHANNELS.filter(one => one !== 'INAPP_WEB').join(', ')}.`
  })
  return z.NEVER
})

const LAST = 253_402_300_799_999
const time = z.coerce
  .number('Expected a Unix time.')
  .min(0)
  .max(LAST, 'Expected a Unix time.')
  .transform(toMillis)

const some = {
  channel: channel.optional().describe('Only of this channel.'),
  code: z.string().max(255).optional().describe('Only with this code of the fault.'),
  endTime: time
    .optional()
    .describe('The last that is meant died at this Unix time, in seconds or milliseconds.'),
  startTime: time.optional().describe('The first, likewise.'),
  type: z.string().max(255).optional().describe('Only of this notification type.'),
  userId: userId.optional().describe('Only of this user.')
}

/**
 * - `channel`, `code`, `type`, `userId`: only those
 * - `startTime`, `endTime`: when they died; Unix times in seconds or milliseconds, both inclusive
 * - `count`: letters of one page, 1 to 1000, default 50
 * - `cursor`: `next` of the page before
 */
export const listQuery = z.object({
  ...some,
  count: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
  cursor: momentCursor.optional()
})

const filter = z
  .object(some)
  .refine(given => Object.values(given).some(value => value !== undefined), 'Name at least one field.')

export type DeadLetterFilter = z.output<typeof filter>

/** Either `ids` or `filter`; nothing means neither, so that an empty body moves nothing. */
export const orderBody = z
  .object({
    ids: z
      .array(z.string())
      .min(1)
      .max(PAGE_LIMIT)
      // What is no id is nobody's.
      .transform(all => all.filter(isTrackingId).map(id => id.toLowerCase()))
      .optional()
      .describe('These dead letters.'),
    filter: filter.optional().describe('Or all of which this is true, with at least one field.')
  })
  .refine(
    ({ filter: by, ids }) => (ids === undefined) !== (by === undefined),
    'Expected either ids or filter.'
  )

export type DeadLetterOrder = z.output<typeof orderBody>
