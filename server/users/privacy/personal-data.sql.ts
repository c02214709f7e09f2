// All data of one user: finds the tables, reads their rows, deletes them. The tables are read from the database's catalogue, so
// that no later table is forgotten.
//
// Lock order of an erasure: the order of all other writers (LOCK_ORDER), then the remaining tables by name.

import { uuidv7, type UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Json, Query, Tx } from '../../db/db.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { RedactedRows } from './copies.sql.ts'
import { incrementErasureEpoch } from './erasure-epoch.sql.ts'

export interface UserTable {
  readonly table: string
  readonly userColumn: string
}

const LOCK_ORDER = [
  'idempotency_keys',
  'rate_counters',
  'users',
  'devices',
  'preferences',
  'inbox_counters',
  'inbox_items',
  'outbox',
  'digest_items',
  'sends'
]

export async function readUserTables(query: Query): Promise<UserTable[]> {
  const tables = await query<UserTable[]>`
    select c.relname as table, case when c.relname = 'users' then 'id' else 'user_id' end as "userColumn"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname
    having bool_or(a.attname = 'bucket') and bool_or(a.attname = 'env_id')
      and (bool_or(a.attname = 'user_id') or c.relname = 'users')
    order by c.relname`
  const rank = ({ table }: UserTable): number =>
    LOCK_ORDER.includes(table) ? LOCK_ORDER.indexOf(table) : LOCK_ORDER.length
  return tables.toSorted((a, b) => rank(a) - rank(b))
}

const ROWS_PER_FETCH = 200

/** Left out of an export, because they hold exports. */
const EXPORT_TABLES: ReadonlySet<string> = new Set(['user_exports', 'user_export_parts'])

/** Left out of an export: a credential, encrypted with the key of this server, and no data about the user. */
const SECRET_COLUMN = 'slack_token'

/**
 * For one table, including the time in which the reader takes its rows. There is a limit, because Postgres cannot remove dead rows
 * of the whole database while an export runs.
 */
const TABLE_TIMEOUT_MS = 600_000

/**
 * Reads all rows of the user in one snapshot, some at a time. `onRow` is awaited, so a slow reader keeps no rows in memory.
 *
 * Reads every daily partition of the log. No time bound would be correct: sends may be older than the row of their user, and an
 * attempt may outlive its send.
 */
export async function readPersonalData(
  group: DatabaseGroup,
  { bucket, envId, userId }: UserKey,
  onRow: (table: string, row: Json) => Promise<void>
): Promise<void> {
  await group.exports.begin('isolation level repeatable read read only', async tx => {
    // The idle time-out too, because the last rows of a table are sent after its statement ended.
    await tx`
      select set_config(name, ${String(TABLE_TIMEOUT_MS)}, true)
      from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`
    for (const { table, userColumn } of await readUserTables(tx)) {
      if (EXPORT_TABLES.has(table)) continue
      const rows = tx<{ row: Json }[]>`
        select to_jsonb(t) - ${SECRET_COLUMN}::text as row from ${tx(table)} t
        where t.bucket = ${bucket} and t.env_id = ${envId} and t.${tx(userColumn)} = ${userId}`
      for await (const fetched of rows.cursor(ROWS_PER_FETCH)) {
        for (const { row } of fetched) await onRow(table, row)
      }
    }
  })
}

/** Returns how many rows an export has, at most `limit`. */
export async function countPersonalRows(
  { work }: DatabaseGroup,
  { bucket, envId, userId }: UserKey,
  limit: number
): Promise<number> {
  let sum = 0
  for (const { table, userColumn } of await readUserTables(work)) {
    if (EXPORT_TABLES.has(table)) continue
    const [row] = await work<{ count: number }[]>`
      select count(*)::integer as count from (
        select from ${work(table)} t
        where t.bucket = ${bucket} and t.env_id = ${envId} and t.${work(userColumn)} = ${userId}
        limit ${limit - sum}) counted`
    sum += row!.count
    if (sum >= limit) break
  }
  return sum
}

/** Proof of an erasure; it does not identify the user. */
export interface ErasureProof {
  readonly id: string
  readonly erasedAt: Date
  readonly removed: Readonly<Record<string, number>>
  /** Rows of other users in whose copies the address of the user stood, by table. */
  readonly redacted: Readonly<Record<string, number>>
}

