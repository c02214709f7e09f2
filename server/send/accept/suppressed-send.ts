// What is left of a send that did not pass its gates: its place in the log, and an answer that says so.

import type { Channel } from '#protocol'

import type { Answer } from '../../http/route.ts'
import { isOut, sentenceOf, type Decision } from '../plan/decision.ts'
import type { Held } from '../rate-control/rate-control.ts'
import { answerOf } from './prepared-send.ts'
import type { SendRow } from './sends.sql.ts'

type Columns = Pick<SendRow, 'decisions' | 'warnings'>

export interface HeldBack<R> {
  readonly answer: Answer
  readonly outbox: readonly []
  readonly row: R
}

/** @param row - as it would have been logged. @param type - id of the type, for the sentence */
export function heldBack<R extends Columns & Pick<SendRow, 'id'>>(
  row: R,
  type: string,
  held: Held
): HeldBack<R> {
  const decisions = JSON.parse(row.decisions) as Partial<Record<Channel, Decision>>
  const messages = JSON.parse(row.warnings) as string[]
  for (const [channel, decision] of Object.entries(decisions) as [Channel, Decision][]) {
    if (!isOut(decision)) continue
    decisions[channel] = held
    messages.push(sentenceOf(held, channel, type)!)
  }
  const columns = { decisions: JSON.stringify(decisions), warnings: JSON.stringify(messages) }
  return { answer: answerOf(row.id, messages, false), outbox: [], row: { ...row, ...columns } }
}
