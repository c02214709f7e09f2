// What the reference says about schedules.

import { z } from 'zod'

import { anyObject, instant, messages, next, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { sendBody } from '../schema.ts'
import { schedulesQuery } from './schema.ts'

const record = z.object({
  trackingId,
  schedule: instant,
  notificationId: z.string(),
  subNotificationId: z.string().optional(),
  userId: z.string(),
  messages,
  request: anyObject.meta({ description: 'The send, under the names of today.' })
})

const UNKNOWN = { params: { trackingId: '01937f6e-0000-7000-8000-000000000000' }, status: 404 }

export const listDoc: Doc = {
  answer: z.object({
    next,
    schedules: z.array(record)
  }),
  description:
    'Those that are due first come first. What was sent or deleted is not among them. A page of large ones may have fewer than `count`: there are more as long as there is `next`.',
  examples: [
    { name: 'All of them', status: 200 },
    { name: 'Of a user and a type', query: { count: '10', type: 'comment', userId: 'u1' }, status: 200 },
    { name: 'A cursor that is none', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listSchedules',
  query: schedulesQuery,
  summary: 'List schedules',
  tag: 'schedules'
}

export const readDoc: Doc = {
  answer: record,
  examples: [
    { name: 'One that waits', status: 200 },
    { name: 'Unknown', ...UNKNOWN }
  ],
  operationId: 'getSchedule',
  summary: 'Get a schedule',
  tag: 'schedules'
}

/** The same operation under two methods, because existing clients use both. */
export const changeDoc = (method: 'PATCH' | 'PUT'): Doc => ({
  answer: z.object({ messages, schedule: instant, trackingId }),
  body: sendBody,
  description:
    'Any part of a send, most often `schedule` alone; a time that lies in the past means now. Each field that is given replaces that field as a whole; of `to`, each detail that is given, but never the user. `null` leaves a field, an empty text takes `templateId` or `subNotificationId` away. 409: it was sent already. Also accepted: the body as `{ "sendRequest": … }`.',
  examples: [
    { body: { schedule: '2027-01-01T09:00:00Z' }, name: 'Another time', status: 200 },
    {
      body: { inapp: { title: 'Moved to room 7' }, parameters: { room: 7 } },
      name: 'Other content',
      status: 200
    },
    {
      body: { forceChannels: ['WEB_PUSH'], web_push: { message: 'It is in room 7.', title: 'Moved' } },
      name: 'By a channel that does not reach the user',
      status: 202
    },
    { body: { to: { id: 'u2' } }, name: 'Another user', status: 422 },
    { body: { schedule: '2027-01-01T09:00:00Z' }, name: 'Unknown', ...UNKNOWN }
  ],
  operationId: method === 'PATCH' ? 'updateSchedule' : 'putSchedule',
  summary: `Change a schedule${method === 'PUT' ? ', for clients that put' : ''}`,
  tag: 'schedules'
})

export const deleteDoc: Doc = {
  answer: z.object({ messages, trackingId }),
  description: '409: it was sent already; in-app notifications can still be retracted.',
  examples: [
    { name: 'One that waits', status: 200 },
    { name: 'Unknown', ...UNKNOWN }
  ],
  operationId: 'deleteSchedule',
  summary: 'Delete a schedule',
  tag: 'schedules'
}
