// Removes the email addresses of a user from the copies (Cc, Bcc) of emails to other users: in the log, queue, digests, dead letters
// and sandbox.
//
// Indexes of the log and of schedules find these sends; their other rows are found by the id of the send.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { transact } from '../../db/transact.ts'

/** Sends of one transaction. */
const BATCH_SIZE = 200

/** Changed rows of other users by table. */
export type RedactedRows = Readonly<Record<string, number>>

/** Returns the addresses of a user that are stored: with the user, in sends to the user, and as the user id. In lower case. */
export async function readEmailAddresses(
  query: Query,
  { bucket, envId, userId }: UserKey
): Promise<string[]> {
  const rows = await query<{ address: string }[]>`
    select lower(email) as address from users
    where bucket = ${bucket} and env_id = ${envId} and id = ${userId} and email is not null
    union
    select lower(body #>> '{to,email}') from sends
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and body #>> '{to,email}' is not null
    union
    select lower(${userId}) where ${userId} like '%@%'`
  return rows.map(({ address }) => address)
}

interface SendKey {
  readonly bucket: number
  readonly id: string
}

/** The conditions of the partial indexes stand here word by word, so that Postgres uses them. */
export const findCopies = (group: DatabaseGroup, envId: string, addresses: readonly string[]) => group.work<
  SendKey[]
>`
  (select bucket, id from sends
   where ${inGroup(group)} and env_id = ${envId} and copied_addresses(body) && ${addresses}::text[]
     and body #> '{options,email}' ?| array['ccAddresses', 'bccAddresses'] limit ${BATCH_SIZE})
  union
  (select bucket, id from outbox
   where ${inGroup(group)} and env_id = ${envId} and copied_addresses(body -> 'send') && ${addresses}::text[]
     and queue in ('SCHEDULE', 'ESCALATE') and body #> '{send,options,email}' ?| array['ccAddresses', 'bccAddresses'] limit ${BATCH_SIZE})`

/** In the order in which other writers lock them. */
const TABLES = [
  { column: 'body', sendId: 'send_id', table: 'outbox' },
  { column: 'item', sendId: 'id', table: 'digest_items' },
  { column: 'body', sendId: 'id', table: 'sends' },
  { column: 'body', sendId: 'send_id', table: 'dead_letters' },
  { column: 'body', sendId: 'send_id', table: 'dropped_letters' }
] as const

async function redactSends(
  tx: Tx,
  group: DatabaseGroup,
  sends: readonly SendKey[],
  addresses: readonly string[]
): Promise<RedactedRows> {
  const counts: Record<string, number> = {}
  const keys = tx`
    unnest(${sends.map(({ bucket }) => bucket)}::smallint[], ${sends.map(({ id }) => id)}::uuid[]) as s(bucket, id)`
  const isInGroup = inGroup({ ...group, sql: tx }, 't')
  for (const { column, sendId, table } of TABLES) {
    const { count } = await tx`
      update ${tx(table)} t set ${tx(column)} = without_copies(t.${tx(column)}, ${addresses}::text[])
      from ${keys}
      where ${isInGroup} and t.bucket = s.bucket and t.${tx(sendId)} = s.id
        and t.${tx(column)} is distinct from without_copies(t.${tx(column)}, ${addresses}::text[])`
    if (count > 0) counts[table] = count
  }
  // A sandbox message has the addresses in its source too.
  const { count } = await tx`
    delete from sandbox_messages t using ${keys}
    where ${isInGroup} and t.bucket = s.bucket and t.send_id = s.id
      and t.message is distinct from without_copies(t.message, ${addresses}::text[])`
  if (count > 0) counts['sandbox_messages'] = count
  return counts
}

/**
 * Removes the addresses from all sends of the environment in one database group.
 *
 * @param deadline - of `performance.now()`
 * @param onBatch - runs in the transaction of each batch
 * @returns undefined if the deadline passed before all were done
 */
export async function redactCopies(
  group: DatabaseGroup,
  envId: string,
  addresses: readonly string[],
  deadline: number,
  onBatch?: (tx: Tx, counts: RedactedRows) => Promise<void>
): Promise<RedactedRows | undefined> {
  const sum: Record<string, number> = {}
  if (addresses.length === 0) return sum
  for (;;) {
    const sends = await findCopies(group, envId, addresses)
    if (sends.length === 0) return sum
    const counts = await transact({ sql: group.work }, async tx => {
      const redacted = await redactSends(tx, group, sends, addresses)
      await onBatch?.(tx, redacted)
      return redacted
    })
    for (const [table, count] of Object.entries(counts)) sum[table] = (sum[table] ?? 0) + count
    if (performance.now() > deadline) return undefined
  }
}
