// The API reference of the list of digests.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { instant, next } from '../../../http/common-schemas.ts'
import type { Doc } from '../../../http/route-doc.ts'
import { MAX_COUNTED_ITEMS } from './list-digests.sql.ts'
import { digestsQuery } from './schema.ts'

export const listDoc: Doc = {
  answer: z.object({
    digests: z.array(
      z.object({
        id: z.uuid(),
        userId: z.string(),
        type: z.string(),
        channel: z.enum(CHANNELS),
        sendsAt: instant,
        items: z
          .object({ count: z.int(), isAtLeast: z.boolean() })
          .meta({ description: `Notifications in the digest, counted up to ${MAX_COUNTED_ITEMS}.` })
      })
    ),
    next
  }),
  description:
    'The digests that wait, the next first. A digest whose user changed preferences, zone or quiet hours comes first until it is looked at again, within seconds.',
  examples: [
    { name: 'All', status: 200 },
    { name: 'Ten', query: { count: '10' }, status: 200 },
    { name: 'Wrong cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listDigests',
  query: digestsQuery,
  summary: 'List digests that wait',
  tag: 'schedules'
}
