// What a simulation is asked: a send, and perhaps another moment, another user, other preferences.

import { z } from 'zod'

import { identity } from '../../users/schema.ts'

const { email, number, timezone } = identity.shape

/** Years in which clocks are known. */
const isNear = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 2000 && year < 2100
}

export const simulateBody = z.strictObject({
  send: z.unknown().meta({ description: 'As in POST /{clientId}/sender.' }),
  now: z.iso
    .datetime({ offset: true, abort: true, error: 'Expected a time such as 2026-11-21T09:00:00Z.' })
    .refine(isNear, 'Expected a time between 2000 and 2100.')
    .transform(text => Date.parse(text))
    .optional()
    .meta({ description: 'When it would be sent; absent: now.' }),
  user: z
    .strictObject({ email, number, timezone })
    .optional()
    .meta({ description: 'Instead of what is stored; of a field `null`: as if nothing were.' }),
  preferences: z.unknown().optional().meta({
    description: 'Instead of all that are stored: an array as in POST /{clientId}/user_preferences/{userId}.'
  }),
  render: z.boolean().default(false).meta({ description: 'Also what each channel would say.' })
})
