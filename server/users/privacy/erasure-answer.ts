// What an erasure tells: its caller, and the open pages of the user.

import type { UserKey } from '../../core/id.ts'
import type { LiveUpdates } from '../../core/live-updates.ts'
import type { DeliveriesInProgress, ErasureProof } from './personal-data.sql.ts'

export const toBody = ({ id, erasedAt, redacted, removed }: ErasureProof) => ({
  erasedAt: erasedAt.toISOString(),
  erasureId: id,
  redacted,
  removed
})

export const toUnderWay = ({ deliveries, until }: DeliveriesInProgress) => ({
  underWay: { deliveries, until: until.toISOString() }
})

/** Open pages start again with an empty inbox. @param last - version of the deleted inbox */
export function publishErasure(
  live: LiveUpdates,
  { envId, userId }: UserKey,
  last: number | undefined
): void {
  if (last === undefined) return
  // No client has this version, so all of them read the changes, and get a reset.
  const version = last + 1
  const counts = { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }
  live.publish([{ change: { counts, items: [], prev: version, removed: [], version }, envId, userId }])
}
