// Takes what was retracted out of the digests that wait. Lock order: heads by key, items, log.

import type { UserKey } from '../../core/id.ts'
import type { Group, Tx } from '../../db/db.ts'
import { logFates } from './digest-log.sql.ts'

/** @returns tracking ids of what waits no more. An empty head ends by itself when its time comes */
export async function retractWaiting(
  tx: Tx,
  group: Group,
  { bucket, envId, userId, notificationId, subId = null }: UserKey & Retracted
): Promise<string[]> {
  await tx`
    select from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'DIGEST'
      and body ->> 'notificationId' = ${notificationId}
    order by bucket, key for update`
  const gone = await tx<{ id: string; channel: string }[]>`
    delete from digest_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}
      and (${subId}::text is null or sub_id = ${subId})
    returning id, channel`
  await logFates(
    tx,
    group,
    gone.map(({ channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
  return [...new Set(gone.map(({ id }) => id))]
}

interface Retracted {
  readonly notificationId: string
  /** Absent: all of the type. */
  readonly subId?: string | null
}
