// What became of the users of a chunk: how many were reached, and whose sends need a row of the log.

import type { PreparedSend } from '../accept/prepared-send.ts'
import type { SendRow } from '../accept/sends.sql.ts'
import { describeDecision, isOutgoing, type Decision } from '../plan/decision.ts'
import type { BroadcastCounts } from './cursors.sql.ts'

/** A send, or one that failed before it was planned: it is logged with the reason. */
export type ChunkSend = Pick<
  PreparedSend,
  'answer' | 'digests' | 'item' | 'newTopic' | 'outbox' | 'rateControlled'
> & {
  readonly row: SendRow
  readonly hasFailed?: true
}

/** After rate control. */
export const countOutcomes = (sends: readonly ChunkSend[]): BroadcastCounts => {
  const failed = sends.filter(({ hasFailed }) => hasFailed).length
  const sent = sends.filter(({ row }) => [...row.decisions.values()].some(isOutgoing)).length
  return { failed, leftOut: sends.length - sent - failed, sent }
}

/** Decisions that follow from the type and the content of a broadcast, so they are the same for all its users. */
const OF_BROADCAST: ReadonlySet<Decision> = new Set(['no-template', 'not-in-type'])

/**
 * Names the broadcast in the inbox item, so that the send gets no row in the log, if nothing else happened for this user. Otherwise
 * returns the send unchanged. Called after rate control.
 *
 * @param warnings - of the broadcast itself
 */
export function withoutRow(send: ChunkSend, broadcastId: string, warnings: readonly string[]): ChunkSend {
  const { item, row } = send
  if (!item || row.details?.size) return send
  const known = new Set(warnings)
  for (const [channel, decision] of row.decisions) {
    if (channel === 'INAPP_WEB') continue
    if (!OF_BROADCAST.has(decision)) return send
    known.add(describeDecision(decision, channel, row.notificationId)!)
  }
  return row.warnings.every(warning => known.has(warning))
    ? { ...send, item: { ...item, broadcastId } }
    : send
}

export const hasRow = ({ item }: ChunkSend): boolean => item?.broadcastId === undefined
