// What the reference says about preferences.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { messages } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { element, removal } from './schema.ts'

const stored = z.object({
  count: z.int().meta({ description: 'Stored preferences of the user now.' }),
  messages
})
const body = z.union([
  z.array(element),
  z.object({ preferences: z.array(element).describe('The same, as some clients wrap it.') })
])

const delivery = z.enum(DELIVERIES)
const channel = z.enum(CHANNELS)
const choice = z.looseObject({ enabled: z.literal(true) }).optional()

const matrix = z.object({
  notifications: z.array(
    z.object({
      channels: z.array(channel),
      notificationId: z.string(),
      options: z
        .partialRecord(
          channel,
          z.object({
            defaultDeliveryOption: delivery,
            off: choice,
            instant: choice,
            hourly: choice,
            daily: choice,
            weekly: choice,
            monthly: choice
          })
        )
        .meta({
          description: 'What the user is offered, for every channel: what the type says, and what applies.'
        }),
      title: z.string()
    })
  ),
  preferences: z
    .array(
      z.object({
        channel,
        delivery,
        notificationId: z.string(),
        subNotificationId: z.string().optional()
      })
    )
    .meta({ description: 'What applies, a row for every type or sub-notification and channel.' }),
  subNotifications: z.array(
    z.object({ notificationId: z.string(), subNotificationId: z.string(), title: z.string() })
  )
})

const ONE = { channel: 'EMAIL', delivery: 'daily', notificationId: 'comment' }

export const replaceDoc: Doc = {
  answer: stored,
  body,
  bodyOptional: true,
  description:
    'All that was there goes; an empty list or no body takes everything away. Without `channel` it is about every channel. Accepts `state: true` (instant) and `false` (off) in place of `delivery`.',
  examples: [
    { body: [ONE], name: 'One choice', status: 200 },
    { body: [], name: 'None', status: 200 },
    {
      body: [{ channel: 'INAPP_WEB', delivery: 'weekly', notificationId: 'comment' }],
      name: 'An inbox has no digest',
      status: 422
    }
  ],
  operationId: 'setUserPreferences',
  summary: 'Replace all preferences of a user',
  tag: 'preferences'
}

export const matrixDoc: Doc = {
  answer: matrix,
  description:
    'Lists the types that the user was sent at least once or has chosen about, and of their sub-notifications those alone, too. The choice of a user beats the environment, always.',
  examples: [{ name: 'What applies', status: 200 }],
  operationId: 'getPreferences',
  summary: 'Get the preferences of a user',
  tag: 'preferences'
}

export const mergeDoc: Doc = {
  answer: stored,
  body,
  description:
    'What is not named stays; `delivery: null` takes a choice back. Every delivery is taken, and applies, whatever the type offers.',
  examples: [
    { body: [ONE], name: 'As an array', status: 200 },
    { body: { preferences: [{ ...ONE, delivery: null }] }, name: 'Taken back, wrapped', status: 200 },
    { body: [{ ...ONE, delivery: 'never' }], name: 'No such delivery', status: 422 }
  ],
  operationId: 'updatePreferences',
  summary: 'Change some preferences of a user',
  tag: 'preferences'
}

export const removeDoc: Doc = {
  answer: stored,
  description:
    'Without `subNotificationId` those of its sub-notifications go, too. The ids may also stand in a JSON body.',
  examples: [
    { name: 'Of a type', query: { notificationId: 'comment' }, status: 200 },
    { name: 'Of nothing', status: 422 }
  ],
  operationId: 'deleteUserPreferences',
  query: removal,
  summary: 'Delete the preferences about a type',
  tag: 'preferences'
}
