// Removes retracted notifications from pending digests. Lock order: digest rows by key, items, log.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { writeDigestLog } from './digest-log.sql.ts'

interface Retraction extends UserKey {
  readonly notificationId: string
  /** Default: all items of the type. */
  readonly subId?: string | null
}

/** @returns tracking ids of the removed items. A digest row without items deletes itself when it is due */
export async function retractDigestItems(
  tx: Tx,
  group: DatabaseGroup,
  { bucket, envId, userId, notificationId, subId = null }: Retraction
): Promise<string[]> {
  await tx`
    select from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
      and body ->> 'notificationId' = ${notificationId}
    order by bucket, key for update`
  const deleted = await tx<{ id: string; channel: string }[]>`
    delete from digest_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}
      and (${subId}::text is null or sub_id = ${subId})
    returning id, channel`
  await writeDigestLog(
    tx,
    group,
    deleted.map(({ channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
  return [...new Set(deleted.map(({ id }) => id))]
}
