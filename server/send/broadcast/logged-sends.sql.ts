// Reads sends of the log, which have two forms. Most sends have a row in `sends`. A send of a broadcast that only added an item to the
// inbox has none: its item names the user, the type and the broadcast, and the task of the broadcast contains what was sent.
//
// Searches by user or tracking id find both forms. Lists of a whole environment read `sends` only, because a million equal sends say no
// more than their broadcast.

import type { Db, Fragment, Query } from '../../db/db.ts'
import { BROADCAST } from '../../environments/tasks/tasks.sql.ts'

/**
 * Returns the table expression with the columns of `sends` and `item_of`: the broadcast of a send without a row, otherwise null.
 *
 * `is_logged` is a condition on the whole, because Postgres would use no index for the rows of a join if a part of the union had
 * conditions of its own.
 */
export const loggedSends = (query: Query): Fragment => query`(
  select * from (
    select bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, details, warnings, digests,
      null::uuid as item_of, true as is_logged
    from sends
    union all
    select bucket, id, env_id, user_id, notification_id, sub_id,
      jsonb_build_object('type', notification_id, 'to', jsonb_build_object('id', user_id), 'broadcastId', broadcast_id)
        || case when sub_id = '' then '{}'::jsonb else jsonb_build_object('subNotificationId', sub_id) end,
      '{"INAPP_WEB":"sent"}'::jsonb, null::jsonb, '[]'::jsonb, null::jsonb, broadcast_id, broadcast_id is not null
    from inbox_items) both_forms
  where is_logged)`

interface LoggedBody {
  readonly body: object
  /** Of the body as text. */
  readonly bytes: number
  /** Broadcast of a send without a row; null: the body is whole. */
  readonly itemOf: string | null
}

/** Adds to the bodies of sends without rows what their broadcasts sent. */
export async function addBroadcasts<S extends LoggedBody>(
  { control }: Pick<Db, 'control'>,
  envId: string,
  sends: readonly S[]
): Promise<readonly S[]> {
  const ids = new Set(sends.flatMap(({ itemOf }) => itemOf ?? []))
  if (ids.size === 0) return sends
  const rows = await control<{ id: string; send: object; bytes: number }[]>`
    select id, input -> 'send' as send, octet_length((input -> 'send')::text) as bytes from tasks
    where env_id = ${envId} and kind = ${BROADCAST} and id = any(${[...ids]}::uuid[])`
  const broadcasts = new Map(rows.map(row => [row.id, row]))
  return sends.map(send => {
    const broadcast = broadcasts.get(send.itemOf ?? '')
    return broadcast
      ? { ...send, body: { ...broadcast.send, ...send.body }, bytes: send.bytes + broadcast.bytes }
      : send
  })
}
