// A channel of a send that waits for the delay of its type: the body of its outbox row, and what may cancel it. Pure.

import type { Channel } from '#protocol'

import type { ItemState } from '../../inbox/item-states.sql.ts'
import type { EscalationCondition } from '../../types/escalation.ts'
import type { Send } from '../send-request.ts'

/** Body of a row in the queue ESCALATE. */
export interface DelayBody {
  readonly channel: Channel
  readonly notificationId: string
  readonly send: Send
  readonly unless?: EscalationCondition
}

/**
 * Returns when the in-app notification came into the state that cancels the channel.
 *
 * @param state - undefined if the send has no in-app notification. An expired one has the state in which it expired
 * @returns undefined if the channel is to be sent
 */
export function findCancellation(
  unless: EscalationCondition | undefined,
  state: ItemState | undefined
): Date | undefined {
  if (!unless || !state) return undefined
  const { actionedAt, readAt, seenAt } = state
  const times = { actioned: [actionedAt], read: [readAt], seen: [readAt, seenAt] }
  const found = times[unless].flatMap(time => time ?? []).map(time => time.getTime())
  return found.length === 0 ? undefined : new Date(Math.min(...found))
}
