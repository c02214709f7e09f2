// Schemas of promotions.

import { z } from 'zod'

import { lineText, typeId } from '../type-id.ts'

/** In UTF-16 code units. */
const MAX_NOTE_LENGTH = 500
const MAX_CLIENT_ID_LENGTH = 255

const to = z
  .string()
  .min(1)
  .max(MAX_CLIENT_ID_LENGTH)
  .describe('Client id of the environment that gets the type.')
const type = typeId.describe('Id of the notification type.')

export const promotionQuery = z.object({ to, type })

export const promotionBody = z.strictObject({
  note: lineText(MAX_NOTE_LENGTH).min(1).optional().describe('For the list of versions of the target.'),
  to,
  type,
  version: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Published version of the source that the caller has seen. 409 if another one is published now.'
    )
})
