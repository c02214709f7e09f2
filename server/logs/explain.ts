// Why each channel of a send did what it did: pure, from what is kept about it to codes and sentences.

import type { Channel } from '#protocol'

import { channelOf } from '../queue/lanes.ts'
import { sentenceOf, type Decision } from '../send/decision.ts'
import { timeOf, type AttemptFact, type Facts, type ReceiptFact, type WaitingFact } from './facts.ts'
import { meaningOf } from './words.ts'

/**
 * sent: out of our hands. waiting: in the queue. scheduled: for its time. failed: it will not arrive unless somebody
 * acts. discarded: by a rule. unknown: accepted, and the log of its tries is gone.
 */
export type State = 'sent' | 'waiting' | 'scheduled' | 'failed' | 'discarded' | 'unknown'

export interface TryStory {
  readonly at: string
  readonly try: number
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  /** What the provider calls it. */
  readonly reference?: string
  readonly tookMs?: number
  readonly words: string
}

export interface DeliveryStory {
  /** Of the outbox row, and of the dead letter. */
  readonly id: string
  readonly state: State
  /** When it is tried next, ISO 8601. */
  readonly nextAt?: string
  readonly triesLeft?: number
  /** Of the dead letter, or of the last failed try. */
  readonly code?: string
  /** There is one, to be redriven or dropped. */
  readonly deadLetter?: true
  readonly tries: readonly TryStory[]
  readonly words: string
}

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
      one => one.lane === 'SCHEDULE' || (one.lane === 'DIGEST' && one.channel === channel)
    )
    if (!row && decision === 'digest') return told('discarded', `${channel}: its digest is gone.`)
    if (!row) return told('discarded', `${channel}: it was planned for later, and the plan was deleted.`)
    const plan = row.lane === 'DIGEST' ? 'It is collected for the digest of' : 'It is scheduled for'
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
  return sentenceOf(decision as Decision, channel as Channel, send.type, why) ?? `${channel}: ${decision}.`
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

/** Of any delivery that failed, of any that waits, of any that was sent, in this order. */
const stateOf = (deliveries: readonly DeliveryStory[]): State =>
  (['failed', 'waiting', 'sent'] as const).find(state => deliveries.some(one => one.state === state)) ??
  'unknown'

function deliveriesOf({ attempts, dead, waiting }: Facts, channel: string): DeliveryStory[] {
  const mine = attempts.filter(attempt => attempt.channel === channel)
  const rows = waiting.filter(({ lane }) => channelOf(lane) === channel)
  const letters = dead.filter(({ lane }) => channelOf(lane) === channel)
  const ids = new Set([
    ...mine.map(attempt => attempt.deliveryId),
    ...rows.map(row => row.id),
    ...letters.map(letter => letter.id)
  ])
  return [...ids].map(id => {
    const own = mine.filter(attempt => attempt.deliveryId === id)
    const tries = own.map(tryOf)
    const row = rows.find(one => one.id === id)
    if (row) return waitingStory(row, tries)
    const letter = letters.find(one => one.id === id)
    if (letter) {
      const { code, detail } = letter
      const words = `It is a dead letter since ${letter.diedAt.toISOString()} (${because(code, detail)}).`
      return { code, deadLetter: true as const, id, state: 'failed' as const, tries, words }
    }
    return endedStory(id, own.at(-1)!, tries)
  })
}

function waitingStory(
  { id, leased, runAt, triesLeft }: WaitingFact,
  tries: readonly TryStory[]
): DeliveryStory {
  const nextAt = runAt.toISOString()
  const when = leased ? 'It is being tried right now' : `It waits for its next try at ${nextAt}`
  const last = tries.at(-1)
  const after = last ? `; try ${last.try} came to: ${last.outcome}${last.code ? ` (${last.code})` : ''}` : ''
  return { id, nextAt, state: 'waiting', tries, triesLeft, words: `${when}${after}.` }
}

function endedStory(id: string, last: AttemptFact, tries: readonly TryStory[]): DeliveryStory {
  const at = timeOf(last.id)
  if (last.outcome === 'sent') {
    return { id, state: 'sent', tries, words: `The provider took it at ${at}, at try ${last.token}.` }
  }
  const why = because(last.code ?? last.outcome, last.detail)
  const code = { code: last.code ?? last.outcome }
  if (!isFailure(last.outcome)) {
    return {
      ...code,
      id,
      state: 'unknown',
      tries,
      words: `Nothing is known after try ${last.token}: ${why}.`
    }
  }
  const words =
    last.outcome === 'gone'
      ? last.code === 'stopped'
        ? 'Nothing was sent: the number has asked for no more messages.'
        : `The provider does not know the address any more (${why}).`
      : `It died at ${at} (${why}), and its dead letter is gone.`
  return { ...code, id, state: 'failed', tries, words }
}

/** After these nothing is tried again. */
export const isFailure = (outcome: string): boolean => outcome === 'dead' || outcome === 'gone'

const because = (code: string, detail: string | null): string =>
  detail === null || detail === '' ? code : `${code}: ${detail.replace(/\.$/, '')}`

const CAME_TO: Readonly<Record<string, string>> = {
  dead: 'failed for good',
  gone: 'failed, because the address is gone',
  lost: 'never reported: its process ended',
  onward: 'fetched its files',
  pause: 'met a fault of the provider and does not count',
  retry: 'failed and is repeated',
  sent: 'was taken by the provider',
  uncertain: 'may have arrived'
}

function tryOf({ code, detail, id, outcome, ref, token, tookMs }: AttemptFact): TryStory {
  const at = timeOf(id)
  const why = code === null ? '' : ` (${because(code, detail)})`
  return {
    at,
    outcome,
    try: token,
    words: `Try ${token} at ${at} ${CAME_TO[outcome] ?? outcome}${why}.`,
    ...(code !== null && { code }),
    ...(detail !== null && { detail }),
    ...(ref !== null && { reference: ref }),
    ...(tookMs !== null && { tookMs })
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
