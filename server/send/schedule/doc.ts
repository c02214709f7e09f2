// The API reference of scheduled sends.

import { z } from 'zod'

import { anyObject, instant, messages, next, trackingId } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'
import { sendBody } from '../schema.ts'
import { schedulesQuery } from './schema.ts'

const record = z.object({
  trackingId,
  schedule: instant,
  notificationId: z.string(),
  subNotificationId: z.string().optional(),
  userId: z.string(),
  messages,
  request: anyObject.meta({ description: 'The send, with the current names of its fields.' })
})

export const listDoc: Doc = {
  answer: z.object({
    next,
    schedules: z.array(record)
  }),
  description:
    'The next due schedule comes first. Sent and deleted schedules are not listed. A page has fewer than `count` schedules if they are large; there are more pages as long as `next` is present.',
  examples: [
    { name: 'All', status: 200 },
    { name: 'One user and type', query: { count: '10', type: 'comment', userId: 'u1' }, status: 200 },
    { name: 'Wrong cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listSchedules',
  query: schedulesQuery,
  summary: 'List schedules',
  tag: 'schedules'
}

export const readDoc: Doc = {
  answer: record,
  examples: [{ name: 'Scheduled', status: 200 }, unknownId('trackingId')],
  operationId: 'getSchedule',
  summary: 'Get a schedule',
  tag: 'schedules'
}

/** Returns the reference of the operation for one of its two methods. Existing clients use both. */
export const changeDoc = (method: 'PATCH' | 'PUT'): Doc => ({
  answer: z.object({ messages, schedule: instant, trackingId }),
  body: sendBody,
  description:
    'Changes any part of a send. A `schedule` in the past means now. Each given field replaces that field as a whole; in `to`, each given detail replaces that detail, but the user cannot change. `null` keeps a field; an empty string removes `templateId` or `subNotificationId`. If the send has happened already, the answer is 409. The body may be wrapped as `{ "sendRequest": … }`.',
  examples: [
    { body: { schedule: '2027-01-01T09:00:00Z' }, name: 'New time', status: 200 },
    {
      body: { inapp: { title: 'Moved to room 7' }, parameters: { room: 7 } },
      name: 'New content',
      status: 200
    },
    {
      body: { forceChannels: ['WEB_PUSH'], web_push: { message: 'It is in room 7.', title: 'Moved' } },
      name: 'Channel without an address of the user',
      status: 202
    },
    { body: { to: { id: 'u2' } }, name: 'Another user', status: 422 },
    { body: { schedule: '2027-01-01T09:00:00Z' }, ...unknownId('trackingId') }
  ],
  ...(method === 'PUT' && { deprecated: true }),
  operationId: method === 'PATCH' ? 'updateSchedule' : 'putSchedule',
  problems: [409],
  summary: `Change a schedule${method === 'PUT' ? ', for clients that use PUT' : ''}`,
  tag: 'schedules'
})

export const deleteDoc: Doc = {
  answer: z.object({ messages, trackingId }),
  description:
    'The log of the send then says `deleted` for each channel, and when. If the send has happened already, the answer is 409; you can still retract its in-app notifications.',
  examples: [{ name: 'Scheduled', status: 200 }, unknownId('trackingId')],
  operationId: 'deleteSchedule',
  problems: [409],
  summary: 'Delete a schedule',
  tag: 'schedules'
}
