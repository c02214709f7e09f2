// The API reference of types in the log.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { instant, next, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { MAX_WARNED_SENDS } from './overview.sql.ts'
import { typesQuery } from './schema.ts'
import { MAX_SAMPLE_CHARACTERS, MAX_VARIABLES } from './variables.ts'

const channel = z.enum(CHANNELS)
const byDay = z.array(z.int())

const overview = z.object({
  id: z.string(),
  title: z.string(),
  enabled: z.boolean(),
  channels: z.array(channel),
  updatedAt: instant,
  version: z.int().optional().meta({ description: 'Number of the published version.' }),
  draft: z
    .int()
    .optional()
    .meta({ description: 'Number of the newest version, if another one is published.' }),
  managedBy: z.literal('files').optional(),
  locales: z.partialRecord(channel, z.array(z.string())).meta({
    description: 'Languages of the default templates; an empty text is the template without a language.'
  }),
  sent: byDay.meta({ description: 'Deliveries that succeeded, for each of `days`.' }),
  failed: byDay.meta({ description: 'Deliveries that failed for good, for each of `days`.' }),
  needsLook: z
    .array(
      z.object({
        code: z.enum(['missing-template', 'missing-language', 'missing-variables']),
        detail: z.string(),
        channel: channel.optional(),
        locale: z.string().optional()
      })
    )
    .meta({
      description: `What is incomplete: a channel without a template, a language that other channels have, or variables without a value in the newest ${MAX_WARNED_SENDS} sends of the environment.`
    })
})

export const overviewDoc: Doc = {
  answer: z.object({
    types: z.array(overview),
    days: z.array(z.iso.date()).meta({ description: 'The last 14 days in UTC, the oldest first.' }),
    next
  }),
  description: 'By id. Days are counted as in the statistics of the log.',
  examples: [
    { name: 'First page', query: { count: '10' }, status: 200 },
    { name: 'Wrong cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listTypeOverviews',
  query: typesQuery,
  summary: 'List types with their versions, languages and sends by day',
  tag: 'types'
}

export const variablesDoc: Doc = {
  answer: z.object({
    variables: z
      .array(
        z.object({
          name: z.string().meta({ description: 'As in a template; `lines[]` is each entry of a list.' }),
          sample: z.string().meta({ description: `JSON, at most ${MAX_SAMPLE_CHARACTERS} characters.` }),
          count: z.int().meta({ description: 'Sends that have it.' })
        })
      )
      .meta({ description: `The most frequent ones first, at most ${MAX_VARIABLES}.` }),
    missing: z.array(z.object({ channel, template: z.string(), name: z.string(), count: z.int() })).meta({
      description: 'Variables that a published template reads and that `count` of these sends lack.'
    }),
    sends: z
      .array(trackingId)
      .meta({ description: 'The sends whose parameters were read, the newest first.' })
  }),
  description:
    'From the newest 25 sends of the type with parameters. They are looked for among the newest 20,000 sends of the environment, and of the last day that has any of the type.',
  examples: [
    { name: 'Of recent sends', status: 200 },
    { name: 'Unknown type', params: { id: 'nothing' }, status: 404 }
  ],
  operationId: 'listTypeVariables',
  summary: 'List the variables of recent sends of a type',
  tag: 'logs'
}
