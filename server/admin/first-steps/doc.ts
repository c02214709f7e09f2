// The API reference of the first steps.

import { z } from 'zod'

import { instant, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'

export const firstStepsDoc: Doc = {
  answer: z.object({
    steps: z.array(
      z.object({
        id: z.enum(['send', 'inbox', 'type', 'provider', 'delivery']),
        isDone: z.boolean(),
        at: instant.optional(),
        trackingId: trackingId.optional(),
        userId: z.string().optional(),
        type: z.string().optional()
      })
    )
  }),
  description:
    'Whether a send was accepted, one of its users opened an inbox, a type exists, a provider is set, and a provider accepted a message. ' +
    'Looks at the first and last sends only.',
  examples: [{ name: 'All steps', status: 200 }],
  operationId: 'listFirstSteps',
  summary: 'List the first steps, and which are done',
  tag: 'operations'
}
