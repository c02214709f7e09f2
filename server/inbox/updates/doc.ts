// The API reference of single items.

import type { Doc } from '../../http/route-doc.ts'
import { change, notif } from '../doc.ts'
import { itemUpdate, pressBody } from './item-update.ts'

export const updateDoc: Doc = {
  answer: notif,
  body: itemUpdate,
  description:
    'Absent fields stay, `null` removes a field. Texts are plain. Open pages show the change at once. Without `notify`, the notification keeps its place, its date and its marks. A button with an `outcome` that is done is replaced by it.',
  examples: [
    { body: { progress: { text: '124 of 200 pages', value: 0.62 } }, name: 'Move its bar', status: 200 },
    {
      body: { outcome: { actionId: 'approve', by: 'Mei Tanaka', text: 'Mei Tanaka approved this' } },
      name: 'Somebody else pressed a button',
      status: 200
    },
    { body: { url: 'javascript:alert(1)' }, name: 'Unsafe address', status: 422 },
    {
      body: { title: 'x' },
      name: 'Unknown notification',
      params: { trackingId: '019a2f4e-6c1d-7a53-9d1e-000000000000' },
      status: 404
    }
  ],
  operationId: 'updateInboxItem',
  summary: 'Update a notification in its place',
  tag: 'inbox'
}

export const pressDoc: Doc = {
  answer: change,
  body: pressBody,
  description:
    'For buttons with `send`: the outcome of the notification becomes `pending`, and the webhook of the environment is called. Repeating it does nothing, unless the outcome has failed.',
  examples: [
    { body: {}, name: 'Press', params: { actionId: 'approve' }, status: 200 },
    { body: {}, name: 'Unknown button', params: { actionId: 'nothing' }, status: 404 }
  ],
  operationId: 'pressAction',
  summary: 'Press a button of a notification',
  tag: 'inbox'
}
