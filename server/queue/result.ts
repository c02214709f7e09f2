// Decides what follows from the outcome of an attempt for its row. observe-outcome.ts decides for the queue.

import { computeBackoffMs } from './backoff.ts'
import type { AttemptResult } from './finish.sql.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'

/** An outcome of a call, or an error of this server's code, which says nothing about the provider. */
export type AttemptOutcome =
  | Exclude<Outcome, { kind: 'late' }>
  | { readonly kind: 'crash'; readonly code: string; readonly detail: string }

export const toCrash = (error: unknown): AttemptOutcome => ({
  code: 'crash',
  detail: error instanceof Error ? error.message : String(error),
  kind: 'crash'
})

/** The process stopped during the call. */
export const STOPPED_OUTCOME: AttemptOutcome = {
  code: 'stopped',
  detail: 'The process stopped.',
  kind: 'uncertain'
}

/** The process that made the last attempt wrote no result. */
export const LOST_OUTCOME: AttemptOutcome = {
  code: 'lost',
  detail: 'The last attempt has no result.',
  kind: 'dead'
}

export const readRetryAfterMs = (outcome: AttemptOutcome): number | undefined =>
  'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined

export interface ResultRules {
  readonly whenUncertain: 'retry' | 'dead'
  readonly random: () => number
  readonly pauseLeftMs: number
}

/** What an outcome decides; the worker adds the row and the time. */
type Decision = Pick<
  AttemptResult,
  | 'outcome'
  | 'code'
  | 'content'
  | 'detail'
  | 'ref'
  | 'retryInMs'
  | 'isAttemptReturned'
  | 'isDeadLetter'
  | 'forwardTo'
>

export function toResult(
  { attemptsLeft }: Pick<ClaimedRow, 'attemptsLeft'>,
  outcome: AttemptOutcome,
  { whenUncertain, random, pauseLeftMs }: ResultRules
): Decision {
  if (outcome.kind === 'sent') {
    const { code, content, detail, ref } = outcome
    return { content, outcome: 'sent', ref, ...(code !== undefined && { code, detail }) }
  }
  if (outcome.kind === 'forwarded') {
    return { detail: outcome.detail, forwardTo: outcome.queue, outcome: 'forwarded', retryInMs: 0 }
  }
  const { kind, code, detail } = outcome
  const content = 'content' in outcome ? outcome.content : undefined
  if (kind === 'gone') return { code, content, detail, outcome: 'gone' }
  if (kind === 'pause')
    return { code, detail, isAttemptReturned: true, outcome: 'pause', retryInMs: pauseLeftMs }
  const isFinal = kind === 'dead' || (kind === 'uncertain' && whenUncertain === 'dead')
  const retryInMs = isFinal ? undefined : computeBackoffMs(attemptsLeft, random, readRetryAfterMs(outcome))
  return retryInMs === undefined
    ? { code, content, detail, isDeadLetter: true, outcome: 'dead' }
    : { code, detail, outcome: kind === 'crash' ? 'retry' : kind, retryInMs }
}
