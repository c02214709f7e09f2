// What the reference says about environments.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { instant } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { createBody, listQuery, patchBody, rotateBody } from './schema.ts'

const environment = z.object({
  clientId: z.string(),
  createdAt: instant,
  defaults: z.partialRecord(z.enum(CHANNELS), z.enum(DELIVERIES)),
  defaultTimezone: z.string().optional(),
  disabledChannels: z.array(z.enum(CHANNELS)),
  legacyUserHash: z.boolean(),
  limits: z.object({ requestsPerSecond: z.int().optional(), sendsPerSecond: z.int().optional() }),
  logo: z.string(),
  origins: z.array(z.string()),
  previousSecretUntil: instant.optional().meta({ description: 'The secret before counts until then.' }),
  retentionDays: z.int().optional(),
  secureMode: z.boolean(),
  title: z.string(),
  updatedAt: instant
})

const secret = z.string().meta({ description: 'In this answer alone; keep it in your back end.' })

export const createDoc: Doc = {
  answer: environment.extend({ clientSecret: secret }),
  body: createBody,
  description:
    'Client id and secret are made unless they are given, which is for those who bring them from elsewhere. A repetition with the same Idempotency-Key answers the same environment with its secret of now.',
  examples: [
    {
      body: { origins: ['https://app.example.com'], title: 'Staging' },
      name: 'With one origin',
      status: 201
    },
    { body: { clientId: 'environments' }, name: 'A word that is taken', status: 422 }
  ],
  operationId: 'createEnvironment',
  summary: 'Create an environment',
  tag: 'environments'
}

export const listDoc: Doc = {
  answer: z.object({ environments: z.array(environment), next: z.string().optional() }),
  examples: [{ name: 'By client id', query: { count: '10' }, status: 200 }],
  operationId: 'listEnvironments',
  query: listQuery,
  summary: 'List environments',
  tag: 'environments'
}

export const readDoc: Doc = {
  answer: environment,
  examples: [
    { name: 'Its settings', status: 200 },
    { name: 'There is none', params: { clientId: 'nobody' }, status: 404 }
  ],
  operationId: 'getEnvironment',
  summary: 'Get the settings of an environment',
  tag: 'environments'
}

export const patchDoc: Doc = {
  answer: environment,
  body: patchBody,
  description: 'An absent setting stays, `null` makes it the default. Other nodes follow within seconds.',
  examples: [
    {
      body: {
        defaults: { EMAIL: 'daily' },
        disabledChannels: ['SMS'],
        limits: { sendsPerSecond: 50 },
        logo: null
      },
      name: 'Several at once',
      status: 200
    },
    { body: { origins: ['example.com'] }, name: 'Not an origin', status: 422 }
  ],
  operationId: 'updateEnvironment',
  summary: 'Change the settings of an environment',
  tag: 'environments'
}

export const deleteDoc: Doc = {
  description:
    'Nobody is let in from now on; house-keeping deletes its users, notifications and logs within minutes. The environment of the configuration cannot be deleted.',
  examples: [{ name: 'Delete', status: 204 }],
  operationId: 'deleteEnvironment',
  summary: 'Delete an environment and everything in it',
  tag: 'environments'
}

export const rotateDoc: Doc = {
  answer: z.object({
    clientId: z.string(),
    clientSecret: secret,
    previousSecretUntil: instant.optional().meta({ description: 'Absent: the secret before has ended.' })
  }),
  body: rotateBody,
  bodyOptional: true,
  description:
    'Both secrets count for back-end calls and user hashes until the grace time is over; then sockets that came with a hash of the old one are closed. A second change ends the first one’s grace. The first environment follows NOTIF_CLIENT_SECRET where that is set.',
  examples: [
    { body: { graceSeconds: 3600 }, name: 'An hour to change over', status: 200 },
    { body: { graceSeconds: 0 }, name: 'At once', status: 200 }
  ],
  operationId: 'rotateSecret',
  summary: 'Make a new client secret',
  tag: 'environments'
}
