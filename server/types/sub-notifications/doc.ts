// The API reference of sub-notifications.

import { z } from 'zod'

import type { Doc } from '../../http/route-doc.ts'
import { subBody } from './schema.ts'

const ids = { notificationId: z.string(), subNotificationId: z.string() }

export const putDoc: Doc = {
  answer: z.object({ ...ids, title: z.string() }),
  body: subBody,
  description:
    'A user sees the sub-notification in their preferences after it was sent to them, or after a preference for it was stored.',
  examples: [
    { body: { title: 'Project 1' }, name: 'Project', status: 201 },
    { body: { title: 'The first project' }, name: 'New title', status: 200 },
    { body: { title: 'A' }, name: 'Unknown type', params: { id: 'nothing' }, status: 404 },
    { body: {}, name: 'No title', status: 422 }
  ],
  operationId: 'createSubNotification',
  summary: 'Create or rename a sub-notification',
  tag: 'types'
}

export const deleteDoc: Doc = {
  answer: z.object(ids),
  description: 'Preferences of users for it stay and still apply.',
  examples: [
    { name: 'Project', status: 200 },
    { name: 'Unknown id', params: { subId: 'nothing' }, status: 404 }
  ],
  operationId: 'deleteSubNotification',
  summary: 'Delete a sub-notification',
  tag: 'types'
}
