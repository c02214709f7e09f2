// The smallest question that every database must answer.

import type { Db } from '../db/db.ts'

/** When all of them have answered. `read-only`: one takes nothing new, such as a standby before it is promoted. */
export async function ping(db: Db): Promise<'ok' | 'read-only'> {
  const answers = await Promise.all(
    [db.control, ...db.groups.map(group => group.sql)].map(
      sql => sql<{ fixed: boolean }[]>`select current_setting('transaction_read_only')::boolean as fixed`
    )
  )
  return answers.some(([row]) => row!.fixed) ? 'read-only' : 'ok'
}
