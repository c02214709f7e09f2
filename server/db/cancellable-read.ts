// Reads in a transaction whose statement Postgres cancels as soon as a signal aborts.
//
// Otherwise a slow statement would work on, and keep its connection, after the client has left.

import { setTimeout as pause } from 'node:timers/promises'

import type { DatabaseGroup, Sql, Tx } from './db.ts'
import { sharedPool } from './sql-helpers.ts'

/** A cancellation between two statements has no effect, so it is repeated until the work ends. */
const CANCEL_INTERVAL_MS = 100

/**
 * @param sql - runs the transaction; it is cancelled through the pool `work`, because this one may have no free connection
 * @throws the database's 57014 (query cancelled) if the signal aborts during a statement
 */
export async function cancellableRead(
  sql: Sql,
  { work: canceller }: Pick<DatabaseGroup, 'work'>,
  signal: AbortSignal,
  read: (tx: Tx) => Promise<void>
): Promise<void> {
  // The number of a backend means another one on another node, so both pools are those of the node of now.
  const cancelPool = sharedPool(canceller)
  await sql.begin('read only', async tx => {
    const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const end = new AbortController()
    let cancelling: Promise<void> | undefined
    const cancel = (): void => {
      cancelling = (async () => {
        while (!end.signal.aborted) {
          // Citus has a function of this name for bigint, so the type must be said.
          await cancelPool`select pg_cancel_backend(${backend!.pid}::integer)`
          await pause(CANCEL_INTERVAL_MS, undefined, { signal: end.signal })
        }
        // If the database cannot be reached, the statement time-out ends the read.
      })().catch(() => {})
    }
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    try {
      await read(tx)
    } finally {
      end.abort()
      signal.removeEventListener('abort', cancel)
      // The transaction keeps its backend until then, so that no cancellation hits the statement of another request.
      await cancelling
    }
  })
}
