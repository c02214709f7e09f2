// Parses requests about broadcasts.

import { z } from 'zod'

import { anyObject, boundedRecord } from '../../http/common-schemas.ts'
import { typeId } from '../../types/type-id.ts'
import { topicId } from '../../users/topics/schema.ts'
import { sendBody } from '../schema.ts'

const MAX_PER_SECOND = 100_000
const MAX_PROPERTIES = 20

export const audience = z
  .union(
    [
      z.strictObject({ everyone: z.literal(true).describe('All users that the server knows.') }),
      z.strictObject({ topic: topicId.describe('The members of this topic.') }),
      z.strictObject({
        properties: boundedRecord(MAX_PROPERTIES, anyObject).describe(
          'Users whose properties contain these values, such as `{"plan": "pro"}`.'
        )
      })
    ],
    'Expected one of {"everyone": true}, {"topic": "…"} and {"properties": {…}}.'
  )
  .describe('Whom it goes to.')

export type Audience = z.output<typeof audience>

const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/

/** What a broadcast has beside the content of a send. */
export const broadcastFields = z.object({
  to: audience,
  localTime: z
    .string()
    .regex(LOCAL_TIME, 'Expected a date and time without a zone, such as 2026-12-01T09:00.')
    .optional()
    .describe(
      'Date and time in the time zone of each user, instead of `schedule`. A user for whom it has passed gets the notification at once.'
    ),
  perSecond: z
    .int()
    .min(1)
    .max(MAX_PER_SECOND)
    .optional()
    .describe('The most users in a second. Default: as fast as the database.')
})

/** The body of a broadcast, for the reference. */
export const broadcastBody = sendBody
  .omit({ mergeTags: true, notificationId: true, secondaryId: true, to: true, type: true, user: true })
  .extend({ type: typeId.describe(sendBody.shape.type.description!), ...broadcastFields.shape })

export const estimateBody = z.strictObject({ to: audience })
