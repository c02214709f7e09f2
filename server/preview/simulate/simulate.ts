// Simulates a send: plans and explains it with the functions of a real send, but writes nothing.

import type { Channel } from '#protocol'

import type { DeliveryBody } from '../../channels/channel.ts'
import { renderContent } from '../../channels/content.ts'
import type { Json } from '../../db/db.ts'
import { NEW_ITEM, type DeliveryFacts, type QueuedFacts } from '../../logs/delivery-facts.ts'
import { explainChannels, sendStatus } from '../../logs/explain.ts'
import type { Context } from '../../process/context.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import { composeDigest } from '../../send/digest/compose-send.ts'
import { applyCondition } from '../../send/plan/condition.ts'
import { describeDecision, isOutgoing, outgoingChannels, type Decision } from '../../send/plan/decision.ts'
import { areAllOutgoing, describeDelay, plan } from '../../send/plan/plan.ts'
import type { Plan } from '../../send/plan/planned.ts'
import { deliveryQueue } from '../../send/plan/recipient.ts'
import { warnOfMissingVariables } from '../../send/plan/variable-warnings.ts'
import { readRateCounters } from '../../send/rate-control/rate-control.sql.ts'
import {
  filterWithinWindow,
  rateRules,
  type RateRule,
  type SuppressionReason
} from '../../send/rate-control/rate-control.ts'
import type { RenderOrigin } from '../../types/templates/render-pool.ts'
import { describeHold, type Hold } from '../../users/preferences/hold.ts'
import type { Simulation } from './read-simulation.ts'

const NO_ID = '00000000-0000-7000-8000-000000000000'

export async function simulate(
  context: Context,
  simulation: Simulation,
  providers: ReadonlySet<Channel>,
  caller: RenderOrigin['caller']
) {
  const { environment, now, send, type, warnings } = simulation
  const at = send.schedule === undefined ? now : Date.parse(send.schedule)
  const { config } = context
  const all = plan({
    ...simulation,
    environment: environment.settings,
    limits: config,
    now: at,
    providers,
    zone: config.timezone
  })
  const origin = { caller, envId: environment.id }
  const conditional = await applyCondition(context.renderer, origin, send, all)
  const planned = warnOfMissingVariables(context.renderer, simulation, conditional)
  const decisions = new Map<Channel, Decision>(planned.decisions)
  const messages = [...warnings, ...planned.messages]
  const reason = await findSuppressionReason(context, simulation, decisions, at)
  for (const [channel, decision] of decisions) {
    if (!isOutgoing(decision)) continue
    if (reason) messages.push(describeDecision(reason, channel, type.id)!)
    if (reason) decisions.set(channel, reason)
    else if (at > now && (decision === 'sent' || decision === 'held')) decisions.set(channel, 'scheduled')
  }
  const facts = simulatedFacts(simulation, planned, decisions, messages, at)
  const stories = explainChannels(facts)
  const channels = await Promise.all(
    stories.map(async story => {
      const channel = story.channel as Channel
      const decision = decisions.get(channel)!
      if (!isOutgoing(decision)) return story
      const digest = planned.digests.find(one => one.channel === channel)
      const delay = planned.delays.find(one => one.channel === channel)
      const hold = digest ? digest.hold : planned.deliveries.find(one => one.channel === channel)?.hold
      const due = new Date(hold?.until ?? digest?.time.at ?? delay?.at ?? at).toISOString()
      return {
        ...story,
        at: due,
        // Nothing was queued, so there is no delivery to speak of.
        deliveries: [],
        explanation: describeOutcome(channel, decision, delay ? describeDelay(delay) : due, hold),
        to: planned.deliveries.filter(one => one.channel === channel).map(({ to }) => to),
        ...(simulation.render && {
          content: await renderChannel(context, caller, simulation, planned, channel)
        })
      }
    })
  )
  return {
    channels,
    messages,
    now: new Date(now).toISOString(),
    wouldAnswer: areAllOutgoing(decisions) ? 200 : 202,
    status: sendStatus(stories, false)
  }
}

