// Queues that an operator has paused, until a time or until somebody resumes them.

import type { Query } from '../../db/db.ts'
import type { QueueName } from '../queues.ts'

export interface QueuePause {
  readonly queue: QueueName
  /** Name of the operator in the audit log. */
  readonly by: string
  readonly since: Date
  /** Null: until it is resumed. */
  readonly until: Date | null
}

const columns = (query: Query) => query`queue, paused_by as by, paused_at as since, until`

/** Returns the pauses that have not ended. */
export const readPauses = (query: Query): Promise<QueuePause[]> => query<QueuePause[]>`
  select ${columns(query)} from queue_pauses where until is null or until > now()`

/** Pauses a queue. One that is paused keeps its beginning, and gets the new end. */
export async function writePause(
  query: Query,
  { by, queue, until }: Pick<QueuePause, 'by' | 'queue' | 'until'>
): Promise<QueuePause> {
  const [row] = await query<QueuePause[]>`
    insert into queue_pauses as p (queue, paused_by, until) values (${queue}, ${by}, ${until})
    on conflict (queue) do update set paused_by = excluded.paused_by, until = excluded.until,
      paused_at = case when p.until <= now() then now() else p.paused_at end
    returning ${columns(query)}`
  return row!
}

export async function deletePause(query: Query, queue: QueueName): Promise<void> {
  await query`delete from queue_pauses where queue = ${queue}`
}
