// Makes the digests of a user due at once, as a part of a statement that changes what decides about them.

import type { UserKey } from '../core/id.ts'
import type { Fragment, Query } from '../db/db.ts'
import { TRIES } from './backoff.ts'

/**
 * After what decides about a user's digests was changed, as a statement or a part of one: its heads are due at once, to be
 * looked at again. Whoever has one of them in hand loses it.
 *
 * @param zone - the user's zone is this one now; those that were worked out in it stay. Absent: something else was changed
 * @param where - a further condition; the heads are locked after it is known
 */
export const revisiting = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  zone?: string,
  where: Fragment = query`true`
): Fragment => query`
  update outbox o set run_at = now(), claim_count = case claim_count when 32767 then 1 else claim_count + 1 end,
    attempts_left = ${TRIES}, leased = false
  from (
    select bucket, id from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
      and (${zone ?? null}::text is null or body ->> 'zone' <> ${zone ?? null}) and ${where}
    order by bucket, key for update) mine
  where o.bucket = ${bucket} and o.bucket = mine.bucket and o.id = mine.id`
