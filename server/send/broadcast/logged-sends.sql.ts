// The sends of the log in both of their forms. A send has a row of its own, but for the users of a broadcast whose inbox item is all
// that came of it: there the item says user, type and broadcast, and the broadcast, which stands once, says what was sent.
//
// The second form is found by user or tracking id. Reads of a whole environment see the rows only: a million equal sends say no more
// than their broadcast.

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

/** Completes the bodies of sends without rows by what their broadcasts say. */
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
