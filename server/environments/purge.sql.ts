// What deleted environments leave behind, taken away a few buckets at a time.
//
// A deletion is never taken back: who wants the id again ends the purge first, so that nothing of before is left, and
// nothing of after is taken. Several purges of one environment do no harm.

import { StartupError } from '../core/startup-error.ts'
import type { Db, Group, Query, Tx } from '../db/db.ts'
import { isTooSlow } from '../db/failure.ts'
import { retryOnConflict } from '../db/transact.ts'

/** Every table of users that knows its environment; first the queue, so that nothing more is delivered. */
export const TABLES = [
  'outbox',
  'digest_items',
  'dead_letters',
  'users',
  'devices',
  'preferences',
  'received',
  'idempotency_keys',
  'rate_counters',
  'inbox_heads',
  'inbox_items',
  'sandbox_messages',
  'call_words',
  'attachments',
  'attachment_parts',
  'erasures',
  'erasure_epochs',
  'attempts',
  'receipts',
  'sends'
] as const

/** Buckets of one statement: a part of a big environment must not hold rows for long. */
const STEP = 16
const BUCKETS = 1024
/** Nodes know an environment for some seconds more, and what they write then must not stay behind. */
const GRACE_SECONDS = 60

/** Milliseconds between two lines about one purge. */
const SAY_EVERY = 1000

/** Longer than one statement may take. */
const PATIENCE = '20s'

const isDue = (query: Query) => query`deleted_at < now() - ${GRACE_SECONDS} * interval '1 second'`

/**
 * Deletes their rows in one group, and the environments themselves when it is the last group.
 *
 * @param stopped - aborted: throws after the statement that is under way; the next purge goes on. Default: never
 */
export async function purgeEnvironments(db: Db, group: Group, stopped?: AbortSignal): Promise<void> {
  const gone = await db.control<{ id: string }[]>`select id from environments where ${isDue(db.control)}`
  for (const { id } of gone) await purge(db, group, id, () => stopped?.throwIfAborted())
}

/**
 * Clears the way for an environment with the id of one that was deleted.
 *
 * @param say - progress, for a person who waits
 * @param elapsed - milliseconds of a clock that is never set back
 * @throws StartupError while other nodes may still write to the old one
 */
export async function endPurge(
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
      `The environment "${id}" was deleted, and other nodes may still know it: start again in ${row.seconds} s, or with another NOTIF_CLIENT_ID.`
    )
  }
  const all = (db.groups.length * TABLES.length * BUCKETS) / STEP
  let done = 0
  let saidAt = elapsed()
  const passed = (): void => {
    done += 1
    const now = elapsed()
    if (now - saidAt < SAY_EVERY) return
    saidAt = now
    say(`removing what the deleted environment "${id}" has left: ${Math.floor((100 * done) / all)} %`)
  }
  for (const group of db.groups) await purge(db, group, id, passed)
}

/** @param passed - called after each statement that came to its end */
async function purge(db: Db, group: Group, id: string, passed: () => void): Promise<void> {
  for (const table of TABLES) {
    for (let low = 0; low < BUCKETS; low += STEP) {
      if (!(await deleteRows({ db, group, id, table }, low, low + STEP))) return
      passed()
    }
  }
  if (group === db.groups.at(-1)) await forget(db, id)
}

/** The purge of another node may hold it, one statement at a time. */
async function forget(db: Db, id: string): Promise<void> {
  try {
    await db.control`delete from environments where id = ${id} and ${isDue(db.control)}`
  } catch (error) {
    if (!isTooSlow(error)) throw error
    await forget(db, id)
  }
}

interface Part {
  readonly db: Db
  readonly group: Group
  readonly id: string
  readonly table: (typeof TABLES)[number]
}

/**
 * What is too much for one statement goes in two.
 *
 * @param high - the first bucket that stays
 * @returns false where somebody has made it anew
 */
async function deleteRows(part: Part, low: number, high: number): Promise<boolean> {
  const { group, id, table } = part
  try {
    return await whileGone(
      part,
      tx => tx`
        delete from ${tx(table)}
        where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
          and bucket >= ${low} and bucket < ${high} and env_id = ${id}`
    )
  } catch (error) {
    if (!isTooSlow(error) || high - low === 1) throw error
    const middle = (low + high) >> 1
    return (await deleteRows(part, low, middle)) && deleteRows(part, middle, high)
  }
}

/**
 * One statement, during which nobody can make it anew: that takes its row away first, and here it is held. The connection
 * comes before the row: who waits for one while holding the row may lose the row, and delete what is new.
 *
 * @returns false, and nothing is done, where somebody has
 */
const whileGone = ({ db, group, id }: Part, work: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
  retryOnConflict(() =>
    group.work.begin(tx =>
      db.control.begin(async held => {
        const { count } = await held`
          select set_config('idle_in_transaction_session_timeout', ${PATIENCE}, true)
          from environments where id = ${id} and ${isDue(held)} for share`
        if (count > 0) await work(tx)
        return count > 0
      })
    )
  ) as Promise<boolean>
