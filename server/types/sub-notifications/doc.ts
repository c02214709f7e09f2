// What the reference says about sub-notifications.

import { z } from 'zod'

import type { Doc } from '../../http/route-doc.ts'
import { subBody } from './schema.ts'

const ids = { notificationId: z.string(), subNotificationId: z.string() }

export const putDoc: Doc = {
  answer: z.object({ ...ids, title: z.string() }),
  body: subBody,
  description: 'A user sees it among the preferences once it was sent to them, or they have chosen about it.',
  examples: [
    { body: { title: 'Project 1' }, name: 'A project', status: 201 },
    { body: { title: 'The first project' }, name: 'Another title', status: 200 },
    { body: { title: 'A' }, name: 'There is no such type', params: { id: 'nothing' }, status: 404 },
    { body: {}, name: 'No title', status: 422 }
  ],
  operationId: 'createSubNotification',
  summary: 'Give a sub-notification its title',
  tag: 'types'
}

export const deleteDoc: Doc = {
  answer: z.object(ids),
  description: 'What users have chosen about it stays and counts.',
  examples: [
    { name: 'A project', status: 200 },
    { name: 'There is none', params: { subId: 'nothing' }, status: 404 }
  ],
  operationId: 'deleteSubNotification',
  summary: 'Delete a sub-notification',
  tag: 'types'
}