/** Deliveries that a provider was called for when their rows were deleted; these messages cannot be recalled. */
export interface DeliveriesInProgress {
  readonly deliveries: number
  /** End of the last lease, when the last of these calls has ended. */
  readonly until: Date
}

export interface DeletedRows {
  /** Deleted rows of this round by table. */
  readonly removed: ErasureProof['removed']
  readonly proof?: ErasureProof
  readonly version?: number
  readonly underWay?: DeliveriesInProgress
}

/** A user may have millions of rows. */
const DELETE_TIMEOUT_MS = 120_000

/**
 * Deletes all rows of the user, and stores a proof that does not identify the user.
 *
 * @param before - proof of an earlier round of the same erasure; this round is added to it
 * @param redacted - is added to the proof. Default: none
 * @param only - the tables of this round. Default: all
 */
export async function deleteUserRows(
  tx: Tx,
  user: UserKey,
  before?: Pick<ErasureProof, 'id'>,
  redacted: RedactedRows = {},
  only?: ReadonlySet<string>
): Promise<DeletedRows> {
  const { bucket, envId, userId } = user
  await tx`select set_config('statement_timeout', ${String(DELETE_TIMEOUT_MS)}, true)`
  const removed: Record<string, number> = {}
  const [inbox] = await tx<{ version: number }[]>`
    select version from inbox_counters
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  let underWay: DeliveriesInProgress | undefined
  for (const { table, userColumn } of await readUserTables(tx)) {
    if (only && !only.has(table)) continue
    if (table === 'outbox') underWay = await readDeliveriesInProgress(tx, user)
    const { count } = await tx`
      delete from ${tx(table)} t
      where t.bucket = ${bucket} and t.env_id = ${envId} and t.${tx(userColumn)} = ${userId}`
    if (count > 0) removed[table] = count
  }
  if (Object.keys(removed).length === 0) return { removed }
  const proof = await addToProof(tx, user, before?.id ?? newErasureId(user), { redacted, removed })
  await incrementErasureEpoch(tx, user)
  return { proof, removed, ...inbox, ...(underWay && { underWay }) }
}

/** The id contains the bucket only, not the placement hash of the user, which would help to identify the user. */
export const newErasureId = ({ bucket }: Pick<UserKey, 'bucket'>): string => uuidv7(bucket << 6)

/** Stores the proof of an erasure, or adds to the numbers of it. */
export async function addToProof(
  query: Query,
  { bucket, envId }: UserKey,
  id: string,
  { redacted = {}, removed = {} }: Partial<Pick<ErasureProof, 'redacted' | 'removed'>>
): Promise<ErasureProof> {
  const [stored] = await query<ErasureProof[]>`
    insert into erasures as e (bucket, id, env_id, removed, redacted)
    values (${bucket}, ${id}, ${envId}, ${query.json(removed)}, ${query.json(redacted)})
    on conflict (bucket, id) do update set
      removed = add_counts(e.removed, excluded.removed), redacted = add_counts(e.redacted, excluded.redacted)
    returning id, erased_at as "erasedAt", removed, redacted`
  return stored!
}

/** Queues whose rows send nothing to a provider. */
const INTERNAL_QUEUES: readonly QueueName[] = [
  'SCHEDULE',
  'DIGEST',
  'ESCALATE',
  'FETCH',
  'HELD',
  'EXPIRE',
  'SNOOZE'
]

/** Locks the rows, so that none is claimed before the delete. */
async function readDeliveriesInProgress(
  tx: Tx,
  { bucket, envId, userId }: UserKey
): Promise<DeliveriesInProgress | undefined> {
  const [row] = await tx<{ deliveries: number; until: Date | null }[]>`
    with locked as materialized (
      select o.run_at, o.leased and o.run_at > now() and o.queue <> all(${INTERNAL_QUEUES}::text[]) as is_in_progress
      from outbox o
      where o.bucket = ${bucket} and o.env_id = ${envId} and o.user_id = ${userId} for update)
    select count(*)::integer as deliveries, max(run_at) as until from locked where is_in_progress`
  const { deliveries, until } = row!
  return until ? { deliveries, until } : undefined
}

export async function readErasureProof(
  query: Query,
  { bucket, envId, id }: { readonly bucket: number; readonly envId: string; readonly id: string }
): Promise<ErasureProof | undefined> {
  const [row] = await query<ErasureProof[]>`
    select id, erased_at as "erasedAt", removed, redacted from erasures
    where bucket = ${bucket} and id = ${id} and env_id = ${envId}`
  return row
}
