// What the reference says about copies of all that is held about a user, and their erasure.

import { z } from 'zod'

import { instant, trackingId } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'

const removed = z
  .record(z.string(), z.int())
  .meta({ description: 'How many rows went, by table; empty: there was nothing.' })

const underWay = z.object({ deliveries: z.int(), until: instant }).meta({
  description:
    'Deliveries that a worker had begun: their providers may still take them, until this time and not later. Nothing is kept of them. Absent: there were none.'
})

export const eraseDoc: Doc = {
  answer: z.object({
    erasedAt: instant.optional(),
    erasureId: trackingId.optional(),
    removed,
    underWay: underWay.optional()
  }),
  description:
    'Everything goes, also what waits to be sent, the log and the dead letters. A call to a provider that is under way cannot be taken back: `underWay` says how many there are, and until when they end. What stays is a proof that says when and how much, but not whom. Open pages start again with an empty inbox. Sends that were addressed to a mail address or number without a user id belong to a user of that id. Erasing again finds nothing; an `Idempotency-Key` is not kept, because it would be a trace of the user.',
  examples: [
    { name: 'A user', params: { userId: 'leaving' }, status: 200 },
    { answer: { removed: {} }, name: 'Nobody knows them', params: { userId: 'nobody' }, status: 200 }
  ],
  operationId: 'eraseUser',
  summary: 'Erase a user',
  tag: 'users'
}

export const erasureDoc: Doc = {
  answer: z.object({ erasedAt: instant, erasureId: trackingId, removed }),
  examples: [
    { name: 'One that happened', status: 200 },
    { name: 'Unknown', params: { erasureId: '01937f6e-0000-7000-8000-000000000000' }, status: 404 }
  ],
  operationId: 'getErasure',
  summary: 'Get the proof of an erasure',
  tag: 'users'
}
