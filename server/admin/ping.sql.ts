// Checks that every database answers, and whether it accepts writes.

import type { Db } from '../db/db.ts'

/** @returns `read-only` if a database accepts no writes, such as a standby that is not promoted */
export async function ping(db: Db): Promise<'ok' | 'read-only'> {
  const answers = await Promise.all(
    db.groups.map(
      ({ health }) =>
        health<
          { isReadOnly: boolean }[]
        >`select current_setting('transaction_read_only')::boolean as "isReadOnly"`
    )
  )
  return answers.some(([row]) => row!.isReadOnly) ? 'read-only' : 'ok'
}
