// Reads what the log keeps of a send: its request, with which it can be sent again.

import { bucketOfId } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { addBroadcasts, loggedSends } from '../broadcast/logged-sends.sql.ts'
import type { Send } from '../send-request.ts'

export interface LoggedSend {
  readonly body: Send
  /** By channel. */
  readonly decisions: Readonly<Record<string, string>>
  /** Of the body as text. */
  readonly bytes: number
  /** As of {@link loggedSends}. */
  readonly itemOf: string | null
  /** Erasure epoch when the send was read (users/privacy/erasure-epoch.sql.ts). */
  readonly erasureEpoch: number
}

export async function readLoggedSend(db: Db, envId: string, id: string): Promise<LoggedSend | undefined> {
  const bucket = bucketOfId(id)
  const { sql } = db.of(bucket)
  const rows = await sql<LoggedSend[]>`
    select s.body, s.decisions, octet_length(s.body::text) as bytes, s.item_of as "itemOf",
      coalesce(e.epoch, 0) as "erasureEpoch"
    from ${loggedSends(sql)} s left join erasure_epochs e on e.bucket = s.bucket and e.env_id = s.env_id
    where s.bucket = ${bucket} and s.id = ${id} and s.env_id = ${envId}`
  return (await addBroadcasts(db, envId, rows))[0]
}
