// Refuses a send that was read from the log, if a user was erased since: it may contain erased data.

import { Problem } from '../../http/problem.ts'
import type { Contact } from '../../users/users.sql.ts'

/**
 * A contact of the cache is not checked here, because the write checks its epoch (sends.sql.ts) and reads it again.
 *
 * @param epoch - erasure epoch when the send was read; undefined if it came with the request
 * @throws Problem
 */
export function checkErasureEpoch(
  epoch: number | undefined,
  { erasureEpoch, isCached }: Pick<Contact, 'erasureEpoch' | 'isCached'>
): void {
  if (epoch === undefined || isCached || epoch === erasureEpoch) return
  throw new Problem('unavailable', 'A user was erased at the same moment. Retry in 1 second.', {
    headers: { 'retry-after': '1' }
  })
}
