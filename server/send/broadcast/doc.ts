// The API reference of broadcasts.

import { z } from 'zod'

import { changeDoc } from '../../environments/tasks/doc.ts'
import { listQuery } from '../../environments/tasks/schema.ts'
import { TASK_STATES } from '../../environments/tasks/task.ts'
import { anyObject, instant, messages, next } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'
import { audience, broadcastBody, estimateBody } from './schema.ts'

const broadcast = z.object({
  broadcastId: z.uuid(),
  state: z.enum(TASK_STATES),
  to: audience,
  send: anyObject.meta({ description: 'What each user gets: type, content and options as in a send.' }),
  total: z
    .int()
    .optional()
    .meta({ description: 'Users of the audience when the broadcast began. Absent before.' }),
  done: z.int().meta({ description: 'Users that it has reached: the sum of the next three.' }),
  sent: z.int().meta({ description: 'Users that get it on at least one channel, now or later.' }),
  leftOut: z.int().meta({
    description:
      'Users that get it on no channel, by their preferences, a missing address or a limit of the type.'
  }),
  failed: z.int().meta({ description: 'Users for whom it could not be prepared. Their sends say why.' }),
  perSecond: z.int().optional().meta({ description: 'Absent: as fast as the database.' }),
  schedule: instant.optional(),
  localTime: z.string().optional().meta({ description: 'In the time zone of each user.' }),
  messages,
  createdBy: z
    .string()
    .meta({ description: 'Actor of the audit log; `back-end` for a client secret or API key.' }),
  createdAt: instant,
  startedAt: instant.optional(),
  endedAt: instant.optional(),
  error: z.string().optional().meta({ description: 'Why it ended before its last user.' }),
  retraction: z
    .object({ state: z.enum(TASK_STATES), taskId: z.uuid() })
    .optional()
    .meta({ description: 'Absent: it was not retracted. `getTask` has the progress.' })
})

const roles = ['editor'] as const

export const createDoc: Doc = {
  answer: broadcast,
  body: broadcastBody,
  description: `Sends one notification to all users of an audience, and answers at once. Each user gets a send of its own with a tracking id, which \`explain\` and statistics know, and the log by user or tracking id; preferences, languages, digests and limits of the type count as for a single send. In a broadcast to a topic, \`subNotificationId\` is the topic by default.

All searches of the log find the users for whom more happened than that the in-app notification was added.

A user who came after the broadcast began is left out. A broadcast survives restarts, and reaches each user exactly once. An environment has at most 100 broadcasts that have not ended, and one at work. The limits of requests do not count its users; \`perSecond\` does.`,
  examples: [
    {
      body: {
        inapp: { title: 'Storm on Thursday: no boats after 16:00' },
        to: { everyone: true },
        type: 'service_news'
      },
      name: 'To everyone',
      status: 202
    },
    {
      body: {
        inapp: { title: 'Winter timetable' },
        localTime: '2126-12-01T09:00',
        to: { properties: { plan: 'pro' } },
        type: 'service_news'
      },
      name: 'Too far ahead',
      status: 422
    },
    { body: { to: { everyone: true } }, name: 'Without a type', status: 422 },
    {
      body: { inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 'service_news' },
      name: 'To a user',
      status: 422
    }
  ],
  operationId: 'createBroadcast',
  problems: [409],
  roles,
  summary: 'Send to many users',
  tag: 'broadcasts'
}

export const estimateDoc: Doc = {
  answer: z.object({ total: z.int() }),
  body: estimateBody,
  description: 'Counts the users of an audience as it is now. Preferences are not applied.',
  examples: [
    { body: { to: { everyone: true } }, name: 'Everyone', status: 200 },
    { body: { to: { properties: { plan: 'pro' } } }, name: 'By properties', status: 200 },
    { body: { to: {} }, name: 'No audience', status: 422 }
  ],
  operationId: 'estimateBroadcast',
  reads: true,
  summary: 'Count the users of an audience',
  tag: 'broadcasts'
}

export const listDoc: Doc = {
  answer: z.object({ broadcasts: z.array(broadcast), next }),
  examples: [
    { name: 'Newest', query: { count: '10' }, status: 200 },
    { name: 'Unknown state', query: { state: 'asleep' }, status: 422 }
  ],
  operationId: 'listBroadcasts',
  query: listQuery,
  summary: 'List broadcasts',
  tag: 'broadcasts'
}

export const readDoc: Doc = {
  answer: broadcast,
  examples: [{ name: 'Known id', status: 200 }, unknownId('broadcastId')],
  operationId: 'getBroadcast',
  summary: 'Get a broadcast with its progress',
  tag: 'broadcasts'
}

const change = changeDoc({ answer: broadcast, roles, tag: 'broadcasts' }, 'broadcastId')

export const pauseDoc = change(
  'pauseBroadcast',
  'Pause a broadcast',
  'It ends its current chunk within about a second, and waits until it is resumed.'
)
export const resumeDoc = change(
  'resumeBroadcast',
  'Resume a broadcast',
  'Does nothing to a broadcast that is not paused, unless it has ended: 409.'
)
export const stopDoc = change(
  'stopBroadcast',
  'Stop a broadcast',
  'It ends its current chunk, and cannot be resumed. What was sent stays, and so do sends that wait for the time of their users.'
)

export const retractDoc: Doc = {
  answer: broadcast,
  description:
    'Stops it, and removes what it sent from inboxes, digests, and channels and schedules that wait, of all its users. Answers at once; a task ' +
    'does the work. What is in the queue of a provider is still delivered. Of sends older than the log, nothing is found. A repeated call starts ' +
    'no second task while one is at work.',
  examples: [{ name: 'Known id', status: 202 }, unknownId('broadcastId')],
  operationId: 'retractBroadcast',
  problems: [409],
  roles,
  summary: 'Retract a broadcast',
  tag: 'broadcasts'
}
