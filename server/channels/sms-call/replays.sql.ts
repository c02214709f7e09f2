// Signatures of handled callbacks, so that a recorded callback cannot be sent again. All nodes share them.
//
// The signature is the key, because it is the same for every replay: two of the providers sign no time, one signs no body of
// messages, and one signs the fields without separators, so that they can be divided otherwise.

import { sha256 } from '../../core/hash.ts'
import type { Db } from '../../db/db.ts'

const BATCH_SIZE = 1000

/** @param graceSeconds - age at which a handled callback becomes a replay: the provider may not have received the answer */
export async function isReplay(db: Db, signature: Buffer, graceSeconds: number): Promise<boolean> {
  const found = await db.control`
    select from handled_callbacks
    where hash = ${sha256(signature)} and handled_at <= now() - ${graceSeconds} * interval '1 second'`
  return found.count > 0
}

/** Called after the work: a provider that repeats a callback whose work failed is not refused. */
export async function recordHandled(db: Db, signature: Buffer, retentionDays: number): Promise<void> {
  await db.control`
    insert into handled_callbacks (hash, expires_at)
    values (${sha256(signature)}, now() + ${retentionDays} * interval '1 day')
    on conflict (hash) do nothing`
}

/** @returns how many were deleted; call again until it is 0 */
export async function deleteExpiredCallbacks(db: Db): Promise<number> {
  const gone = await db.control`
    delete from handled_callbacks
    where hash = any(array(select hash from handled_callbacks where expires_at < now() order by expires_at limit ${BATCH_SIZE}))`
  return gone.count
}
