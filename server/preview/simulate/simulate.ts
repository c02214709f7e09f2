// What would become of a send: planned, gated and explained by the very functions that do it, and nothing is written.

import type { Channel } from '#protocol'

import type { DeliveryBody } from '../../channels/channel.ts'
import { contentOf } from '../../channels/content.ts'
import type { Json } from '../../db/db.ts'
import { explain, statusOf } from '../../logs/explain.ts'
import type { Facts, WaitingFact } from '../../logs/facts.ts'
import type { Context } from '../../process/context.ts'
import { TRIES } from '../../queue/backoff.ts'
import { queueOf } from '../../send/accept/rows.ts'
import { compose } from '../../send/digest/compose.ts'
import { withCondition } from '../../send/plan/condition.ts'
import { isOut, sentenceOf, type Decision } from '../../send/plan/decision.ts'
import { isComplete, plan, type Plan } from '../../send/plan/plan.ts'
import { readGates } from '../../send/rate-control/peek.sql.ts'
import { counting, gatesOf } from '../../send/rate-control/rate-control.ts'
import type { Situation } from './situation.ts'

/** Stands where a send has its tracking id. */
const NOBODY = '00000000-0000-7000-8000-000000000000'

export async function simulate(context: Context, situation: Situation, providers: ReadonlySet<Channel>) {
  const { environment, now, send, type, warnings } = situation
  const at = send.schedule === undefined ? now : Date.parse(send.schedule)
  const zone = context.config.timezone
  const all = plan({ ...situation, environment: environment.settings, now: at, providers, zone })
  const planned = await withCondition(context.renderer, send, all)
  const decisions = new Map<Channel, Decision>(planned.decisions)
  const messages = [...warnings, ...planned.messages]
  const held = await heldBack(context, situation, decisions, at)
  for (const [channel, decision] of decisions) {
    if (!isOut(decision)) continue
    if (held) messages.push(sentenceOf(held, channel, type.id)!)
    if (held) decisions.set(channel, held)
    else if (at > now && decision === 'sent') decisions.set(channel, 'scheduled')
  }
  const facts = factsOf(situation, planned, decisions, messages, at)
  const stories = explain(facts)
  const channels = await Promise.all(
    stories.map(async story => {
      const channel = story.channel as Channel
      const decision = decisions.get(channel)!
      if (!isOut(decision)) return story
      const digest = planned.digests.find(one => one.channel === channel)
      return {
        ...story,
        at: new Date(digest?.due.at ?? at).toISOString(),
        to: planned.deliveries.filter(one => one.channel === channel).map(({ to }) => to),
        ...(situation.render && { content: await said(context, situation, planned, channel) })
      }
    })
  )
  return {
    channels,
    messages,
    now: new Date(now).toISOString(),
    /** What POST /sender would answer with. */
    wouldAnswer: isComplete(decisions) ? 200 : 202,
    status: statusOf(stories, false)
  }
}

/** What passed before counts; that this one passes is not remembered. */
async function heldBack(
  context: Context,
  { bucket, environment, send, type }: Situation,
  decisions: ReadonlyMap<Channel, Decision>,
  at: number
) {
  const out = [...decisions].filter(([, decision]) => isOut(decision)).map(([channel]) => channel)
  const gates = gatesOf(type.settings, send, out)
  if (gates.length === 0) return undefined
  const user = { bucket, envId: environment.id, notificationId: send.type, userId: send.to.id }
  const passed = await readGates(context.db.of(bucket).sql, user)
  return gates.find(({ max, print, span }) => counting(passed.get(print) ?? [], span, at).length >= max)?.held
}

function factsOf(
  { bucket, environment, send }: Situation,
  planned: Plan,
  decisions: ReadonlyMap<Channel, Decision>,
  warnings: readonly string[],
  at: number
): Facts {
  const row = { id: NOBODY, leased: false, runAt: new Date(at), attemptsLeft: TRIES }
  const waiting: WaitingFact[] = [
    ...planned.digests.map(({ channel, due }) => ({
      ...row,
      channel,
      queue: 'DIGEST' as const,
      runAt: new Date(due.at)
    })),
    ...(send.schedule === undefined ? [] : [{ ...row, queue: 'SCHEDULE' as const }]),
    ...planned.deliveries.map((delivery, i) => ({ ...row, id: `${NOBODY}.${i}`, queue: queueOf(delivery) }))
  ]
  return {
    attempts: [],
    dead: [],
    item: { archivedAt: null, at, clickedAt: null, openedAt: null, removed: false },
    receipts: [],
    send: {
      body: send as unknown as Readonly<Record<string, unknown>>,
      bucket,
      decisions: Object.fromEntries(decisions),
      envId: environment.id,
      id: NOBODY,
      subId: send.subNotificationId ?? '',
      type: send.type,
      userId: send.to.id,
      warnings
    },
    waiting
  }
}

/** Rendered fields, or why there are none. */
async function said(
  { renderer }: Pick<Context, 'renderer'>,
  { bucket, environment, send, type }: Situation,
  planned: Plan,
  channel: Channel
) {
  const digest = planned.digests.find(one => one.channel === channel)
  const delivery = planned.deliveries.find(one => one.channel === channel)
  const { template = null } = digest ?? delivery ?? planned.inApp ?? {}
  const composed = digest ? compose(channel, [{ send, template }], type) : { send, template }
  const to = delivery?.to ?? ''
  const body: DeliveryBody = { notificationId: type.id, template: composed.template, to }
  const content = await contentOf(
    { renderer, types: { get: async () => type } },
    channel,
    {
      body,
      bucket,
      envId: environment.id,
      id: NOBODY,
      send: composed.send as unknown as Readonly<Record<string, Json>>,
      sendId: NOBODY,
      userId: send.to.id
    },
    planned.user
  )
  return content.ok ? content.fields : { problem: content.detail }
}
