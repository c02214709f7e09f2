// The API reference of users.

import { z } from 'zod'

import { instant, next } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { identity, usersQuery } from './schema.ts'
import { slackInfo } from './slack-connection.ts'

export const device = z.object({
  ad_id: z.string().optional(),
  app_id: z.string().optional(),
  device_id: z.string().optional(),
  manufacturer: z.string().optional(),
  model: z.string().optional(),
  platform: z.string().optional()
})

export const user = z.object({
  createdAt: instant.optional(),
  email: z.string().optional(),
  emailBounce: z
    .object({ address: z.string(), at: instant, code: z.string(), detail: z.string() })
    .optional()
    .meta({
      description:
        'An email to this address bounced, so no more are sent to it. Removed when the user gets another address, or when a back end sets `emailBounce` to null.'
    }),
  id: z.string(),
  lastSeenTime: instant.optional(),
  number: z.string().optional().meta({ description: 'E.164, such as +12025550123.' }),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  pushTokens: z
    .array(
      z.object({
        device,
        environment: z.enum(['sandbox', 'production']).optional(),
        token: z.string(),
        type: z.enum(['APN', 'FCM'])
      })
    )
    .optional(),
  locale: z.string().optional().meta({ description: 'Language tag (BCP 47), such as de or pt-BR.' }),
  slackChannel: z.string().optional(),
  slackToken: slackInfo.optional().meta({ description: 'The connection to Slack, without its secrets.' }),
  timezone: z.string().optional().meta({ description: 'IANA name, such as Europe/Berlin.' }),
  updatedAt: instant.optional(),
  webPushTokens: z
    .array(
      z.object({
        sub: z.object({ endpoint: z.url(), keys: z.object({ auth: z.string(), p256dh: z.string() }) })
      })
    )
    .optional()
})

export const identifyDoc: Doc = {
  answer: user,
  body: identity,
  bodyOptional: true,
  description:
    'Merges the body into the stored user: absent fields stay, `null` clears a field, devices are added. Unknown fields are ignored.',
  examples: [
    {
      body: { email: 'amara@example.com', number: '+12025550123', timezone: 'Europe/Berlin' },
      name: 'Contact data and time zone',
      status: 200
    },
    { body: {}, name: 'Update of the last visit', status: 200 },
    { body: { emailBounce: null }, name: 'Working mailbox', status: 200 },
    {
      body: {
        slackChannel: '#harbour',
        slackToken: { access_token: 'xoxb-1-2-example', authed_user: { id: 'U024BE7LH' }, ok: true }
      },
      name: 'Slack connected',
      status: 200
    },
    { body: { slackChannel: null, slackToken: null }, name: 'Slack disconnected', status: 200 },
    { body: { email: 'nobody' }, name: 'Wrong email address', status: 422 }
  ],
  operationId: 'identifyUser',
  problems: [403],
  summary: 'Create or update a user',
  tag: 'users'
}

export const patchDoc: Doc = {
  answer: user,
  body: identity,
  description:
    'Like a post of a back end: absent fields stay, `null` clears a field, devices are added. It does not count as a visit of the user, so `lastSeenTime` stays.',
  examples: [
    { body: { email: 'amara@example.com' }, name: 'Corrected address', status: 200 },
    { body: { email: 'nobody' }, name: 'Wrong email address', status: 422 }
  ],
  operationId: 'updateUser',
  summary: 'Correct the data of a user',
  tag: 'users'
}

export const listDoc: Doc = {
  answer: z.object({
    next,
    users: z.array(
      user.omit({
        emailBounce: true,
        properties: true,
        pushTokens: true,
        slackChannel: true,
        slackToken: true,
        webPushTokens: true
      })
    )
  }),
  description:
    'Only users whose data was stored: a send stores none. Answers contain no tokens and no properties. The order is that of the ids. With `q`, users whose id begins with the text come first, then those whose email address does, then those whose phone number does; a page may be short, so follow `next`.',
  examples: [
    { name: 'First page', query: { count: '10' }, status: 200 },
    { name: 'By email address', query: { q: 'amara@example.com' }, status: 200 },
    { name: 'Wrong cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listUsers',
  query: usersQuery,
  summary: 'List or find users',
  tag: 'users'
}

export const readDoc: Doc = {
  answer: user,
  examples: [
    { name: 'Known user', status: 200 },
    { name: 'Unknown user', params: { userId: 'new' }, status: 200 }
  ],
  operationId: 'getUser',
  summary: 'Get a user',
  tag: 'users'
}

export const accountDoc: Doc = {
  answer: z.object({
    userAccountMetadata: z.object({
      environmentVapidPublicKey: z.string(),
      hasWebPushEnabled: z.boolean(),
      logo: z.string()
    })
  }),
  examples: [{ name: 'Web push', status: 200 }],
  operationId: 'getAccountMetadata',
  summary: 'Get the settings of the environment that a front end needs',
  tag: 'users'
}
