// The API reference of sending and retracting.

import { z } from 'zod'

import { messages, trackingId } from '../http/common-schemas.ts'
import type { Doc, Forms } from '../http/route-doc.ts'
import { listAnswer, sendAnswer, sendOrListBody } from './list/schema.ts'
import { retractBody } from './schema.ts'

export const sendDoc: Doc = {
  answer: z.union([sendAnswer, listAnswer]),
  body: sendOrListBody.meta({
    forms: {
      Send: { optional: ['parameters', 'subNotificationId'], required: ['type', 'to'] },
      FormerSend: { optional: ['mergeTags', 'secondaryId'], required: ['notificationId', 'user'] }
    } satisfies Forms
  }),
  description: `Status 200 means that the send is on disk and every channel was accepted. Status 202 means that the send is on disk, but a part of it will not be delivered; \`messages\` says what. If a request fails, repeat it with the same Idempotency-Key.

With a list in \`to\`, each user gets a send of its own, and the status is 202: \`results\` has a tracking id or an error for each, in the order of the list. A malformed user costs no other one, even if all are malformed. A user who is in the list twice gets two sends. Faults outside of the list refuse the whole request. The rate limits count each user. A repeated request with the same Idempotency-Key sends what the first one did not, and gets the same answer.`,
  examples: [
    {
      body: { parameters: { author: 'Amara' }, to: { email: 'u1@example.com', id: 'u1' }, type: 'comment' },
      name: 'Type with templates',
      status: 200
    },
    {
      body: {
        inapp: { title: 'Your report is ready', url: 'https://example.com/reports/7' },
        to: { id: 'u1' },
        type: 'report_ready'
      },
      name: 'Own content',
      status: 200
    },
    {
      body: { sms: { message: 'Your report is ready.' }, to: { id: 'u2' }, type: 'report_ready' },
      name: 'User without a phone number',
      status: 202
    },
    {
      body: {
        inapp: { title: 'Hello {{ name }}, your report is ready' },
        parameters: { name: 'there' },
        to: [{ id: 'u1', parameters: { name: 'Amara' } }, { email: '' }],
        type: 'report_ready'
      },
      name: 'List of users',
      status: 202
    },
    { body: { to: { id: 'u1' } }, name: 'Without a type', status: 422 }
  ],
  operationId: 'send',
  summary: 'Send a notification',
  tag: 'send'
}

export const retractDoc: Doc = {
  answer: z.object({ count: z.int(), messages, trackingIds: z.array(trackingId) }),
  body: retractBody.meta({
    forms: {
      Retraction: { required: ['notificationId', 'userId'] },
      RetractionByType: { required: ['type', 'userId'] }
    } satisfies Forms
  }),
  description:
    'Removes all notifications of a type from the inbox of the user, from pending digests and from channels that wait for their delay.',
  examples: [
    { body: { notificationId: 'comment', userId: 'u1' }, name: 'All notifications of a type', status: 200 },
    {
      body: { notificationId: 'comment', subNotificationId: 'post-9', userId: 'u1' },
      name: 'Nothing to retract',
      status: 200
    }
  ],
  operationId: 'retract',
  roles: ['support'],
  summary: 'Retract notifications',
  tag: 'send'
}
