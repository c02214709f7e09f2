// Explains what became of each delivery of a channel, attempt by attempt. Pure: reads the delivery facts only.

import type { Attempt, ChannelExplanation, DeliveryState, MessageText } from '../client/logs.ts'
import { toChannel } from '../queue/queues.ts'
import { describeHold } from '../users/preferences/hold.ts'
import { toLoggedAddress } from './address.ts'
import {
  isoTimeOfId,
  queuedChannel,
  type AttemptFacts,
  type DeadLetterFacts,
  type DeliveryFacts,
  type QueuedFacts
} from './delivery-facts.ts'

type DeliveryExplanation = ChannelExplanation['deliveries'][number]

/** @returns failed if one delivery failed, else waiting if one waits, held if one is held, sent if one was sent */
export const combineStates = (deliveries: readonly DeliveryExplanation[]): DeliveryState =>
  (['failed', 'waiting', 'held', 'sent'] as const).find(state =>
    deliveries.some(one => one.state === state)
  ) ?? 'unknown'

/** After these outcomes there is no further attempt. */
export const isFailure = (outcome: string): boolean => outcome === 'dead' || outcome === 'gone'

export const formatReason = (code: string, detail: string | null): string =>
  detail === null || detail === '' ? code : `${code}: ${detail.replace(/\.$/, '')}`

export function explainDeliveries(
  { attempts, deadLetters, queued }: DeliveryFacts,
  channel: string
): DeliveryExplanation[] {
  const channelAttempts = attempts.filter(attempt => attempt.channel === channel)
  const rows = queued.filter(row => queuedChannel(row) === channel)
  const letters = deadLetters.filter(({ queue }) => toChannel(queue) === channel)
  const ids = new Set([
    ...channelAttempts.map(attempt => attempt.deliveryId),
    ...rows.map(row => row.id),
    ...letters.map(letter => letter.id)
  ])
  return [...ids].map(id => {
    const facts = channelAttempts.filter(attempt => attempt.deliveryId === id)
    const row = rows.find(one => one.id === id)
    const letter = letters.find(one => one.id === id)
    const message = describeMessage(channel, facts, row?.to ?? letter?.to)
    return Object.assign(explainState(id, facts, row, letter), message)
  })
}

/** What an attempt calls. */
type Receiver = 'back end' | 'provider'

export function explainState(
  id: string,
  facts: readonly AttemptFacts[],
  row: QueuedFacts | undefined,
  letter: DeadLetterFacts | undefined,
  receiver: Receiver = 'provider'
): DeliveryExplanation {
  const attempts = facts.map(attempt => explainAttempt(attempt, receiver))
  if (row) return explainQueued(row, attempts)
  if (!letter) return explainEnded(id, facts.at(-1)!, attempts, receiver)
  const { code, detail, diedAt } = letter
  const explanation = `It is a dead letter since ${diedAt.toISOString()} (${formatReason(code, detail)}).`
  return { attempts, code, deadLetter: true, explanation, id, state: 'failed' }
}

/** Where the message goes or went, and what it said. A redriven message has several last attempts; the latest counts. */
function describeMessage(
  channel: string,
  attempts: readonly AttemptFacts[],
  waitingTo: string | null | undefined
): Pick<DeliveryExplanation, 'content' | 'to'> {
  const last = attempts.findLast(({ address }) => typeof address === 'string')
  const to = waitingTo ?? last?.address
  return {
    ...(typeof to === 'string' && { to: toLoggedAddress(channel, to) }),
    ...(typeof last?.content === 'string' && { content: toContent(last.subject, last.content) })
  }
}

export const toContent = (
  subject: string | null | undefined,
  text: string | null | undefined
): MessageText => ({
  ...(typeof subject === 'string' && { subject }),
  text: text ?? ''
})

function explainQueued(
  { attemptsLeft, held, id, isLeased, runAt }: QueuedFacts,
  attempts: readonly Attempt[]
): DeliveryExplanation {
  if (held) {
    const nextAt = held.until === null ? undefined : new Date(held.until).toISOString()
    const explanation = `It is held ${describeHold(held)}.`
    return { attempts, attemptsLeft, explanation, id, state: 'held', ...(nextAt !== undefined && { nextAt }) }
  }
  const nextAt = runAt.toISOString()
  const now = isLeased ? 'An attempt is in progress' : `It waits for its next attempt, due at ${nextAt}`
  const last = attempts.at(-1)
  const before = last
    ? `; outcome of attempt ${last.attempt}: ${last.outcome}${last.code ? ` (${last.code})` : ''}`
    : ''
  return { attempts, attemptsLeft, explanation: `${now}${before}.`, id, nextAt, state: 'waiting' }
}

function explainEnded(
  id: string,
  last: AttemptFacts,
  attempts: readonly Attempt[],
  receiver: Receiver
): DeliveryExplanation {
  const at = isoTimeOfId(last.id)
  if (last.outcome === 'sent') {
    const explanation = `The ${receiver} accepted it at ${at}, with attempt ${last.claimCount}.`
    return { attempts, explanation, id, state: 'sent' }
  }
  const code = last.code ?? last.outcome
  const reason = formatReason(code, last.detail)
  if (!isFailure(last.outcome)) {
    const explanation = `Nothing is known after attempt ${last.claimCount}: ${reason}.`
    return { attempts, code, explanation, id, state: 'unknown' }
  }
  return { attempts, code, explanation: explainFailure(last, at, reason), id, state: 'failed' }
}

function explainFailure({ code, outcome }: AttemptFacts, at: string, reason: string): string {
  if (outcome !== 'gone') return `It failed for good at ${at} (${reason}), and its dead letter was deleted.`
  return code === 'stopped'
    ? 'Nothing was sent: the user of this number has opted out of messages.'
    : `The provider no longer knows the address (${reason}).`
}

const outcomesOf = (receiver: Receiver): Readonly<Record<string, string>> => ({
  dead: 'failed for good',
  gone: 'failed, because the address no longer exists',
  lost: 'was never reported: its process ended',
  forwarded: 'fetched the attachments',
  pause: `met a fault of the ${receiver} and does not count`,
  retry: 'failed and is repeated',
  sent: `was accepted by the ${receiver}`,
  uncertain: 'may have arrived'
})
const OUTCOMES = { 'back end': outcomesOf('back end'), provider: outcomesOf('provider') }

function explainAttempt(facts: AttemptFacts, receiver: Receiver): Attempt {
  const { claimCount, code, detail, outcome, providerRef, tookMs } = facts
  const at = isoTimeOfId(facts.id)
  const reason = code === null ? '' : ` (${formatReason(code, detail)})`
  return {
    at,
    attempt: claimCount,
    explanation: `Attempt ${claimCount} at ${at} ${OUTCOMES[receiver][outcome] ?? outcome}${reason}.`,
    outcome,
    ...(code !== null && { code }),
    ...(detail !== null && { detail }),
    ...(providerRef !== null && { reference: providerRef }),
    ...(tookMs !== null && { tookMs })
  }
}
