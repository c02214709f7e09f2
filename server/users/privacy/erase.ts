// Erases a user completely, also against requests that read or write the user's data at the same time.
//
// 0. The addresses of the user are removed from the copies of emails to others, while they are still known.
// 1. A round deletes the rows of the user and increments the erasure epoch. A send that read the user before sees another epoch
//    when it writes, and reads again.
// 2. Transactions that were already writing are awaited, then another round deletes what they wrote. Rounds repeat until one finds
//    nothing, so no round missed rows that were written while it ran.
// Workers need no epoch: what they write depends on their queue row, which is deleted.
//
// As a task, the rows of large tables are deleted in chunks before the rounds, and each step adds to the proof in its transaction, so that
// a process that ends at any moment leaves an erasure that another one finishes.

import { setTimeout as sleep } from 'node:timers/promises'

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Db, Tx } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { Problem } from '../../http/problem.ts'
import { readEmailAddresses, redactCopies, type RedactedRows } from './copies.sql.ts'
import { deleteLeafRows, readLargeTables } from './erase-chunks.sql.ts'
import { incrementErasureEpoch, readWritingTransactions } from './erasure-epoch.sql.ts'
import { addToProof, deleteUserRows, type DeletedRows } from './personal-data.sql.ts'

/** For all rounds after the first. Only a user who is sent notifications all the time needs so long: statements have shorter time-outs. */
const ERASE_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 2
/** Rows of one transaction of a chunk. */
const CHUNK_ROWS = 1000
/** Deleted first, so that nothing more is delivered. */
const QUEUE_TABLES: ReadonlySet<string> = new Set(['outbox', 'digest_items'])

export interface Erased extends DeletedRows {
  readonly redacted: RedactedRows
}

/** @throws Problem `unavailable` if it was not done by the time-out, so that rows may remain */
export async function eraseUser(db: Pick<Db, 'groups' | 'of'>, user: UserKey): Promise<Erased> {
  const redacted = await redactAllCopies(db, user, performance.now() + ERASE_TIMEOUT_MS)
  return { ...(await deleteAll(db.of(user.bucket), user, { redacted })), redacted }
}

export interface ErasureSteps {
  readonly erasureId: string
  /** Runs in the transaction that deletes, and before it commits. */
  onDeleted(tx: Tx, deleted: DeletedRows): Promise<void>
  /** Aborts between two steps. */
  readonly signal: AbortSignal
}

/**
 * Erases a user with many rows, or continues the erasure with this id.
 *
 * @returns what the last rounds deleted; the proof has the whole
 * @throws Problem `unavailable` as {@link eraseUser}, or the reason of the signal
 */
export async function eraseUserInSteps(
  db: Pick<Db, 'groups' | 'of'>,
  user: UserKey,
  { erasureId, onDeleted, signal }: ErasureSteps
): Promise<DeletedRows> {
  const group = db.of(user.bucket)
  await redactAllCopies(db, user, Number.POSITIVE_INFINITY, async (tx, from, redacted) => {
    signal.throwIfAborted()
    await addToProof(from === group ? tx : group.work, user, erasureId, { redacted })
  })
  const before = { id: erasureId }
  await transact({ sql: group.work }, async tx =>
    onDeleted(tx, await deleteUserRows(tx, user, before, {}, QUEUE_TABLES))
  )
  for (const leaf of await readLargeTables(group.work)) {
    let count = 0
    do {
      signal.throwIfAborted()
      count = await transact({ sql: group.work }, async tx => {
        const removed = await deleteLeafRows(tx, user, leaf, CHUNK_ROWS)
        await onDeleted(tx, removed)
        if (Object.keys(removed.removed).length > 0) await addToProof(tx, user, erasureId, removed)
        return removed.removed[leaf.table] ?? 0
      })
    } while (count === CHUNK_ROWS)
  }
  signal.throwIfAborted()
  // Sends that read the user before see another epoch, also if the rounds find nothing.
  await transact({ sql: group.work }, tx => incrementErasureEpoch(tx, user))
  await waitForWriters(group, performance.now() + ERASE_TIMEOUT_MS)
  return deleteAll(group, user, { before, onDeleted, redacted: {} })
}

async function redactAllCopies(
  db: Pick<Db, 'groups' | 'of'>,
  user: UserKey,
  deadline: number,
  onBatch?: (tx: Tx, group: DatabaseGroup, redacted: RedactedRows) => Promise<void>
): Promise<RedactedRows> {
  const addresses = await readEmailAddresses(db.of(user.bucket).sql, user)
  const sum: Record<string, number> = {}
  for (const group of db.groups) {
    const counts = await redactCopies(group, user.envId, addresses, deadline, (tx, redacted) =>
      onBatch ? onBatch(tx, group, redacted) : Promise.resolve()
    )
    if (!counts) throw tooLate('The address of the user stands in the copies of very many emails.')
    for (const [table, count] of Object.entries(counts)) sum[table] = (sum[table] ?? 0) + count
  }
  return sum
}

interface Rounds extends Partial<Pick<ErasureSteps, 'onDeleted'>> {
  readonly redacted: RedactedRows
  /** The erasure that the rounds continue. */
  readonly before?: { readonly id: string }
}

async function deleteAll(group: DatabaseGroup, user: UserKey, rounds: Rounds): Promise<DeletedRows> {
  let deleted = await runRound(group, user, rounds)
  const deadline = performance.now() + ERASE_TIMEOUT_MS
  while (Object.keys(deleted.removed).length > 0) {
    await waitForWriters(group, deadline)
    deleted = await runRound(group, user, { ...rounds, redacted: {} }, deleted)
  }
  return deleted
}

async function runRound(
  group: DatabaseGroup,
  user: UserKey,
  { before, onDeleted, redacted }: Rounds,
  earlier?: DeletedRows
): Promise<DeletedRows> {
  const deleted = await transact({ sql: group.work }, async tx => {
    const round = await deleteUserRows(tx, user, before ?? earlier?.proof, redacted)
    await onDeleted?.(tx, round)
    return round
  })
  return { ...earlier, ...deleted }
}

/** Resolves when all transactions that write now have ended. */
async function waitForWriters({ work }: DatabaseGroup, deadline: number): Promise<void> {
  let remaining = await readWritingTransactions(work)
  while (remaining.length > 0 && performance.now() < deadline) {
    await sleep(POLL_INTERVAL_MS)
    const current = new Set(await readWritingTransactions(work))
    remaining = remaining.filter(id => current.has(id))
  }
  if (performance.now() < deadline) return
  throw tooLate('Transactions that began before the erasure did not end in time.')
}

const tooLate = (reason: string): Problem =>
  new Problem('unavailable', `${reason} Rows may remain. Send the request again.`, {
    headers: { 'retry-after': '5' }
  })
