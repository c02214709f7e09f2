// Erases a user completely, also against requests that read or write the user's data at the same time.
//
// 0. The addresses of the user are removed from the copies of emails to others, while they are still known.
// 1. A round deletes the rows of the user and increments the erasure epoch. A send that read the user before sees another epoch
//    when it writes, and reads again.
// 2. Transactions that were already writing are awaited, then another round deletes what they wrote. Rounds repeat until one finds
//    nothing, so no round missed rows that were written while it ran.
// Workers need no epoch: what they write depends on their queue row, which is deleted.

import { setTimeout as sleep } from 'node:timers/promises'

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Db } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { Problem } from '../../http/problem.ts'
import { readEmailAddresses, redactCopies, type RedactedRows } from './copies.sql.ts'
import { readWritingTransactions } from './erasure-epoch.sql.ts'
import { deleteUserRows, type DeletedRows } from './personal-data.sql.ts'

/** For all rounds after the first. Only a user who is sent notifications all the time needs so long: statements have shorter time-outs. */
const ERASE_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 2

export interface Erased extends DeletedRows {
  readonly redacted: RedactedRows
}

/** @throws Problem `unavailable` if it was not done by the time-out, so that rows may remain */
export async function eraseUser(db: Pick<Db, 'groups' | 'of'>, user: UserKey): Promise<Erased> {
  const redacted = await redactAllCopies(db, user)
  return { ...(await deleteAll(db.of(user.bucket), user, redacted)), redacted }
}

async function redactAllCopies(db: Pick<Db, 'groups' | 'of'>, user: UserKey): Promise<RedactedRows> {
  const addresses = await readEmailAddresses(db.of(user.bucket).sql, user)
  const deadline = performance.now() + ERASE_TIMEOUT_MS
  const sum: Record<string, number> = {}
  for (const group of db.groups) {
    const counts = await redactCopies(group, user.envId, addresses, deadline)
    if (!counts) throw tooLate('The address of the user stands in the copies of very many emails.')
    for (const [table, count] of Object.entries(counts)) sum[table] = (sum[table] ?? 0) + count
  }
  return sum
}

async function deleteAll(group: DatabaseGroup, user: UserKey, redacted: RedactedRows): Promise<DeletedRows> {
  let deleted = await runRound(group, user, redacted)
  const deadline = performance.now() + ERASE_TIMEOUT_MS
  while (Object.keys(deleted.removed).length > 0) {
    await waitForWriters(group, deadline)
    deleted = await runRound(group, user, redacted, deleted)
  }
  return deleted
}

async function runRound(
  group: DatabaseGroup,
  user: UserKey,
  redacted: RedactedRows,
  before?: DeletedRows
): Promise<DeletedRows> {
  const deleted = await transact({ sql: group.work }, tx => deleteUserRows(tx, user, before?.proof, redacted))
  return { ...before, ...deleted }
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
