// Looks at gates without passing or locking them.

import type { Query } from '../../db/db.ts'
import type { GateKey } from './rate-control.sql.ts'

/** @returns when sends were let through, in milliseconds since 1970, by print */
export async function readGates(
  query: Query,
  { bucket, envId, userId, notificationId }: Omit<GateKey, 'print'>
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await query<{ print: string; passed: readonly number[] }[]>`
    select print, passed from gates
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}`
  return new Map(rows.map(({ passed, print }) => [print, passed]))
}
