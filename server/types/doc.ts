// The API reference of notification types and templates.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

import { anyObject, instant } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { templateQuery, typeBody } from './schema.ts'
import { templateSchemas } from './templates/content.ts'
import { typeSettings } from './type.ts'

const choice = z
  .looseObject({ enabled: z.boolean() })
  .optional()
  .meta({ description: 'Whether users can choose it, and when its digest is due.' })

const options = z
  .partialRecord(
    z.enum(CHANNELS),
    z.object({
      defaultDeliveryOption: z.enum(DELIVERIES),
      off: choice,
      instant: choice,
      hourly: choice,
      daily: choice,
      weekly: choice,
      monthly: choice
    })
  )
  .meta({ description: 'By channel: the default frequency, and the frequencies that a user can choose.' })

const head = z.object({
  id: z.string(),
  title: z.string(),
  channels: z
    .array(z.enum(CHANNELS))
    .meta({ description: 'Channels of the type. If empty, every channel that has a template.' }),
  ...typeSettings.shape,
  options,
  version: z.int().optional().meta({
    description: 'Number of the published version, which sends use. Absent if a send created the type.'
  }),
  managedBy: z
    .literal('files')
    .optional()
    .meta({ description: 'The type is in a file of `NOTIF_TYPES_DIR`, so REST does not change it.' }),
  updatedAt: instant
})

export const whole = z.object({
  ...head.shape,
  templates: z.record(z.string(), anyObject).meta({
    description:
      'Templates by channel, such as `EMAIL`. An id, a language or both may follow: `EMAIL/short`, `EMAIL@de`, `EMAIL/short@de`.'
  })
})

const template = anyObject.meta({ description: 'Fields of the channel. Every text is a Liquid template.' })
const templateBody = z.union(Object.values(templateSchemas))

export const COMMENT = {
  templates: {
    EMAIL: { html: '<p>{{ text }}</p>', subject: '{{ author }} commented' },
    INAPP_WEB: { title: '{{ author }} commented' },
    'INAPP_WEB/short': { title: 'New comment' },
    'INAPP_WEB@de': { title: '{{ author }} hat kommentiert' }
  },
  title: 'New comment'
}

export const listDoc: Doc = {
  answer: z.object({ notifications: z.array(head) }),
  examples: [{ name: 'All', status: 200 }],
  impersonal: true,
  operationId: 'listTypes',
  summary: 'List notification types, without their templates',
  tag: 'types'
}

export const readDoc: Doc = {
  answer: whole,
  examples: [
    { name: 'With its templates', status: 200 },
    { name: 'Unknown id', params: { id: 'nothing' }, status: 404 }
  ],
  impersonal: true,
  operationId: 'getType',
  summary: 'Get a notification type with its templates',
  tag: 'types'
}

export const putDoc: Doc = {
  answer: whole,
  body: typeBody,
  conditional: true,
  description:
    'Replaces the whole type, but keeps its templates if `templates` is absent, saves it as a version and publishes that: the next send uses it. To save without publishing, use the draft. The body may be an answer of GET. 409: the type is managed by files.',
  examples: [
    { body: COMMENT, name: 'Replace', status: 200 },
    { body: COMMENT, name: 'Create', params: { id: 'mention' }, status: 201 },
    {
      body: { ...COMMENT, escalate: [{ after: '10m', channel: 'EMAIL', unless: 'read' }] },
      name: 'Email only if the notification is not read within ten minutes',
      params: { id: 'approval' },
      status: 201
    },
    { body: { titel: 'New comment' }, name: 'Misspelt field', status: 422 },
    {
      body: { channels: ['EMAIL'], escalate: [{ after: '10m', channel: 'EMAIL', unless: 'read' }] },
      name: 'Nothing that can be read',
      status: 422
    }
  ],
  operationId: 'putType',
  problems: [409],
  summary: 'Create or replace a notification type',
  tag: 'types'
}

export const deleteDoc: Doc = {
  conditional: true,
  examples: [{ name: 'Delete', status: 204 }],
  operationId: 'deleteType',
  problems: [409],
  summary: 'Delete a notification type with its templates and versions',
  tag: 'types'
}

/** Returns the reference of three operations, for the default template of a channel or for a template with an id. */
export const templateDocs = (named: boolean): { read: Doc; put: Doc; delete: Doc } => {
  const what = named ? 'a template that sends select by its id' : 'the default template of a channel'
  const name = named ? 'NamedTemplate' : 'Template'
  const body = { title: '{{ author }} commented' }
  const query = templateQuery
  return {
    delete: {
      conditional: true,
      examples: [{ name: 'Delete', status: 204 }],
      operationId: named ? 'deleteNamedTemplate' : 'deleteTemplate',
      problems: [409],
      query,
      summary: `Delete ${what}`,
      tag: 'types'
    },
    put: {
      answer: template,
      body: templateBody,
      conditional: true,
      description: 'Saves a version of the type and publishes it: the next send uses it.',
      examples: [
        { body, name: 'Replace', status: 200 },
        {
          body: { message: '{{ author }} commented' },
          name: 'Create',
          params: { channel: 'SMS', id: 'mention' },
          status: 201
        },
        {
          body: { ...body, actions: [{ id: 'open', label: 'Open {{ document }}', url: '/documents/7' }] },
          name: 'With a button',
          status: 200
        },
        { body: { subject: 'x' }, name: 'Field of another channel', status: 422 }
      ],
      operationId: `put${name}`,
      problems: [409],
      query,
      summary: `Create or replace ${what}`,
      tag: 'types'
    },
    read: {
      answer: template,
      examples: [
        { name: 'Read', status: 200 },
        { name: 'Unknown channel', params: { channel: 'PIGEON' }, status: 404 }
      ],
      impersonal: true,
      operationId: `get${name}`,
      query,
      summary: `Get ${what}`,
      tag: 'types'
    }
  }
}
