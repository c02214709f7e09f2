// Purges the rows of deleted environments, a few buckets at a time.
//
// A deletion is final: an environment with the same id is created only after the purge is finished, so that it gets no old rows and
// loses no new ones. Several purges of one environment may run at once.

import { BUCKET_COUNT } from '../core/id.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Db, DatabaseGroup, Query, Tx } from '../db/db.ts'
import { isTooSlow } from '../db/failure.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { retryOnConflict } from '../db/transact.ts'

/** Every table of users with an environment id. The outbox comes first, so that nothing more is delivered. */
export const ENVIRONMENT_TABLES = [
  'outbox',
  'digest_items',
  'dead_letters',
  'dropped_letters',
  'task_progress',
  'user_exports',
  'user_export_parts',
  'users',
  'devices',
  'preferences',
  'received',
  'topic_members',
  'topic_leaves',
  'idempotency_keys',
  'rate_counters',
  'inbox_counters',
  'inbox_items',
  'sandbox_messages',
  'call_texts',
  'attachments',
  'attachment_parts',
  'erasures',
  'erasure_epochs',
  'attempts',
  'receipts',
  'sends',
  'log_count_deltas',
  'log_counts',
  'log_minutes'
] as const

/** Few buckets per statement, so that a large environment locks no rows for long. */
const BUCKETS_PER_STATEMENT = 16
/** Nodes keep a deleted environment in their caches for some seconds; rows that they still write must be purged as well. */
const GRACE_SECONDS = 60

const PROGRESS_INTERVAL_MS = 1000

/** Longer than the time limit of one statement. */
const IDLE_IN_TRANSACTION_TIMEOUT = '20s'

const isDue = (query: Query) => query`deleted_at < now() - ${GRACE_SECONDS} * interval '1 second'`

/**
 * Deletes the rows of deleted environments in one group and, after the last group, the environments themselves.
 *
 * @param stopped - when it aborts, throws after the current statement; the next purge continues. Default: never
 */
export async function purgeEnvironments(db: Db, group: DatabaseGroup, stopped?: AbortSignal): Promise<void> {
  const deleted = await db.control<{ id: string }[]>`select id from environments where ${isDue(db.control)}`
  for (const { id } of deleted) await purge(db, group, id, () => stopped?.throwIfAborted())
}

/**
 * Finishes the purge of a deleted environment, so that one with the same id can be created.
 *
 * @param say - prints progress for the operator
 * @param elapsed - milliseconds of a monotonic clock
 * @throws StartupError while other nodes may still write rows of the deleted environment
 */
export async function finishPurge(
  db: Db,
  id: string,
  say: (line: string) => void,
  elapsed: () => number = () => performance.now()
): Promise<void> {
  const [row] = await db.control<{ seconds: number }[]>`
    select ceil(${GRACE_SECONDS} - extract(epoch from now() - deleted_at))::integer as seconds
    from environments where id = ${id} and deleted_at is not null`
  if (!row) return
  if (row.seconds > 0) {
    throw new StartupError(
      `NOTIF_CLIENT_ID: the environment "${id}" was deleted a moment ago, and other nodes may still use it. Start again in ${row.seconds} s, or set another id.`
    )
  }
  const statementCount = (db.groups.length * ENVIRONMENT_TABLES.length * BUCKET_COUNT) / BUCKETS_PER_STATEMENT
  let done = 0
  let printedAt = elapsed()
  const onStatement = (): void => {
    done += 1
    const now = elapsed()
    if (now - printedAt < PROGRESS_INTERVAL_MS) return
    printedAt = now
    say(`deleting rows of the deleted environment "${id}": ${Math.floor((100 * done) / statementCount)} %`)
  }
  for (const group of db.groups) await purge(db, group, id, onStatement)
}

async function purge(db: Db, group: DatabaseGroup, id: string, onStatement: () => void): Promise<void> {
  for (const table of ENVIRONMENT_TABLES) {
    for (let low = 0; low < BUCKET_COUNT; low += BUCKETS_PER_STATEMENT) {
      if (!(await deleteRows({ db, group, id, table }, low, low + BUCKETS_PER_STATEMENT))) return
      onStatement()
    }
  }
  if (group === db.groups.at(-1)) await deleteEnvironmentRow(db, id)
}

/** Deletes the row of the environment. Repeats if the purge of another node holds a lock on it, for one statement at a time. */
async function deleteEnvironmentRow(db: Db, id: string): Promise<void> {
  try {
    await db.control`delete from environments where id = ${id} and ${isDue(db.control)}`
  } catch (error) {
    if (!isTooSlow(error)) throw error
    await deleteEnvironmentRow(db, id)
  }
}

interface Part {
  readonly db: Db
  readonly group: DatabaseGroup
  readonly id: string
  readonly table: (typeof ENVIRONMENT_TABLES)[number]
}

/**
 * Deletes the rows of a range of buckets. A range that takes too long is halved.
 *
 * @param high - exclusive
 * @returns false if the environment was created again
 */
async function deleteRows(part: Part, low: number, high: number): Promise<boolean> {
  const { group, id, table } = part
  try {
    return await whileGone(
      part,
      tx => tx`
        delete from ${tx(table)}
        where ${inGroup(group)} and bucket >= ${low} and bucket < ${high} and env_id = ${id}`
    )
  } catch (error) {
    if (!isTooSlow(error) || high - low === 1) throw error
    const middle = (low + high) >> 1
    return (await deleteRows(part, low, middle)) && deleteRows(part, middle, high)
  }
}

/**
 * Runs one statement while the row of the deleted environment is locked, so that the environment cannot be created again meanwhile.
 * The connection for the statement is acquired before the lock: a wait for a connection could outlast the lock, and the statement
 * would delete new rows.
 *
 * @returns false, without running the statement, if the environment was created again
 */
const whileGone = ({ db, group, id }: Part, work: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
  retryOnConflict(() =>
    group.work.begin(tx =>
      db.control.begin(async held => {
        const { count } = await held`
          select set_config('idle_in_transaction_session_timeout', ${IDLE_IN_TRANSACTION_TIMEOUT}, true)
          from environments where id = ${id} and ${isDue(held)} for share`
        if (count > 0) await work(tx)
        return count > 0
      })
    )
  ) as Promise<boolean>
