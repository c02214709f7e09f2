// The API reference of the content of a send.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { trackingId } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'

const content = z.object({
  channel: z.enum(CHANNELS),
  source: z.enum(['stored', 'rendered', 'logged']).meta({
    description:
      '`stored`: as it is in the inbox. `rendered`: rendered again from the send and the version of the type that was published then. `logged`: the beginning that the log keeps, for digests.'
  }),
  fields: z
    .record(z.string(), z.string())
    .meta({ description: 'As in a preview. EMAIL: subject, html and text.' }),
  template: z.string().optional(),
  version: z
    .int()
    .optional()
    .meta({ description: 'Version of the type. Absent if it is not known any more.' }),
  locale: z.string().optional(),
  problem: z
    .object({
      detail: z.string(),
      field: z.string().optional(),
      line: z.int().optional(),
      column: z.int().optional()
    })
    .optional(),
  isExact: z.boolean().meta({
    description:
      'False if the message may have been another one: the version is not known, the template uses layouts or partials, which have no versions, or the text is cut.'
  })
})

export const sentContentDoc: Doc = {
  answer: z.object({ trackingId, type: z.string(), channels: z.array(content) }),
  description:
    'Of each channel that was sent. Language, time zone and names of the stored user are those of now.',
  examples: [{ name: 'Known tracking id', status: 200 }, unknownId('trackingId')],
  operationId: 'getSentContent',
  summary: 'Get what a send said on each channel',
  tag: 'logs'
}
