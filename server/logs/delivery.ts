// What became of each delivery of a channel, try by try: pure, from what is kept about it.

import { toChannel } from '../queue/queues.ts'
import { timeOf, type AttemptFact, type Facts, type WaitingFact } from './facts.ts'

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
  readonly attemptsLeft?: number
  /** Of the dead letter, or of the last failed try. */
  readonly code?: string
  /** There is one, to be redriven or dropped. */
  readonly deadLetter?: true
  readonly tries: readonly TryStory[]
  readonly words: string
}

/** Of any delivery that failed, of any that waits, of any that was sent, in this order. */
export const stateOf = (deliveries: readonly DeliveryStory[]): State =>
  (['failed', 'waiting', 'sent'] as const).find(state => deliveries.some(one => one.state === state)) ??
  'unknown'

export function deliveriesOf({ attempts, dead, waiting }: Facts, channel: string): DeliveryStory[] {
  const mine = attempts.filter(attempt => attempt.channel === channel)
  const rows = waiting.filter(({ queue }) => toChannel(queue) === channel)
  const letters = dead.filter(({ queue }) => toChannel(queue) === channel)
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
  { id, leased, runAt, attemptsLeft }: WaitingFact,
  tries: readonly TryStory[]
): DeliveryStory {
  const nextAt = runAt.toISOString()
  const when = leased ? 'It is being tried right now' : `It waits for its next try at ${nextAt}`
  const last = tries.at(-1)
  const after = last ? `; try ${last.try} came to: ${last.outcome}${last.code ? ` (${last.code})` : ''}` : ''
  return { id, nextAt, state: 'waiting', tries, attemptsLeft, words: `${when}${after}.` }
}

function endedStory(id: string, last: AttemptFact, tries: readonly TryStory[]): DeliveryStory {
  const at = timeOf(last.id)
  if (last.outcome === 'sent') {
    return { id, state: 'sent', tries, words: `The provider took it at ${at}, at try ${last.claimCount}.` }
  }
  const why = because(last.code ?? last.outcome, last.detail)
  const code = { code: last.code ?? last.outcome }
  if (!isFailure(last.outcome)) {
    return {
      ...code,
      id,
      state: 'unknown',
      tries,
      words: `Nothing is known after try ${last.claimCount}: ${why}.`
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

/** A code with what was said about it. */
export const because = (code: string, detail: string | null): string =>
  detail === null || detail === '' ? code : `${code}: ${detail.replace(/\.$/, '')}`

const CAME_TO: Readonly<Record<string, string>> = {
  dead: 'failed for good',
  gone: 'failed, because the address is gone',
  lost: 'never reported: its process ended',
  forwarded: 'fetched its files',
  pause: 'met a fault of the provider and does not count',
  retry: 'failed and is repeated',
  sent: 'was taken by the provider',
  uncertain: 'may have arrived'
}

function tryOf({ code, detail, id, outcome, ref, claimCount, tookMs }: AttemptFact): TryStory {
  const at = timeOf(id)
  const why = code === null ? '' : ` (${because(code, detail)})`
  return {
    at,
    outcome,
    try: claimCount,
    words: `Try ${claimCount} at ${at} ${CAME_TO[outcome] ?? outcome}${why}.`,
    ...(code !== null && { code }),
    ...(detail !== null && { detail }),
    ...(ref !== null && { reference: ref }),
    ...(tookMs !== null && { tookMs })
  }
}
