// Applies rate control to the sends of a transaction: lets them pass, or replaces them by suppressed sends.
//
// Most types have no rules; their sends cost no statement here.

import type { Channel } from '#protocol'

import type { DatabaseGroup, Tx } from '../../db/db.ts'
import type { Answer } from '../../http/route.ts'
import { sendAnswer } from '../accept/prepared-send.ts'
import type { SendRow } from '../accept/sends.sql.ts'
import { describeDecision, isOutgoing, type Decision } from '../plan/decision.ts'
import {
  lockRateCounters,
  saveRateCounters,
  type ChangedRateCounter,
  type RateCounterKey
} from './rate-control.sql.ts'
import {
  expiryTime,
  filterWithinWindow,
  type RateControlled,
  type RateRule,
  type SuppressionReason
} from './rate-control.ts'

type LogColumns = Pick<SendRow, 'id' | 'decisions' | 'details' | 'warnings'>

interface Candidate {
  readonly row: LogColumns
  readonly rateControlled?: RateControlled
}

/** A send that rate control stopped: it is logged, and nothing is delivered. */
interface SuppressedSend<R> {
  readonly answer: Answer
  readonly outbox: readonly []
  readonly row: R
}

/**
 * Locks the counters of the sends until the transaction ends.
 *
 * @param sends - in the order in which they arrived
 * @param isCounted - false for a send that another request has written already
 */
export async function applyRateControl<S extends Candidate>(
  tx: Tx,
  group: DatabaseGroup,
  sends: readonly S[],
  isCounted: (send: S, index: number) => boolean = () => true
): Promise<(S | SuppressedSend<S['row']>)[]> {
  const controlled = sends.map((send, i) => (isCounted(send, i) ? send.rateControlled : undefined))
  const reasons = await findReasons(tx, group, controlled)
  return sends.map((send, i) => {
    const reason = reasons[i]
    return reason === undefined ? send : suppress(send.row, controlled[i]!.notificationId, reason)
  })
}

function suppress<R extends LogColumns>(
  row: R,
  notificationId: string,
  reason: SuppressionReason
): SuppressedSend<R> {
  const decisions = new Map<Channel, Decision>()
  const warnings = [...row.warnings]
  for (const [channel, decision] of row.decisions) {
    decisions.set(channel, isOutgoing(decision) ? reason : decision)
    if (isOutgoing(decision)) warnings.push(describeDecision(reason, channel, notificationId)!)
  }
  return { answer: sendAnswer(row.id, warnings, false), outbox: [], row: { ...row, decisions, warnings } }
}

/** @returns for each send the reason to suppress it, or undefined if it passes */
async function findReasons(
  tx: Tx,
  group: DatabaseGroup,
  sends: readonly (RateControlled | undefined)[]
): Promise<(SuppressionReason | undefined)[]> {
  const all = sends.flatMap(send => send?.rules.map(rule => counterKey(send, rule)) ?? [])
  if (all.length === 0) return []
  const keys = new Map(all.map(key => [keyText(key), key]))
  const counters = new Map(
    (await lockRateCounters(tx, [...keys.values()])).map(counter => [keyText(counter), { ...counter }])
  )
  const changed = new Map<string, ChangedRateCounter>()
  const reasons = sends.map(send => {
    if (!send) return undefined
    const checks = send.rules.map(rule => {
      const key = keyText(counterKey(send, rule))
      const counter = counters.get(key)!
      return { counter, key, rule, sentAt: filterWithinWindow(counter.sentAt, rule.window, counter.now) }
    })
    const exceeded = checks.find(({ rule, sentAt }) => sentAt.length >= rule.maxCount)
    if (exceeded) return exceeded.rule.reason
    for (const { counter, key, rule, sentAt } of checks) {
      counter.sentAt = [...sentAt, counter.now]
      changed.set(key, { ...counter, expiresAt: expiryTime(rule.window, counter.now) })
    }
    return undefined
  })
  if (changed.size > 0) await saveRateCounters(tx, group, [...changed.values()])
  return reasons
}

const keyText = ({ bucket, envId, userId, notificationId, contentHash }: RateCounterKey): string =>
  JSON.stringify([bucket, envId, userId, notificationId, contentHash])

const counterKey = (
  { bucket, envId, userId, notificationId }: RateControlled,
  { contentHash }: RateRule
): RateCounterKey => ({ bucket, contentHash, envId, notificationId, userId })
