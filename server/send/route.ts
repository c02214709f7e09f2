// POST /:clientId/sender and /:clientId/sender/retract, for back-ends.

import { bucketOf } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import { claimOf, once } from '../http/idempotency.ts'
import { parseInput, wrongFields } from '../http/parse-input.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import { knownOf, unknownFields } from '../http/unknown-fields.ts'
import { removeMatching } from '../inbox/items.sql.ts'
import type { Context } from '../process/context.ts'
import type { Acceptor } from './accept/accept.ts'
import { besidesFiles } from './attachments/inline-files.ts'
import { retractWaiting } from './digest/retract.sql.ts'
import { retractDoc, sendDoc } from './doc.ts'
import { readSend } from './parse-send.ts'
import { retractBody } from './schema.ts'

export const sendRoutes = (context: Context, acceptor: Acceptor): Route[] => [
  {
    ...route('POST', '/:clientId/sender', 'back-end', sendDoc, async call => {
      const { send, warnings } = readSend(call.body, context.config, context.clock(), (channel, content) =>
        context.renderer.check(channel, content)
      )
      const claim = claimOf(call, send.to.id, bucketOf(call.env.id, send.to.id))
      return acceptor.accept({ claim, environment: call.env, send, warnings }, call.bytes)
    }),
    besidesFiles,
    counts: ['requests', 'sends']
  },

  /** Removes the notifications of a type from a user's inbox and digests that wait; again and again to the same end. */
  route('POST', '/:clientId/sender/retract', 'back-end', retractDoc, async call => {
    const body = parseInput(retractBody, call.body, { nulls: 'absent' })
    const notificationId = body.type ?? body.notificationId
    if (notificationId === undefined) {
      throw wrongFields([{ detail: 'This field is required.', pointer: '#/notificationId' }])
    }
    const envId = call.env.id
    const { userId } = body
    const bucket = bucketOf(envId, userId)
    const subId = body.subNotificationId || body.secondaryId
    const messages = unknownFields(call.body, KNOWN)
    let made: { readonly answer: Answer; readonly event: InboxEvent | undefined } | undefined
    const group = context.db.of(bucket)
    const answer = await once(group, claimOf(call, userId, bucket), async tx => {
      const match = { bucket, envId, notificationId, userId, ...(subId && { subId }) }
      const event = await removeMatching(tx, match)
      const waited = await retractWaiting(tx, group, match)
      const trackingIds = [...new Set([...(event?.change.removed ?? []), ...waited])]
      const body = { count: trackingIds.length, messages, trackingIds }
      made = { answer: { body, status: 200 }, event }
      return made.answer
    })
    // Another answer is a replay, and what this call may have tried was rolled back.
    if (made?.answer === answer && made.event) context.live.publish([made.event])
    return answer
  })
]

const KNOWN = knownOf(retractBody)!
