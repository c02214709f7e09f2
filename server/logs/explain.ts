// Explains why each channel of a send did what it did. Pure: turns delivery facts into codes and sentences.

import type { Channel } from '#protocol'

import type { ChannelExplanation, DeliveryState, LogStatus } from '../client/logs.ts'
import { describeDecision, type Decision } from '../send/plan/decision.ts'
import { isoTimeOfId, type DeliveryFacts, type ReceiptFacts } from './delivery-facts.ts'
import { explainClosings, explainReadPush } from './explain-closing.ts'
import { combineStates, explainDeliveries, formatReason } from './explain-delivery.ts'
import { explainInApp } from './explain-item.ts'
import { statusLabels } from './status-labels.ts'

type ReceiptExplanation = NonNullable<ChannelExplanation['receipts']>[number]

/** @returns the channels that the plan considered, in the order of the log */
export const explainChannels = (facts: DeliveryFacts): ChannelExplanation[] =>
  Object.entries(facts.send.decisions).map(([channel, decision]) => explainChannel(facts, channel, decision))

function explainChannel(facts: DeliveryFacts, channel: string, decision: string): ChannelExplanation {
  const { kind } = statusLabels(decision)
  const base = { channel, decision, deliveries: [] }
  if (kind === 'discarded' || kind === 'unreachable' || kind === 'failed') {
    const state = kind === 'failed' ? kind : 'discarded'
    return { ...base, explanation: explainDecision(facts, channel, decision), state }
  }
  if (kind === 'later') return { ...base, ...explainLater(facts, channel, decision) }
  if (channel === 'INAPP_WEB') return { ...base, ...explainInApp(facts), state: 'sent' }
  return { ...base, ...explainDelivered(facts, channel, decision) }
}

/** @returns the sentence of the decision, as the answer to the send contains it */
function explainDecision({ send }: DeliveryFacts, channel: string, decision: string): string {
  const fallback = decision === 'render-failed' ? 'its template could not be rendered.' : ''
  const detail = send.details?.[channel] ?? fallback
  return (
    describeDecision(decision as Decision, channel as Channel, send.type, detail) ??
    `${channel}: ${decision}.`
  )
}

/** A channel that should wait, but whose row is gone. */
const LOST_WAITS: Readonly<Record<string, string>> = {
  delayed: 'it was delayed, and then deleted',
  digest: 'its digest was deleted'
}

function explainLater(
  { queued }: DeliveryFacts,
  channel: string,
  decision: string
): Pick<ChannelExplanation, 'explanation' | 'state'> {
  const row = queued.find(
    ({ queue, channel: own }) =>
      queue === 'SCHEDULE' || ((queue === 'DIGEST' || queue === 'ESCALATE') && own === channel)
  )
  if (!row) {
    const explanation = LOST_WAITS[decision] ?? 'it was scheduled, and the schedule was deleted'
    return { explanation: `${channel}: ${explanation}.`, state: 'discarded' }
  }
  if (row.queue === 'ESCALATE') {
    const unless = row.unless ? `, unless the in-app notification is ${row.unless} by then` : ''
    const explanation = `${channel}: It waits until ${row.runAt.toISOString()}${unless}. The decision is made again then.`
    return { explanation, state: 'scheduled' }
  }
  const plan = row.queue === 'DIGEST' ? 'It waits for the digest of' : 'It is scheduled for'
  const explanation = `${channel}: ${plan} ${row.runAt.toISOString()}. The decision is made again then.`
  return { explanation, state: 'scheduled' }
}

function explainDelivered(
  facts: DeliveryFacts,
  channel: string,
  decision: string
): Omit<ChannelExplanation, 'channel' | 'decision'> {
  const deliveries = explainDeliveries(facts, channel)
  const receipts = facts.receipts.filter(one => one.channel === channel).map(explainReceipt)
  const closings = channel === 'PUSH' ? explainClosings(facts) : []
  const digestId = facts.send.digests?.[channel]
  const detail = facts.send.details?.[channel]
  const sentences = [
    ...(detail === undefined || decision === 'held' ? [] : [detail]),
    ...(decision === 'digested'
      ? [`It was sent in a digest${digestId ? `, logged as ${digestId}` : ''}.`]
      : []),
    ...(decision === 'held' && !deliveries.some(({ state }) => state === 'held')
      ? [`It was held ${detail ?? 'until the end of a pause or of quiet hours'}.`]
      : []),
    ...deliveries.map(one => one.explanation),
    ...(deliveries.length === 0 ? ['It was accepted; the log of its attempts was deleted.'] : []),
    ...receipts.map(one => one.explanation),
    ...closings.map(one => one.explanation),
    ...(channel === 'WEB_PUSH' ? explainReadPush(facts) : [])
  ]
  return {
    deliveries,
    explanation: `${channel}: ${sentences.join(' ')}`,
    state: combineStates(deliveries),
    ...(closings.length > 0 && { closings }),
    ...(receipts.length > 0 && { receipts })
  }
}

function explainReceipt({ id, outcome, code, detail }: ReceiptFacts): ReceiptExplanation {
  const at = isoTimeOfId(id)
  const reason = formatReason(code ?? outcome, detail)
  const explanations = {
    answered: `The user replied at ${at}.`,
    delayed: `The network reported at ${at} that it was still trying to deliver it (${reason}).`,
    delivered: `It was delivered at ${at}.`,
    undelivered: `The network reported at ${at} that it could not deliver it (${reason}).`
  }
  return {
    at,
    explanation: explanations[outcome],
    outcome,
    ...(code !== null && { code }),
    ...(detail !== null && { detail })
  }
}

/** The same as in the statement of logs.sql.ts. */
export function sendStatus(channels: readonly ChannelExplanation[], isWaiting: boolean): LogStatus {
  const has = (wanted: DeliveryState): boolean =>
    channels.some(({ deliveries, state }) => state === wanted || deliveries.some(one => one.state === wanted))
  if (has('failed')) return has('sent') ? 'partial' : 'failure'
  if (channels.length === 0 && !isWaiting) return 'failure'
  if (has('waiting') || has('held') || has('scheduled')) return 'received'
  if (has('sent')) return 'success'
  const kinds = channels.map(({ decision }) => statusLabels(decision).kind)
  const isUnreachable =
    kinds.includes('unreachable') && kinds.every(kind => kind === 'unreachable' || kind === 'discarded')
  return isUnreachable ? 'failure' : 'received'
}
