// Prepares everything that one send writes, before its transaction: the plan, the rendered in-app notification, the rows.

import type { Channel } from '#protocol'

import type { Json } from '../../db/db.ts'
import type { Answer } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { RenderOrigin } from '../../types/templates/render-pool.ts'
import type { Renderer } from '../../types/templates/render.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import type { ReceivedTopic } from '../../users/preferences/preferences.sql.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { NewDigestItem } from '../digest/digest-items.sql.ts'
import { applyCondition } from '../plan/condition.ts'
import { describeDecision, isOutgoing, outgoingChannels, type Decision } from '../plan/decision.ts'
import type { MessageLimits } from '../plan/message-limits.ts'
import { areAllOutgoing, plan } from '../plan/plan.ts'
import type { Plan, PlannedContent } from '../plan/planned.ts'
import { sendTopic } from '../plan/send-type.ts'
import { warnOfMissingVariables } from '../plan/variable-warnings.ts'
import { rateRules, type RateControlled } from '../rate-control/rate-control.ts'
import { findContent, templateData, type AcceptedSend } from '../send-request.ts'
import { inboxItem, type RenderedInApp } from './inbox-item.ts'
import { delayRow, deliveryRow, digestItem, fetchAheadRows, outboxRow } from './outbox-rows.ts'
import type { SendRow, SendWrites } from './sends.sql.ts'

export interface SendInput extends AcceptedSend, Pick<RenderOrigin, 'caller'> {
  readonly warnings: readonly string[]
  readonly type: NotificationType
  readonly contact: Contact
  readonly devices: readonly Device[]
}

export interface PreparedSend extends SendWrites {
  readonly row: SendRow
  readonly digests?: readonly NewDigestItem[]
  readonly answer: Answer
  /** Checked in the transaction. Absent for most types, which have no rules. */
  readonly rateControlled?: RateControlled
}

export interface RenderContext {
  readonly renderer: Renderer
  /** Channels with a provider. The inbox needs none. */
  readonly providers: ReadonlySet<Channel>
  /** Time zone if neither user nor environment has one. */
  readonly zone: string
  readonly limits: MessageLimits
}

export const createRenderContext = (
  { config, renderer }: Pick<Context, 'config' | 'renderer'>,
  providers: ReadonlySet<Channel>
): RenderContext => ({ limits: config, providers, renderer, zone: config.timezone })

/** @param isScheduled - the send was a schedule, so the log may have deleted its row by now */
export async function prepareSend(
  renderContext: RenderContext,
  input: SendInput,
  isScheduled = false
): Promise<PreparedSend> {
  const { caller, environment, send } = input
  const { renderer } = renderContext
  const origin = { caller, envId: environment.id }
  const conditional = await applyCondition(renderer, origin, send, planSend(renderContext, input))
  const planned = warnOfMissingVariables(renderer, input, conditional)
  const decisions = new Map(planned.decisions)
  const details = new Map(planned.details)
  const messages = [...input.warnings, ...planned.messages]
  const rendered = planned.inApp && (await renderInApp(renderer, origin, input, planned, planned.inApp))
  if (typeof rendered === 'string') {
    decisions.set('INAPP_WEB', 'render-failed')
    details.set('INAPP_WEB', rendered)
    messages.push(describeDecision('render-failed', 'INAPP_WEB', send.type, rendered)!)
  }
  const item = typeof rendered === 'object' ? inboxItem(input, rendered) : undefined
  const outbox = planned.deliveries.map(delivery => deliveryRow(input, delivery, isScheduled))
  outbox.push(...planned.delays.map(delay => delayRow(input, delay)))
  const isEmailLate = [...planned.digests, ...planned.delays].some(({ channel }) => channel === 'EMAIL')
  if (isEmailLate) outbox.push(...fetchAheadRows(input))
  if (item?.expiresAt) outbox.push({ ...outboxRow(input, 'EXPIRE'), body: {}, runAt: item.expiresAt })
  const row = sendRow(input, { decisions, details, warnings: messages })
  // The same content was requested again.
  const rules =
    send.resendOf === undefined ? rateRules(input.type.settings, send, outgoingChannels(decisions)) : []
  return {
    answer: sendAnswer(input.id, messages, areAllOutgoing(decisions), send.resendOf),
    outbox,
    row,
    ...(planned.digests.length > 0 && { digests: planned.digests.map(one => digestItem(input, one)) }),
    ...(!input.contact.received && { newTopic: receivedTopic(input) }),
    ...(rules.length > 0 && { rateControlled: { ...row, rules } }),
    ...(item && { item })
  }
}

