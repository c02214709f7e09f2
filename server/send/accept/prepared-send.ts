// Everything that one send writes, worked out before its transaction: planned, rendered, ready to be inserted.

import type { Channel } from '#protocol'

import type { Json } from '../../db/db.ts'
import type { Answer } from '../../http/route.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { Renderer } from '../../types/templates/render.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import type { Topic } from '../../users/preferences/preference.ts'
import type { ReceivedTopic } from '../../users/preferences/preferences.sql.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { NewItem as NewDigestItem } from '../digest/items.sql.ts'
import { withCondition } from '../plan/condition.ts'
import { isOut, sentenceOf, type Decision } from '../plan/decision.ts'
import { isComplete, plan, type Plan } from '../plan/plan.ts'
import type { Gated } from '../rate-control/admit.ts'
import { gatesOf } from '../rate-control/rate-control.ts'
import type { Accepted, Send } from '../send-request.ts'
import { itemOf, renderInApp } from './in-app.ts'
import { deliveryRow, digestItem, fetchAhead, rowOf } from './rows.ts'
import type { SendRow, Writing } from './sends.sql.ts'

export interface DraftInput extends Accepted {
  readonly warnings: readonly string[]
  readonly type: NotificationType
  readonly contact: Contact
  readonly devices: readonly Device[]
}

export interface Draft extends Writing {
  readonly row: SendRow
  /** What waits for a digest. */
  readonly digests?: readonly NewDigestItem[]
  readonly answer: Answer
  /** To be passed in the transaction; absent: none. */
  readonly gated?: Gated
}

/** Queues to wake after the commit. */
export const queuesOf = ({ outbox }: Pick<Draft, 'outbox'>): QueueName[] => outbox.map(row => row.queue)

export interface Desk {
  readonly renderer: Renderer
  readonly providers: ReadonlySet<Channel>
  /** Time zone where neither user nor environment says one. */
  readonly zone: string
}

/** A send for now. @param late - it comes from a schedule, so its row in the log may be gone */
export async function draftOf(desk: Desk, input: DraftInput, late = false): Promise<Draft> {
  const { send } = input
  const planned = await withCondition(desk.renderer, send, planOf(desk, input))
  const decisions = new Map(planned.decisions)
  const messages = [...input.warnings, ...planned.messages]
  const rendered = planned.inApp && (await renderInApp(desk.renderer, input, planned, planned.inApp))
  if (typeof rendered === 'string') {
    decisions.set('INAPP_WEB', 'render-failed')
    messages.push(sentenceOf('render-failed', 'INAPP_WEB', send.type, rendered)!)
  }
  const item = typeof rendered === 'object' ? itemOf(input, rendered) : undefined
  const outbox = planned.deliveries.map(delivery => deliveryRow(input, delivery, late))
  if (planned.digests.some(({ channel }) => channel === 'EMAIL')) outbox.push(...fetchAhead(input))
  if (item?.expiresAt) outbox.push({ ...rowOf(input, 'EXPIRE'), body: {}, runAt: item.expiresAt })
  const row = logRow(input, decisions, messages)
  const gates = gatesOf(input.type.settings, send, outOf(decisions))
  return {
    answer: answerOf(input.id, messages, isComplete(decisions)),
    outbox,
    row,
    ...(planned.digests.length > 0 && { digests: planned.digests.map(one => digestItem(input, one)) }),
    ...(!input.contact.received && { first: firstOf(input) }),
    ...(gates.length > 0 && { gated: { ...row, gates } }),
    ...(item && { item })
  }
}

/**
 * What a send is about, as far as the user can choose about it.
 *
 * @param type - undefined: there is none
 */
export const topicOf = (
  { type: notificationId, subNotificationId: sub }: Pick<Send, 'subNotificationId' | 'type'>,
  type: Pick<NotificationType, 'subs'> | undefined
): Topic => ({ notificationId, subNotificationId: sub !== undefined && type?.subs.has(sub) ? sub : '' })

const firstOf = ({ bucket, environment, send, type }: DraftInput): ReceivedTopic => ({
  bucket,
  envId: environment.id,
  userId: send.to.id,
  ...topicOf(send, type)
})
const outOf = (decisions: ReadonlyMap<Channel, Decision>): Channel[] =>
  [...decisions].filter(([, decision]) => isOut(decision)).map(([channel]) => channel)

/** A send for later: the whole request waits in the outbox, and is planned again when its time has come. */
export function draftOfSchedule(desk: Desk, input: DraftInput): Draft {
  const { send } = input
  const planned = planOf(desk, { ...input, now: Date.parse(send.schedule!) })
  const decisions = new Map<Channel, Decision>()
  for (const [channel, decision] of planned.decisions) {
    decisions.set(channel, isOut(decision) ? 'scheduled' : decision)
  }
  const messages = [...input.warnings, ...planned.messages]
  return {
    answer: answerOf(input.id, messages, isComplete(decisions)),
    outbox: [
      {
        ...rowOf(input, 'SCHEDULE'),
        body: { notificationId: send.type, send: send as unknown as Json, warnings: input.warnings },
        id: input.id,
        runAt: new Date(send.schedule!)
      },
      ...(isOnEmail(decisions) ? fetchAhead(input) : [])
    ],
    row: logRow(input, decisions, messages)
  }
}

const planOf = ({ providers, zone }: Desk, input: DraftInput): Plan =>
  plan({ ...input, environment: input.environment.settings, providers, zone })

export const answerOf = (trackingId: string, messages: readonly string[], complete: boolean): Answer => ({
  body: { messages, trackingId },
  status: complete ? 200 : 202
})

const logRow = (
  { bucket, contact, id, environment, send }: DraftInput,
  decisions: ReadonlyMap<Channel, Decision>,
  messages: readonly string[]
): SendRow => ({
  body: JSON.stringify(send),
  bucket,
  decisions: JSON.stringify(Object.fromEntries(decisions)),
  envId: environment.id,
  erasureEpoch: contact.erasureEpoch,
  id,
  ...(contact.isCached && { kept: contact.version }),
  notificationId: send.type,
  subId: send.subNotificationId ?? '',
  userId: send.to.id,
  warnings: messages.length === 0 ? '[]' : JSON.stringify(messages)
})

const isOnEmail = (decisions: ReadonlyMap<Channel, Decision>): boolean => {
  const decision = decisions.get('EMAIL')
  return decision !== undefined && isOut(decision)
}
