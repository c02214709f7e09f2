// Parses requests about dead letters: pages, and redrives or drops of some or many of them.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { userId } from '../../core/contact.ts'
import { isTrackingId } from '../../core/id.ts'
import { unixTime } from '../../http/common-schemas.ts'
import { momentCursor } from '../../http/cursor.ts'
import { toChannel, QUEUES, type QueueName } from '../queues.ts'

/** Dead letters of one page, and ids of one redrive or drop. */
const MAX_COUNT = 1000

/** A channel stands for its queues; the name of a queue is accepted too. */
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

const filterFields = {
  channel: channel.optional().describe('Only dead letters of this channel.'),
  code: z.string().max(255).optional().describe('Only dead letters with this error code.'),
  endTime: unixTime
    .optional()
    .describe('Only dead letters that failed at or before this Unix time, in seconds or milliseconds.'),
  startTime: unixTime
    .optional()
    .describe('Only dead letters that failed at or after this Unix time, in seconds or milliseconds.'),
  type: z.string().max(255).optional().describe('Only dead letters of this notification type.'),
  userId: userId.optional().describe('Only dead letters of this user.')
}

/** The query of a page; `cursor` is `next` of the page before. */
export const listQuery = z.object({
  ...filterFields,
  count: z.coerce.number().int().min(1).max(MAX_COUNT).default(50),
  cursor: momentCursor.optional()
})

// Strict: without a misspelt field, the filter would select more dead letters, and a drop deletes them.
/** Without a field, it selects all. */
export const filterSchema = z.strictObject(filterFields)

const filter = filterSchema.refine(
  given => Object.values(given).some(value => value !== undefined),
  'Expected at least one field.'
)

export type DeadLetterFilter = z.output<typeof filter>

/** Either `ids` or `filter` is required, so that an empty body moves no dead letter. */
export const selectionBody = z
  .strictObject({
    ids: z
      .array(z.string())
      .min(1)
      .max(MAX_COUNT)
      // A text that is no id matches no dead letter.
      .transform(all => all.filter(isTrackingId).map(id => id.toLowerCase()))
      .optional()
      .describe('The ids of the dead letters.'),
    filter: filter.optional().describe('Selects the dead letters that match all fields. At least one field.')
  })
  .refine(
    ({ filter: by, ids }) => (ids === undefined) !== (by === undefined),
    'Expected either ids or filter.'
  )

/** Which dropped dead letters are restored. */
export const restoreBody = z.strictObject({
  ids: z
    .array(z.string())
    .min(1)
    .max(MAX_COUNT)
    .transform(all => all.filter(isTrackingId).map(id => id.toLowerCase()))
    .describe('The ids of the dropped dead letters.')
})

export type DeadLetterSelection = z.output<typeof selectionBody>
