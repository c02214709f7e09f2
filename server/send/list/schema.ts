// The schema of the users of a list, and of the answer for them.

import { z } from 'zod'

import { formerName, messages, trackingId } from '../../http/common-schemas.ts'
import { mergeTags, recipient, sendBody } from '../schema.ts'

/** Users of one request. */
export const MAX_RECIPIENTS = 1_000

export const listEntry = recipient.extend({
  parameters: mergeTags
    .optional()
    .describe('Values for this user alone. One with the name of a value in `parameters` of the body wins.'),
  mergeTags: formerName(mergeTags, 'parameters')
})

export type ListEntry = z.output<typeof listEntry>

/** The body of a send to one user or to a list, for the reference. */
export const sendOrListBody = sendBody.extend({
  to: z
    .union([recipient, z.array(listEntry).min(1).max(MAX_RECIPIENTS)])
    .optional()
    .describe(
      `The user, with an id, an email address or a number; or a list of up to ${MAX_RECIPIENTS} users, each with own \`parameters\`.`
    )
})

const partProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.object({ detail: z.string(), pointer: z.string() })).optional()
})

export const sendAnswer = z.object({ messages, trackingId })

export const listAnswer = z.object({
  results: z.array(z.union([sendAnswer, z.object({ error: partProblem })])).meta({
    description:
      'For each user of the list, in its order: the answer of a send to that user alone, or the problem for which nothing was sent to that user.'
  })
})
