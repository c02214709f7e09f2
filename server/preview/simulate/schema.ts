// The schema of a simulation: a send, and optionally another time, contact details and preferences.

import { z } from 'zod'

import { identity } from '../../users/schema.ts'

const { email, number, timezone } = identity.shape

/** Later changes of clocks are not known. */
const isNear = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 2000 && year < 2100
}

export const simulateBody = z.strictObject({
  send: z
    .unknown()
    .meta({ $ref: '#/components/schemas/SendBody', description: 'As in POST /{clientId}/sender.' }),
  now: z.iso
    .datetime({ offset: true, abort: true, error: 'Expected a time such as 2026-11-21T09:00:00Z.' })
    .refine(isNear, 'Expected a time between 2000 and 2100.')
    .transform(text => Date.parse(text))
    .optional()
    .meta({ description: 'Time of the send. Default: now.' }),
  user: z.strictObject({ email, number, timezone }).optional().meta({
    description: 'Contact details to use instead of the stored ones; `null`: as if nothing were stored.'
  }),
  preferences: z.unknown().optional().meta({
    description:
      'Preferences to use instead of all stored ones: an array as in POST /{clientId}/user_preferences/{userId}.'
  }),
  render: z.boolean().default(false).meta({ description: 'Also renders the content of each channel.' })
})
