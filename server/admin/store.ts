// The smallest question that every database must answer.

import type { Db } from '../db/sql.ts'

/** Resolves when all of them have answered. */
export async function ping(db: Db): Promise<void> {
  await Promise.all([db.control, ...db.groups.map(group => group.sql)].map(sql => sql`select 1`))
}