/** Prepares a send for later: one outbox row holds the whole request, and its plan is only for the answer. */
export function prepareSchedule(renderContext: RenderContext, input: SendInput): PreparedSend {
  const { send } = input
  const unwarned = planSend(renderContext, { ...input, now: Date.parse(send.schedule!) })
  const planned = warnOfMissingVariables(renderContext.renderer, input, unwarned)
  const decisions = new Map<Channel, Decision>()
  for (const [channel, decision] of planned.decisions) {
    decisions.set(channel, isOutgoing(decision) ? 'scheduled' : decision)
  }
  const messages = [...input.warnings, ...planned.messages]
  return {
    answer: sendAnswer(input.id, messages, areAllOutgoing(decisions)),
    outbox: [
      {
        ...outboxRow(input, 'SCHEDULE'),
        body: { notificationId: send.type, send: send as unknown as Json, warnings: input.warnings },
        id: input.id,
        runAt: new Date(send.schedule!)
      },
      ...(decisions.get('EMAIL') === 'scheduled' ? fetchAheadRows(input) : [])
    ],
    row: sendRow(input, { decisions, details: planned.details, warnings: messages })
  }
}

/** @param delayed - a channel whose delay is over. Default: all channels */
export const planSend = (
  { limits, providers, zone }: RenderContext,
  input: SendInput,
  delayed?: Channel
): Plan =>
  plan({
    ...input,
    environment: input.environment.settings,
    limits,
    providers,
    zone,
    ...(delayed && { delayed })
  })

const receivedTopic = ({ bucket, environment, send, type }: SendInput): ReceivedTopic => ({
  bucket,
  envId: environment.id,
  userId: send.to.id,
  ...sendTopic(send, type)
})

export const sendAnswer = (
  trackingId: string,
  messages: readonly string[],
  isInFull: boolean,
  resendOf?: string
): Answer => ({
  body: { messages, trackingId, ...(resendOf !== undefined && { resendOf }) },
  status: isInFull ? 200 : 202
})

export const queuesToWake = ({ outbox }: Pick<PreparedSend, 'outbox'>): QueueName[] =>
  outbox.map(row => row.queue)

/** @param outcome - what was decided; empty if nothing could be */
export const sendRow = (
  { bucket, contact, id, environment, send }: SendInput,
  outcome: Pick<SendRow, 'decisions' | 'details' | 'warnings'>
): SendRow => ({
  ...outcome,
  body: send,
  bucket,
  envId: environment.id,
  erasureEpoch: contact.erasureEpoch,
  id,
  ...(contact.isCached && { cachedVersion: contact.version }),
  notificationId: send.type,
  subId: send.subNotificationId ?? '',
  userId: send.to.id
})

/** @returns the rendered content, or the reason why rendering failed */
async function renderInApp(
  renderer: Renderer,
  origin: RenderOrigin,
  { send, type }: SendInput,
  { user }: Plan,
  { template }: PlannedContent
): Promise<RenderedInApp | string> {
  const content = findContent(send, type, 'INAPP_WEB', template)
  if (!content) return 'its template was deleted.'
  const data = templateData(send, user, template)
  const replace = send.replace ?? {}
  const place = { ...origin, channel: 'INAPP_WEB', isTemplate: template !== null } as const
  const rendered = await renderer.render({ ...place, content, data, replace })
  return rendered.ok ? { ...rendered, content } : `${rendered.field}: ${rendered.detail}`
}
