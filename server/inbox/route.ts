// The inbox over HTTP: pages, changes and marks, for our own elements and in the shape of existing clients.

import type { z } from 'zod'

import type { InboxPatch } from '#protocol'

import type { InboxEvent } from '../core/inbox-event.ts'
import { toCursor } from '../http/cursor.ts'
import { claimOf, once } from '../http/idempotency.ts'
import { parseInput, parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { route, type Answer, type Route, type UserCall } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { keyOf } from '../users/user-key.ts'
import { changesDoc, pageDoc, patchDoc, vendorListDoc, vendorPatchDoc } from './doc.ts'
import { CHANGE_LIMIT, patchItems } from './items.sql.ts'
import { toVendorList } from './legacy-notification.ts'
import { readChanges, readPage } from './read-inbox.sql.ts'
import { changesQuery, inboxPatch, pageQuery, vendorPatch, vendorQuery } from './schema.ts'

async function applyPatch(
  context: Context,
  call: UserCall,
  { reply, ...patch }: z.output<typeof inboxPatch>,
  answerOf: (change: InboxEvent['change']) => unknown
): Promise<Answer> {
  const user = keyOf(call)
  if (reply && patch.trackingIds === 'ALL') {
    throw new Problem('invalid-request', 'A reply needs the ids that it answers.', {
      errors: [{ detail: 'A reply needs the ids that it answers.', pointer: '#/reply' }]
    })
  }
  const wanted = { ...patch, ...(reply && { reply }) } as InboxPatch
  let made: { readonly answer: Answer; readonly event?: InboxEvent } | undefined
  const answer = await once(context.db.of(user.bucket), claimOf(call, user.userId, user.bucket), async tx => {
    const { change, event } = await patchItems(tx, user, wanted, context.config.inboxPageBytes)
    made = { answer: { body: answerOf(change), status: 200 }, ...(event && { event }) }
    return made.answer
  })
  // Another answer is a replay, and what this call may have tried was rolled back.
  if (made?.answer === answer && made.event) context.live.publish([made.event])
  return answer
}

const INBOX = '/:clientId/users/:userId/inbox'
const VENDOR = '/:clientId/users/:userId/notifications/INAPP_WEB'

export const inboxRoutes = (context: Context): Route[] => [
  route('GET', INBOX, 'user', pageDoc, async call => {
    const { count, cursor } = parseQuery(pageQuery, call.query)
    const bounds = { before: cursor, bytes: context.config.inboxPageBytes }
    const page = await readPage(context.db.of(call.bucket).sql, keyOf(call), count, bounds)
    const { next, ...body } = page
    return { body: { ...body, ...(next !== undefined && { next: toCursor(next) }) }, status: 200 }
  }),

  route('GET', `${INBOX}/changes`, 'user', changesDoc, async call => {
    const { since } = parseQuery(changesQuery, call.query)
    const { bucket } = call
    const most = { bytes: context.config.inboxPageBytes, items: CHANGE_LIMIT }
    const [missed] = await readChanges(context.db.of(bucket).sql, [bucket], [{ ...keyOf(call), since }], most)
    return { body: missed!.kind === 'reset' ? missed!.reset : missed!.change, status: 200 }
  }),

  route('PATCH', INBOX, 'user', patchDoc, call =>
    applyPatch(context, call, parseInput(inboxPatch, call.body), change => change)
  ),

  route('GET', VENDOR, 'user', vendorListDoc, async call => {
    const { before, count } = parseQuery(vendorQuery, call.query)
    const bounds = { before, bytes: context.config.inboxPageBytes }
    const page = await readPage(context.db.of(call.bucket).sql, keyOf(call), count, bounds)
    return { body: toVendorList(page), status: 200 }
  }),

  route('PATCH', VENDOR, 'user', vendorPatchDoc, call =>
    applyPatch(context, call, parseInput(vendorPatch, call.body), () => ({ success: true }))
  )
]
