// Makes what waits for a user due at once, after their settings changed: digests, and held messages. Their jobs decide anew.

import type { UserKey } from '../core/id.ts'
import type { Fragment, Query } from '../db/db.ts'
import { MAX_ATTEMPTS } from './backoff.ts'

export interface Revisit {
  /** The new time zone of the user: digests that were planned in it stay. Default: all digests are due. */
  readonly zone?: string | undefined
  /** Whether held messages are due too. Preferences of types do not hold messages. Default: false. */
  readonly includesHeld?: boolean
  /** A further condition; the rows are locked after it is known. */
  readonly where?: Fragment
}

/** Returns a statement, or a part of one, that makes the waiting rows of the user due and ends their claims. */
export const makeWaitingDue = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  { zone, includesHeld = false, where = query`true` }: Revisit = {}
): Fragment => query`
  update outbox o set run_at = now(), claim_count = case when claim_count = 32767 then 1 else claim_count + 1 end,
    attempts_left = ${MAX_ATTEMPTS}, leased = false
  from (
    select bucket, id from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      and ${includesHeld ? query`queue in ('DIGEST', 'HELD')` : query`queue = 'DIGEST'`}
      and (${zone ?? null}::text is null or queue <> 'DIGEST' or body ->> 'zone' <> ${zone ?? null}) and ${where}
    order by bucket, key, id for update) mine
  where o.bucket = ${bucket} and o.bucket = mine.bucket and o.id = mine.id`
