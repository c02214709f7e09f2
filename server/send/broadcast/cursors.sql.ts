// How far a broadcast is: the last user that it reached, and what became of its users. Written in the transaction that reaches them.

import type { DatabaseGroup, Db, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { Task } from '../../environments/tasks/task.ts'
import type { Cursor } from './audience.sql.ts'

/** `sent`: on at least one channel, now or later. `leftOut`: on none, by preferences or rules. `failed`: could not be sent. */
export interface BroadcastCounts {
  readonly sent: number
  readonly leftOut: number
  readonly failed: number
}

export const NO_COUNTS: BroadcastCounts = { failed: 0, leftOut: 0, sent: 0 }

export type CursorKey = Pick<Task, 'envId' | 'id'> & {
  /** First bucket of the range. */
  readonly bucket: number
}

/** Returns the cursor before the first user if the range has not begun. */
export async function readCursor(query: Query, { bucket, id }: CursorKey): Promise<Cursor> {
  const [row] = await query<{ cursor: Cursor | null }[]>`
    select cursor from task_progress where bucket = ${bucket} and task_id = ${id}`
  return row?.cursor ?? { bucket, userId: '' }
}

export interface CursorMove {
  readonly from: Cursor
  readonly to: Cursor
  /** Of the users between the two. */
  readonly counts: BroadcastCounts
}

/**
 * Moves the cursor of a range, in the transaction that writes the sends to the users that it passes. The row stays locked until then, so
 * that of two processes one moves it. The counts are made of text, because Citus changes a row only by immutable functions of its columns.
 *
 * @returns false if the range is not at `from` any more
 */
export async function moveCursor(
  tx: Tx,
  { bucket, envId, id }: CursorKey,
  move: CursorMove
): Promise<boolean> {
  const { failed, leftOut, sent } = move.counts
  const moved = await tx`
    insert into task_progress as p (bucket, task_id, env_id, done, cursor, counts)
    values (${bucket}, ${id}, ${envId}, ${sent + leftOut + failed}, ${JSON.stringify(move.to)}::text::jsonb,
      jsonb_build_object('sent', ${sent}::integer, 'leftOut', ${leftOut}::integer, 'failed', ${failed}::integer))
    on conflict (bucket, task_id) do update set done = p.done + excluded.done, cursor = excluded.cursor,
      counts = ('{"sent":' || ((p.counts ->> 'sent')::integer + ${sent}::integer)::text
        || ',"leftOut":' || ((p.counts ->> 'leftOut')::integer + ${leftOut}::integer)::text
        || ',"failed":' || ((p.counts ->> 'failed')::integer + ${failed}::integer)::text || '}')::jsonb
      where p.cursor = ${JSON.stringify(move.from)}::text::jsonb`
  return moved.count === 1
}

/** Returns the sums over all ranges, by id of the broadcast. */
export async function readCounts(
  db: Pick<Db, 'groups'>,
  ids: readonly string[]
): Promise<ReadonlyMap<string, BroadcastCounts>> {
  const found = await Promise.all(db.groups.map(group => readGroupCounts(group.sql, group, ids)))
  const sums = new Map<string, BroadcastCounts>()
  for (const { failed, id, leftOut, sent } of found.flat()) {
    const sum = sums.get(id) ?? NO_COUNTS
    sums.set(id, {
      failed: sum.failed + failed,
      leftOut: sum.leftOut + leftOut,
      sent: sum.sent + sent
    })
  }
  return sums
}

const readGroupCounts = (query: Query, group: DatabaseGroup, ids: readonly string[]) =>
  query<({ id: string } & BroadcastCounts)[]>`
    select task_id as id, coalesce(sum((counts ->> 'sent')::integer), 0)::integer as sent,
      coalesce(sum((counts ->> 'leftOut')::integer), 0)::integer as "leftOut",
      coalesce(sum((counts ->> 'failed')::integer), 0)::integer as failed
    from task_progress
    where ${inGroup(group)} and task_id = any(${ids as string[]}::uuid[]) group by task_id`
