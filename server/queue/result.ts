// What follows from the outcome of a try for its row. For the queue: health.ts.

import { backoff } from './backoff.ts'
import type { Finish } from './finish.sql.ts'
import type { Claimed } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'

/** An outcome of a call, or a crash: our own fault, which says nothing about the provider. */
export type Ending =
  | Exclude<Outcome, { fate: 'late' }>
  | { readonly fate: 'crash'; readonly code: string; readonly detail: string }

export const crashOf = (error: unknown): Ending => ({
  code: 'crash',
  detail: error instanceof Error ? error.message : String(error),
  fate: 'crash'
})

/** The process ended while the provider was asked. */
export const STOPPED: Ending = { code: 'stopped', detail: 'The process stopped.', fate: 'uncertain' }

/** The process ended, or stood still, before it could say what the last try came to. */
export const LOST: Ending = { code: 'lost', detail: 'The last try never reported.', fate: 'dead' }

export const afterOf = (ending: Ending): number | undefined => ('after' in ending ? ending.after : undefined)

export interface Rules {
  readonly uncertain: 'retry' | 'dead'
  readonly random: () => number
  /** Milliseconds that the queue rests now. */
  readonly rest: number
}

/** The row's part of the report. */
export function endOf(
  { attemptsLeft }: Pick<Claimed, 'attemptsLeft'>,
  ending: Ending,
  { uncertain, random, rest }: Rules
): Pick<Finish, 'outcome' | 'code' | 'detail' | 'ref' | 'againIn' | 'refund' | 'bury' | 'onward'> {
  if (ending.fate === 'sent') {
    const { code, detail, ref } = ending
    return { outcome: 'sent', ref, ...(code !== undefined && { code, detail }) }
  }
  if (ending.fate === 'onward') {
    return { againIn: 0, detail: ending.detail, onward: ending.queue, outcome: 'onward' }
  }
  const { fate, code, detail } = ending
  if (fate === 'gone') return { code, detail, outcome: 'gone' }
  if (fate === 'pause') return { againIn: rest, code, detail, outcome: 'pause', refund: true }
  const again =
    fate === 'dead' || (fate === 'uncertain' && uncertain === 'dead')
      ? undefined
      : backoff(attemptsLeft, random, afterOf(ending))
  return again === undefined
    ? { bury: true, code, detail, outcome: 'dead' }
    : { againIn: again, code, detail, outcome: fate === 'crash' ? 'retry' : fate }
}
