// The API reference of the erasure of a user.

import { z } from 'zod'

import { anyObject, instant, trackingId } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'

const removed = z
  .record(z.string(), z.int())
  .meta({ description: 'Number of deleted rows by table; empty if the user had no data.' })

const redacted = z.record(z.string(), z.int()).meta({
  description:
    'Number of rows of other users from which an email address of the user was removed as a copy (`ccAddresses`, `bccAddresses`), by table. Sandbox messages with such a copy are deleted. Not searched: texts, parameters, attachments, other address fields, and addresses that neither the user nor a send to the user had.'
})

const underWay = z.object({ deliveries: z.int(), until: instant }).meta({
  description:
    'Deliveries that a worker had begun. Their providers may still accept them until this time, and not later. They leave no data. Absent if there were none.'
})

export const eraseDoc: Doc = {
  answer: z.object({
    erasedAt: instant.optional(),
    erasureId: trackingId.optional(),
    redacted,
    removed,
    underWay: underWay.optional()
  }),
  description:
    'Deletes all data of the user, including queued messages, the log and dead letters, and removes the email addresses of the user from the copies of emails to others. Open pages start again with an empty inbox. A running call to a provider cannot be stopped: `underWay` gives the number of such calls and the time by which they end. A proof stays, with the time and the number of rows but without the user. Sends to an email address or phone number without a user id belong to the user with that address or number as the id. Repeating the request deletes nothing more; its `Idempotency-Key` is not stored, because it would be a trace of the user.',
  examples: [
    { name: 'Known user', params: { userId: 'leaving' }, status: 200 },
    { name: 'Unknown user', params: { userId: 'nobody' }, status: 200 }
  ],
  operationId: 'eraseUser',
  summary: 'Erase a user',
  tag: 'users'
}

export const exportDoc: Doc = {
  answer: z.object({ row: anyObject, table: z.string() }),
  description:
    'Streams all data of the user as JSON lines, one row of a table each. An environment has one export at a time; further ones get 503 with `Retry-After`.',
  examples: [{ name: 'Known user', status: 200 }],
  lines: true,
  operationId: 'exportUser',
  summary: 'Export all data of a user',
  tag: 'users'
}

export const erasureDoc: Doc = {
  answer: z.object({ erasedAt: instant, erasureId: trackingId, redacted, removed }),
  examples: [{ name: 'Finished erasure', status: 200 }, unknownId('erasureId')],
  impersonal: true,
  operationId: 'getErasure',
  summary: 'Get the proof of an erasure',
  tag: 'users'
}