/** @param due - ISO 8601 in UTC; of a delay with what cancels it */
function describeOutcome(channel: Channel, decision: Decision, due: string, hold?: Hold): string {
  if (decision === 'held') return `${channel}: It would be held ${describeHold(hold!)}.`
  if (decision === 'digest') return `${channel}: It would wait for the digest of ${due}.`
  if (decision === 'delayed') return `${channel}: It would be decided again and sent at ${due}.`
  if (decision === 'scheduled') return `${channel}: It would be decided again and sent at ${due}.`
  return `${channel}: It would be ${channel === 'INAPP_WEB' ? 'in the inbox' : 'sent'} at ${due}.`
}

/** Counts earlier sends, without adding this one. */
async function findSuppressionReason(
  context: Context,
  { bucket, environment, send, type }: Simulation,
  decisions: ReadonlyMap<Channel, Decision>,
  at: number
): Promise<SuppressionReason | undefined> {
  const rules = rateRules(type.settings, send, outgoingChannels(decisions))
  if (rules.length === 0) return undefined
  const user = { bucket, envId: environment.id, notificationId: send.type, userId: send.to.id }
  const counters = await readRateCounters(context.db.of(bucket).sql, user)
  const countedSends = ({ contentHash, window }: RateRule): number =>
    filterWithinWindow(counters.get(contentHash) ?? [], window, at).length
  return rules.find(rule => countedSends(rule) >= rule.maxCount)?.reason
}

/** The facts that the log would have about the send right after it was accepted. */
function simulatedFacts(
  { bucket, environment, send }: Simulation,
  planned: Plan,
  decisions: ReadonlyMap<Channel, Decision>,
  warnings: readonly string[],
  at: number
): DeliveryFacts {
  const row = { id: NO_ID, isLeased: false, runAt: new Date(at), attemptsLeft: MAX_ATTEMPTS }
  const queued: QueuedFacts[] = [
    ...planned.digests.map(({ channel, time }) => ({
      ...row,
      channel,
      queue: 'DIGEST' as const,
      runAt: new Date(time.at)
    })),
    ...planned.delays.map(delay => ({
      ...row,
      channel: delay.channel,
      queue: 'ESCALATE' as const,
      runAt: new Date(delay.at)
    })),
    ...(send.schedule === undefined ? [] : [{ ...row, queue: 'SCHEDULE' as const }]),
    ...planned.deliveries.map((delivery, i) => ({
      ...row,
      id: `${NO_ID}.${i}`,
      queue: deliveryQueue(delivery.channel, delivery)
    }))
  ]
  return {
    attempts: [],
    deadLetters: [],
    item: { ...NEW_ITEM, at },
    queued,
    receipts: [],
    send: {
      body: send as unknown as Readonly<Record<string, unknown>>,
      bucket,
      decisions: Object.fromEntries(decisions),
      details: Object.fromEntries(planned.details),
      envId: environment.id,
      id: NO_ID,
      subId: send.subNotificationId ?? '',
      type: send.type,
      userId: send.to.id,
      warnings
    }
  }
}

/** @returns the rendered fields, or `problem` with the reason why rendering failed */
async function renderChannel(
  { renderer }: Pick<Context, 'renderer'>,
  caller: RenderOrigin['caller'],
  { bucket, environment, send, type }: Simulation,
  planned: Plan,
  channel: Channel
) {
  const digest = planned.digests.find(one => one.channel === channel)
  const delay = planned.delays.find(one => one.channel === channel)
  const delivery = planned.deliveries.find(one => one.channel === channel)
  const { template = null } = digest ?? delivery ?? delay ?? planned.inApp ?? {}
  const composed = digest ? composeDigest(channel, [{ send, template }], type) : { send, template }
  const to = delivery?.to ?? ''
  const body: DeliveryBody = { notificationId: type.id, template: composed.template, to }
  const content = await renderContent(
    { caller, renderer, types: { get: async () => type } },
    channel,
    {
      body,
      bucket,
      envId: environment.id,
      id: NO_ID,
      send: composed.send as unknown as Readonly<Record<string, Json>>,
      sendId: NO_ID,
      userId: send.to.id
    },
    planned.user
  )
  return content.ok ? content.fields : { problem: content.detail }
}
