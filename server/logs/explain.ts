// Why each channel of a send did what it did: pure, from what is kept about it to codes and sentences.

import type { Channel } from '#protocol'

import { describeDecision, type Decision } from '../send/plan/decision.ts'
import { because, deliveriesOf, stateOf, type DeliveryStory, type State } from './delivery.ts'
import { timeOf, type Facts, type ReceiptFact } from './facts.ts'
import { meaningOf } from './status-labels.ts'

export interface ReceiptStory {
  readonly at: string
  readonly outcome: ReceiptFact['outcome']
  readonly code?: string
  /** Of an answer: its text. */
  readonly detail?: string
  readonly words: string
}

export interface ChannelStory {
  readonly channel: string
  readonly state: State
  /** The rule that decided. */
  readonly decision: string
  readonly words: string
  readonly deliveries: readonly DeliveryStory[]
  /** Words of the network, and answers. Absent: there are none. */
  readonly receipts?: readonly ReceiptStory[]
}

export type Status = 'received' | 'success' | 'failure'

/** @returns the channels that were considered, in the order in which they stand in the log */
export const explain = (facts: Facts): ChannelStory[] =>
  Object.entries(facts.send.decisions).map(([channel, decision]) => storyOf(facts, channel, decision))

function storyOf(facts: Facts, channel: string, decision: string): ChannelStory {
  const { send } = facts
  const { kind } = meaningOf(decision)
  const told = (state: State, words: string, deliveries: readonly DeliveryStory[] = []): ChannelStory => ({
    channel,
    decision,
    deliveries,
    state,
    words
  })
  if (kind === 'discarded' || kind === 'failed') return told(kind, wordsOf(facts, channel, decision))
  if (kind === 'later') {
    const row = facts.waiting.find(
      one => one.queue === 'SCHEDULE' || (one.queue === 'DIGEST' && one.channel === channel)
    )
    if (!row && decision === 'digest') return told('discarded', `${channel}: its digest is gone.`)
    if (!row) return told('discarded', `${channel}: it was planned for later, and the plan was deleted.`)
    const plan = row.queue === 'DIGEST' ? 'It is collected for the digest of' : 'It is scheduled for'
    return told('scheduled', `${channel}: ${plan} ${row.runAt.toISOString()}, and decided again then.`)
  }
  if (channel === 'INAPP_WEB') return told('sent', inboxWords(facts))
  const deliveries = deliveriesOf(facts, channel)
  const state = stateOf(deliveries)
  const leader = send.digests?.[channel]
  const words =
    decision === 'digested' ? [`It went out in a digest${leader ? `, logged as ${leader}` : ''}.`] : []
  words.push(...deliveries.map(one => one.words))
  if (deliveries.length === 0) words.push('It was accepted; the log of its tries is gone.')
  const receipts = facts.receipts.filter(one => one.channel === channel).map(receiptOf)
  words.push(...receipts.map(one => one.words))
  const story = told(state, `${channel}: ${words.join(' ')}`, deliveries)
  return receipts.length > 0 ? { ...story, receipts } : story
}

/** What the caller was told at the time; for later decisions the same sentence anew. */
function wordsOf({ send }: Facts, channel: string, decision: string): string {
  const told = send.warnings.find(text => text.startsWith(`${channel} was discarded:`))
  if (told !== undefined) return told
  if (decision === 'cancelled') return `${channel} was discarded: its schedule was deleted.`
  const why = decision === 'render-failed' ? 'its template could not be rendered.' : ''
  return (
    describeDecision(decision as Decision, channel as Channel, send.type, why) ?? `${channel}: ${decision}.`
  )
}

function inboxWords({ item }: Facts): string {
  if (!item) return 'INAPP_WEB: it was put into the inbox, which has forgotten it since.'
  if (item.removed) return 'INAPP_WEB: it was put into the inbox, and retracted or expired since.'
  const marks = [
    item.openedAt && `opened at ${item.openedAt.toISOString()}`,
    item.clickedAt && `clicked at ${item.clickedAt.toISOString()}`,
    item.archivedAt && `archived at ${item.archivedAt.toISOString()}`
  ].filter(Boolean)
  return `INAPP_WEB: it is in the inbox${marks.length > 0 ? `, ${marks.join(', ')}` : ', not opened yet'}.`
}

function receiptOf({ id, outcome, code, detail }: ReceiptFact): ReceiptStory {
  const at = timeOf(id)
  const said = {
    answered: `Somebody answered at ${at}.`,
    delayed: `The network still tried to deliver it at ${at} (${because(code ?? outcome, detail)}).`,
    delivered: `It was delivered at ${at}.`,
    undelivered: `The network could not deliver it, which it said at ${at} (${because(code ?? outcome, detail)}).`
  }
  return {
    at,
    outcome,
    words: said[outcome],
    ...(code !== null && { code }),
    ...(detail !== null && { detail })
  }
}

/**
 * What became of a send, over some of its channels: failure if anything failed, received while anything waits or all
 * was discarded, success if something is out.
 */
export function statusOf(stories: readonly ChannelStory[], waiting: boolean): Status {
  if (stories.some(({ state }) => state === 'failed')) return 'failure'
  if (stories.length === 0 && !waiting) return 'failure'
  if (stories.some(({ state }) => state === 'waiting' || state === 'scheduled')) return 'received'
  return stories.some(({ state }) => state === 'sent') ? 'success' : 'received'
}
