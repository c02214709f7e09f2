// Makes the digests of a user due at once, after their preferences or time zone changed.

import type { UserKey } from '../core/id.ts'
import type { Fragment, Query } from '../db/db.ts'
import { MAX_ATTEMPTS } from './backoff.ts'

/**
 * Returns a statement, or a part of one, that makes the digest rows of the user due and ends their claims.
 *
 * @param zone - the new time zone of the user: digests that were planned in it stay. Default: all digests are due
 * @param where - a further condition; the rows are locked after it is known
 */
export const makeWaitingDue = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  zone?: string,
  where: Fragment = query`true`
): Fragment => query`
  update outbox o set run_at = now(), claim_count = case claim_count when 32767 then 1 else claim_count + 1 end,
    attempts_left = ${MAX_ATTEMPTS}, leased = false
  from (
    select bucket, id from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
      and (${zone ?? null}::text is null or body ->> 'zone' <> ${zone ?? null}) and ${where}
    order by bucket, key for update) mine
  where o.bucket = ${bucket} and o.bucket = mine.bucket and o.id = mine.id`
