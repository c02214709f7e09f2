// The API reference of environments.

import { z } from 'zod'

import { environmentSettings } from '../config/environment-settings.ts'
import { instant } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { createBody, listQuery, patchBody, rotateBody } from './schema.ts'

const environment = z.object({
  clientId: z.string(),
  ...environmentSettings.shape,
  defaultTimezone: z.string().optional(),
  createdAt: instant,
  previousSecretUntil: instant
    .optional()
    .meta({ description: 'Time until which the previous secret stays valid.' }),
  updatedAt: instant
})

const secret = z.string().meta({ description: 'Returned only in this answer. Store it on your back end.' })

export const createDoc: Doc = {
  answer: environment.extend({ clientSecret: secret }),
  body: createBody,
  description:
    'Generates the client id and the secret unless the body contains them, for example when you move from another installation. Repeating the request with the same Idempotency-Key returns the same environment with its current secret.',
  examples: [
    {
      body: { origins: ['https://app.example.com'], title: 'Staging' },
      name: 'With one origin',
      status: 201
    },
    { body: { clientId: 'environments' }, name: 'Reserved client id', status: 422 }
  ],
  operationId: 'createEnvironment',
  problems: [409],
  summary: 'Create an environment',
  tag: 'environments'
}

export const listDoc: Doc = {
  answer: z.object({ environments: z.array(environment), next: z.string().optional() }),
  examples: [{ name: 'First page', query: { count: '10' }, status: 200 }],
  operationId: 'listEnvironments',
  query: listQuery,
  summary: 'List environments',
  tag: 'environments'
}

export const readDoc: Doc = {
  answer: environment,
  examples: [
    { name: 'Known client id', status: 200 },
    { name: 'Unknown client id', params: { clientId: 'nobody' }, status: 404 }
  ],
  operationId: 'getEnvironment',
  summary: 'Get the settings of an environment',
  tag: 'environments'
}

export const patchDoc: Doc = {
  answer: environment,
  body: patchBody,
  description:
    'Absent settings stay, `null` restores the default. Other nodes apply the change within seconds.',
  examples: [
    {
      body: {
        defaults: { EMAIL: 'daily' },
        disabledChannels: ['SMS'],
        limits: { sendsPerSecond: 50 },
        logo: null
      },
      name: 'Several settings',
      status: 200
    },
    { body: { origins: ['example.com'] }, name: 'Wrong origin', status: 422 }
  ],
  operationId: 'updateEnvironment',
  summary: 'Change the settings of an environment',
  tag: 'environments'
}

export const deleteDoc: Doc = {
  description:
    'All requests and sockets of the environment are refused from now on. Housekeeping deletes its users, notifications and logs within minutes. The environment of NOTIF_CLIENT_ID cannot be deleted.',
  examples: [{ name: 'Delete', status: 204 }],
  operationId: 'deleteEnvironment',
  problems: [409],
  summary: 'Delete an environment and everything in it',
  tag: 'environments'
}

export const rotateDoc: Doc = {
  answer: z.object({
    clientId: z.string(),
    clientSecret: secret,
    previousSecretUntil: instant.optional().meta({
      description: 'Time until which the previous secret stays valid; absent if it is no longer valid.'
    })
  }),
  body: rotateBody,
  bodyOptional: true,
  description:
    'Both secrets are valid for back-end calls and user hashes until the grace period ends. Sockets that use a hash of the old secret are then closed. A second rotation ends the grace period of the first. If NOTIF_CLIENT_SECRET is set, it is the secret of the first environment, and this request is refused for it.',
  examples: [
    { body: { graceSeconds: 3600 }, name: 'One hour of grace', status: 200 },
    { body: { graceSeconds: 0 }, name: 'No grace period', status: 200 }
  ],
  operationId: 'rotateSecret',
  problems: [409],
  summary: 'Rotate the client secret',
  tag: 'environments'
}
