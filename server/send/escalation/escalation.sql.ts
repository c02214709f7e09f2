// Retracts channels that wait for the delay of their type.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { inGroup, unnest } from '../../db/sql-helpers.ts'
import { writeDigestLog } from '../digest/digest-log.sql.ts'

interface Retraction extends UserKey {
  readonly notificationId: string
  /** Default: all sends of the type. */
  readonly subId?: string | null
}

/** Locks these rows before digest rows, as the job of the queue ESCALATE does. @returns tracking ids of the sends */
export async function retractDelays(
  tx: Tx,
  group: DatabaseGroup,
  { bucket, envId, userId, notificationId, subId = null }: Retraction
): Promise<string[]> {
  const deleted = await tx<{ id: string; channel: string }[]>`
    delete from outbox
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and queue = 'ESCALATE'
      and body ->> 'notificationId' = ${notificationId}
      and (${subId}::text is null or coalesce(body #>> '{send,subNotificationId}', '') = ${subId})
    returning send_id as id, body ->> 'channel' as channel`
  await writeDigestLog(
    tx,
    group,
    deleted.map(({ channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
  return [...new Set(deleted.map(({ id }) => id))]
}

/** Likewise, of single sends of any number of users. @param sends - ids are tracking ids */
export async function retractDelaysOf(
  tx: Tx,
  group: DatabaseGroup,
  sends: readonly { readonly bucket: number; readonly id: string }[]
): Promise<void> {
  const deleted = await tx<{ bucket: number; id: string; channel: string }[]>`
    delete from outbox o using ${unnest(tx, 'r', sends, { bucket: 'smallint', id: 'uuid' })}
    where ${inGroup(group, 'o')} and o.bucket = r.bucket and o.send_id = r.id and o.queue = 'ESCALATE'
    returning o.bucket, o.send_id as id, o.body ->> 'channel' as channel`
  await writeDigestLog(
    tx,
    group,
    deleted.map(({ bucket, channel, id }) => ({ bucket, channel, decision: 'retracted', id }))
  )
}
