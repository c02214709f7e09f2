// Presses a button with `send`: its outcome becomes pending, and the webhook is queued, in one transaction.

import { MAX_ACTIONS, type InboxChange, type Instant } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import type { Tx } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import { patchItems, type AfterRead } from '../patch-items.sql.ts'
import { changeContent } from './change-item.sql.ts'
import { enqueueWebhook } from './webhook.ts'

export interface Pressed {
  readonly change: InboxChange
  /** To publish after the commit; absent if the button was pressed before. */
  readonly event?: InboxEvent
}

export interface PressOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** When the user pressed it. Default: now. */
  readonly pressedAt?: Instant | undefined
  /** Default: nothing follows. */
  readonly afterRead?: AfterRead | undefined
}

const MARKS = ['actioned1', 'actioned2'] as const satisfies { readonly length: typeof MAX_ACTIONS }

/**
 * Repeating it does nothing, unless the webhook has failed: then it is sent again.
 *
 * @throws Problem `not-found`; `conflict` if another button has an outcome, or this one sends nothing
 */
export async function pressAction(
  tx: Tx,
  user: UserKey,
  id: string,
  actionId: string,
  { afterRead, now, pressedAt }: PressOptions
): Promise<Pressed> {
  const at = new Date(now).toISOString()
  let position = -1
  const changed = await changeContent(tx, user, id, content => {
    position = content.actions?.findIndex(action => action.id === actionId) ?? -1
    const action = content.actions?.[position]
    if (!action) throw new Problem('not-found', 'The notification has no such button.')
    if (!action.send) throw new Problem('conflict', 'This button has no `send`: the page handles it.')
    const { outcome } = content
    if (outcome && outcome.state !== 'failed') {
      if (outcome.actionId === actionId) return undefined
      throw new Problem('conflict', 'Another button of the notification was pressed before.')
    }
    return { content: { ...content, outcome: { actionId, at, state: 'pending' } } }
  })
  if (!changed) throw new Problem('not-found', 'The user has no such notification.')
  const { event, item } = changed
  if (event) await enqueueWebhook(tx, user, item, { actionId, type: 'item.action' }, now)
  // Without a new mark, this reads the inbox as it is.
  const marks = event ? { [MARKS[position]!]: at, at: pressedAt ?? at, opened: item.opened ?? at } : {}
  const { change } = await patchItems(tx, user, { trackingIds: [id], ...marks }, undefined, afterRead)
  if (!event) return { change: { ...change, items: [item] } }
  const whole = { ...change, items: change.items.length > 0 ? change.items : [item], prev: event.change.prev }
  return { change: whole, event: { ...event, change: whole } }
}
