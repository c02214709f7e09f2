// The API reference of the overview of a user.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { instant, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { device, user } from '../../users/doc.ts'
import { settingsAnswer } from '../../users/preferences/doc.ts'
import { CHANGE_SOURCES } from '../../users/preferences/preference.ts'
import { MAX_TOPICS, SOURCES } from './effective.ts'
import { MAX_FAULTS, MAX_SEARCHED_SENDS, MAX_WAITING } from './overview.sql.ts'

const answer = z.object({
  user,
  devices: z
    .array(z.object({ kind: z.enum(['apn', 'fcm', 'web']), device, lastUsedAt: instant, token: z.string() }))
    .meta({ description: 'The last used ones first. Tokens are shortened.' }),
  preferences: z
    .array(
      z.object({
        id: z.string(),
        subId: z.string().optional(),
        title: z.string(),
        channels: z.array(
          z.object({
            channel: z.enum(CHANNELS),
            delivery: z.enum(DELIVERIES),
            source: z.enum(SOURCES),
            changedAt: instant.optional().meta({ description: "Last change of the user's own choice." }),
            changedBy: z.enum(CHANGE_SOURCES).optional()
          })
        )
      })
    )
    .meta({
      description: `What the user gets, at most ${MAX_TOPICS} types and sub-notifications. \`source\`: \`user\` is the user's own choice, \`channel-off\` a channel that the user turned off, \`blocked\` an opt-out at the network, \`locked\` a channel that the type locks, \`environment\` a channel that is off there, \`type\` and \`environment-default\` their defaults.`
    }),
  hasMorePreferences: z.boolean(),
  ...settingsAnswer.shape,
  timezone: z.string(),
  hold: z
    .object({ reason: z.enum(['pause', 'quiet-hours']), until: instant.nullable() })
    .optional()
    .meta({ description: 'Present if messages that are not urgent are held now.' }),
  waiting: z
    .array(
      z.object({
        kind: z.enum(['delayed', 'digest', 'held', 'schedule']),
        id: z.string(),
        trackingId: trackingId.optional(),
        channel: z.string().optional(),
        type: z.string().optional(),
        at: instant.nullable().meta({ description: 'Null: until the user ends the pause.' }),
        count: z.int().optional().meta({ description: 'Notifications in the digest.' })
      })
    )
    .meta({ description: `What is sent later, the next ones first, at most ${MAX_WAITING}.` }),
  hasMoreWaiting: z.boolean(),
  sockets: z.int().meta({ description: 'Open connections of the user to the node that answers.' }),
  faults: z
    .array(
      z.object({
        trackingId,
        channel: z.string(),
        type: z.string(),
        at: instant,
        code: z.string(),
        detail: z.string().optional(),
        to: z.string().optional()
      })
    )
    .meta({
      description: `The last deliveries that failed for good, at most ${MAX_FAULTS}, of the newest ${MAX_SEARCHED_SENDS} sends.`
    })
})

export const overviewDoc: Doc = {
  answer,
  examples: [
    { name: 'Known user', status: 200 },
    { name: 'Unknown user', params: { userId: 'new' }, status: 200 }
  ],
  operationId: 'getUserOverview',
  summary: 'Get what support needs to know about a user',
  tag: 'users'
}
