// Routes of one item: its update by the back end, and its buttons.

import type { InboxEvent } from '../../core/live-updates.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { parseInput } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Answer, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { parseUserKey, userKeyOfCall } from '../../users/user-key.ts'
import type { AfterRead } from '../patch-items.sql.ts'
import { UUID } from '../schema.ts'
import { changeContent } from './change-item.sql.ts'
import { pressDoc, updateDoc } from './doc.ts'
import { applyUpdate, itemUpdate, pressBody } from './item-update.ts'
import { pressAction } from './press.ts'

const ITEM = '/:clientId/users/:userId/inbox/:trackingId'

const noItem = (): Problem => new Problem('not-found', 'The user has no such notification.')

function parseTrackingId({ trackingId = '' }: Readonly<Record<string, string>>): string {
  if (!UUID.test(trackingId)) throw noItem()
  return trackingId.toLowerCase()
}

/** Also of a lost answer: open pages look for the change. */
export function itemRoutes({ clock, db, live, log, queues }: Context, afterRead?: AfterRead): Route[] {
  const publish = (event: InboxEvent | undefined): void => {
    if (event) live.publish([event])
  }
  return [
    route('PATCH', ITEM, 'back-end', updateDoc, async call => {
      const user = parseUserKey(call)
      const id = parseTrackingId(call.params)
      const { notify, ...update } = parseInput(itemUpdate, call.body)
      let event: InboxEvent | undefined
      const answer = await runOnce(
        db.of(user.bucket),
        idempotencyKeyOf(call, user.userId, user.bucket),
        async tx => {
          event = undefined
          const now = clock()
          const changed = await changeContent(tx, user, id, content => ({
            content: applyUpdate(content, update, now),
            resurfaces: notify,
            update: { at: new Date(now).toISOString(), fields: Object.keys(update) }
          }))
          if (!changed) throw noItem()
          event = changed.event
          return ok(changed.item)
        }
      )
      publish(event)
      log.info(
        { envId: user.envId, event: 'item_updated', fields: Object.keys(update), trackingId: id },
        'notification updated in the inbox of its user'
      )
      return answer
    }),

    route('POST', `${ITEM}/actions/:actionId`, 'user', pressDoc, async call => {
      const user = userKeyOfCall(call)
      const id = parseTrackingId(call.params)
      const { at } = parseInput(pressBody, call.body ?? {})
      if (!call.env.settings.webhook) {
        throw new Problem('conflict', 'The environment has no webhook, which would receive the button.')
      }
      let pressed: { readonly answer: Answer; readonly event: InboxEvent | undefined } | undefined
      const answer = await runOnce(
        db.of(user.bucket),
        idempotencyKeyOf(call, user.userId, user.bucket),
        async tx => {
          const { change, event } = await pressAction(tx, user, id, call.params['actionId']!, {
            afterRead,
            now: clock(),
            pressedAt: at
          })
          pressed = { answer: ok(change), event }
          return pressed.answer
        }
      )
      if (pressed?.answer === answer && pressed.event) {
        publish(pressed.event)
        queues.wake(['WEBHOOK'])
      }
      return answer
    })
  ]
}
