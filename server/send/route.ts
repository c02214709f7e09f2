// Routes for back ends: POST /:clientId/sender, and POST /:clientId/sender/retract.

import { bucketOf } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import { idempotencyKeyOf, runOnce } from '../http/idempotency.ts'
import { parseInput, invalidFields } from '../http/parse-input.ts'
import { route, ok, type Answer, type Route } from '../http/route.ts'
import { knownFields, misspeltFields, unknownFields, type KnownKeys } from '../http/unknown-fields.ts'
import { removeMatching } from '../inbox/items.sql.ts'
import type { Context } from '../process/context.ts'
import type { Acceptor } from './accept/accept.ts'
import { bytesWithoutFiles } from './attachments/attachment.ts'
import { retractDigestItems } from './digest/digest-rows.sql.ts'
import { retractDoc, sendDoc } from './doc.ts'
import { retractDelays } from './escalation/escalation.sql.ts'
import { countSends, isList } from './list/parse-list.ts'
import type { ListSender } from './list/send-list.ts'
import { parseSend } from './parse-send.ts'
import { retractBody } from './schema.ts'

export const sendRoutes = (context: Context, acceptor: Acceptor, sendList: ListSender): Route[] => [
  {
    ...route('POST', '/:clientId/sender', 'back-end', sendDoc, async call => {
      if (isList(call.body)) return sendList(call, call.body)
      const { send, warnings } = parseSend(call.body, context.clock(), (channel, content) =>
        context.renderer.check(channel, content)
      )
      const claim = idempotencyKeyOf(call, send.to.id, bucketOf(call.env.id, send.to.id))
      return acceptor.accept({ caller: call, claim, environment: call.env, send, warnings }, call.bytes)
    }),
    besidesFiles: bytesWithoutFiles,
    countOf: countSends,
    counts: ['requests', 'sends'],
    isFrequent: true
  },

  /** Removes the notifications of a type from a user's inbox, pending digests and delayed channels. A repeated call changes nothing more. */
  route('POST', '/:clientId/sender/retract', 'back-end', retractDoc, async call => {
    const body = parseInput(retractBody, call.body, { nulls: 'absent' })
    const notificationId = body.type ?? body.notificationId
    if (notificationId === undefined) {
      throw invalidFields([{ detail: 'This field is required.', pointer: '#/notificationId' }])
    }
    // A misspelt `subNotificationId` would remove all notifications of the type.
    const misspelt = misspeltFields(call.body as object, KNOWN)
    if (misspelt.length > 0) throw invalidFields(misspelt)
    const envId = call.env.id
    const { userId } = body
    const bucket = bucketOf(envId, userId)
    const subId = body.subNotificationId || body.secondaryId
    const messages = unknownFields(call.body, KNOWN)
    let result: { readonly answer: Answer; readonly event: InboxEvent | undefined } | undefined
    const group = context.db.of(bucket)
    const answer = await runOnce(group, idempotencyKeyOf(call, userId, bucket), async tx => {
      const match = { bucket, envId, notificationId, userId, ...(subId && { subId }) }
      const event = await removeMatching(tx, match)
      const delayed = await retractDelays(tx, group, match)
      const fromDigests = await retractDigestItems(tx, group, match)
      const trackingIds = [...new Set([...(event?.change.removed ?? []), ...delayed, ...fromDigests])]
      const body = { count: trackingIds.length, messages, trackingIds }
      result = { answer: ok(body), event }
      return result.answer
    })
    // Any other answer is a replay, and the transaction of this call was rolled back.
    if (result?.answer === answer && result.event) context.live.publish([result.event])
    return answer
  })
]

const KNOWN = knownFields(retractBody) as KnownKeys
