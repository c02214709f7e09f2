// The schema and the API reference of sending again.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { messages, trackingId } from '../../http/common-schemas.ts'
import { EXAMPLE_ID, type Doc } from '../../http/route-doc.ts'

/** Strict: without a misspelt `channels`, all channels would send again. */
export const resendBody = z.strictObject({
  channels: z
    .array(z.enum(CHANNELS, `Expected one of ${CHANNELS.join(', ')}.`))
    .min(1)
    .max(CHANNELS.length)
    .optional()
    .describe('Only these channels of the send. Default: all of them.')
})

export const resendDoc: Doc = {
  answer: z.object({ messages, resendOf: trackingId, trackingId }),
  body: resendBody,
  bodyOptional: true,
  description:
    'Sends again what the log keeps of a send, as if it arrived now: the same user, parameters and content, with the templates and preferences of now. Contact data comes from the stored user, except what the send gave itself. It gets a new tracking id; the answer and the new log record have the old one in `resendOf`. Throttling and deduplication do not apply, and a schedule does not either. 404: the log has no such send, because it belongs to another environment or its user was erased. 409: the retention of the log has ended for it, or it still waits for its time. 422: a channel that the send did not have, or a type that was deleted.',
  examples: [
    { name: 'All channels', status: 200 },
    { body: { channels: ['INAPP_WEB'] }, name: 'One channel', status: 200 },
    { body: { channels: ['SMS'] }, name: 'User without a phone number', status: 202 },
    { body: { channels: ['FAX'] }, name: 'Unknown channel', status: 422 },
    { name: 'After the retention', params: { trackingId: EXAMPLE_ID }, status: 409 }
  ],
  operationId: 'resend',
  problems: [409],
  roles: ['support'],
  summary: 'Send again what the log keeps of a send',
  tag: 'send'
}
