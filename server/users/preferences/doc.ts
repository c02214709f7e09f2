// The API reference of preferences.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { instant, messages } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { element, removal } from './schema.ts'
import { settingsPatch } from './settings-patch.ts'

const stored = z.object({
  count: z.int().meta({ description: 'Number of stored preferences of the user.' }),
  messages
})
const body = z.union([
  z.array(element),
  z.object({ preferences: z.array(element).describe('The same array, as some clients wrap it.') })
])

const delivery = z.enum(DELIVERIES)
const channel = z.enum(CHANNELS)
const choice = z.looseObject({ enabled: z.literal(true) }).optional()

const quietHours = z.object({
  days: z.array(z.int().min(1).max(7)).meta({ description: 'Days on which they begin: 1 is Monday.' }),
  from: z.string().meta({ description: '`HH:MM` in the zone.' }),
  on: z.boolean(),
  to: z.string().meta({ description: '`HH:MM`; on the next day if it is not later than `from`.' }),
  urgentPasses: z.boolean().meta({ description: 'Whether urgent types do not wait.' }),
  zone: z.string().meta({ description: 'IANA time zone; that of the user unless they chose another one.' })
})

const pause = z
  .object({ isOn: z.boolean(), until: instant.nullable() })
  .meta({ description: '`until: null` while it is on: until the user ends it.' })

const switches = z.partialRecord(
  channel,
  z.object({ on: z.boolean(), state: z.literal('blocked').optional() })
)

const matrix = z.object({
  channels: switches.meta({
    description:
      'The switch of each whole channel. `state: blocked`: the network stopped it (STOP to an SMS), and the user cannot change it here.'
  }),
  notifications: z.array(
    z.object({
      channels: z.array(channel),
      notificationId: z.string(),
      description: z.string().optional(),
      group: z.string().optional().meta({ description: 'Heading above types that belong together.' }),
      locked: z.array(channel).optional().meta({ description: 'Channels that the user cannot turn off.' }),
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
          description:
            'What the user can choose for every channel: the options of the type, and the current value.'
        }),
      title: z.string(),
      urgent: z.boolean().optional().meta({ description: 'Not held back by a pause.' })
    })
  ),
  pause,
  quiet: quietHours,
  preferences: z
    .array(
      z.object({
        channel,
        delivery,
        isInherited: z.literal(true).optional().meta({
          description:
            'Nothing is stored for this row: `delivery` comes from the type, its other preferences or the environment.'
        }),
        notificationId: z.string(),
        subNotificationId: z.string().optional()
      })
    )
    .meta({ description: 'Current values, one for every type or sub-notification and channel.' }),
  subNotifications: z.array(
    z.object({ notificationId: z.string(), subNotificationId: z.string(), title: z.string() })
  ),
  topics: z.array(z.object({ id: z.string(), title: z.string() })).meta({
    description: 'Topics that the user is a member of and may leave, at most 200; `listUserTopics` lists all.'
  })
})

const ONE = { channel: 'EMAIL', delivery: 'daily', notificationId: 'comment' }

export const replaceDoc: Doc = {
  answer: stored,
  body,
  bodyOptional: true,
  description:
    'Deletes all stored preferences of the user and stores these; an empty array or body only deletes. An entry without `channel` applies to every channel. `state: true` (instant) or `false` (off) may replace `delivery`.',
  examples: [
    { body: [ONE], name: 'One preference', status: 200 },
    { body: [], name: 'None', status: 200 },
    {
      body: [{ channel: 'INAPP_WEB', delivery: 'weekly', notificationId: 'comment' }],
      name: 'Digest for the inbox',
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
    'Lists the types and sub-notifications that were sent to the user at least once, or that have a stored preference. A preference of the user always wins over the settings of the environment.',
  examples: [{ name: 'Current preferences', status: 200 }],
  operationId: 'getPreferences',
  summary: 'Get the preferences of a user',
  tag: 'preferences'
}

export const mergeDoc: Doc = {
  answer: stored,
  body,
  description:
    'Other preferences stay. `delivery: null` deletes a preference. Any `delivery` is accepted and applies, also if the type does not offer it; only a channel that the type locks is refused.',
  examples: [
    { body: [ONE], name: 'Array', status: 200 },
    { body: { preferences: [{ ...ONE, delivery: null }] }, name: 'Deletion, wrapped', status: 200 },
    { body: [{ ...ONE, delivery: 'never' }], name: 'Unknown delivery', status: 422 }
  ],
  operationId: 'updatePreferences',
  summary: 'Change some preferences of a user',
  tag: 'preferences'
}

export const settingsAnswer = z.object({ channels: switches, pause, quiet: quietHours })

export const settingsDoc: Doc = {
  answer: settingsAnswer,
  body: settingsPatch,
  description:
    'Changes what is not about one type; absent fields stay. In-app notifications arrive in any case. Emails, SMS, calls, push messages and Slack messages of a user who paused, or who has quiet hours, are held and sent afterwards in their order; ending the pause or changing the quiet hours sends what may go at once. The answer contains the channels that the body names and those that are off.',
  examples: [
    { body: { channels: { CALL: { on: false } } }, name: 'No calls', status: 200 },
    { body: { pause: { isOn: true } }, name: 'Pause', status: 200 },
    { body: { pause: { isOn: false } }, name: 'End of the pause', status: 200 },
    {
      body: {
        quiet: { days: [1, 2, 3, 4, 5], from: '22:00', on: true, to: '07:30', zone: 'Europe/Amsterdam' }
      },
      name: 'Quiet hours',
      status: 200
    },
    { body: { quiet: { on: false } }, name: 'No quiet hours', status: 200 },
    { body: { quiet: { from: '25:00' } }, name: 'Malformed time', status: 422 }
  ],
  operationId: 'updatePreferenceSettings',
  summary: 'Change channels, pause and quiet hours of a user',
  tag: 'preferences'
}

export const removeDoc: Doc = {
  answer: stored,
  description:
    'Without `subNotificationId`, also deletes the preferences for the sub-notifications of the type. The ids may be in a JSON body instead.',
  examples: [
    { name: 'One type', query: { notificationId: 'comment' }, status: 200 },
    { name: 'Without a type', status: 422 }
  ],
  operationId: 'deleteUserPreferences',
  query: removal,
  summary: 'Delete the preferences of a user for a type',
  tag: 'preferences'
}
