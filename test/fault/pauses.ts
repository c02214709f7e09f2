// Checks the outbox after faults of providers: these faults use no attempt of a message.

import assert from 'node:assert/strict'

import type { Sql } from '../../server/db/db.ts'
import { MAX_ATTEMPTS } from '../../server/queue/backoff.ts'

/** Queues with rows that wait after a pause. */
export async function pausedQueues(sql: Sql): Promise<number> {
  const [row] = await sql<{ queues: number }[]>`
    select count(distinct o.queue)::int as queues from outbox o where not o.leased and exists (
      select 1 from attempts a where a.bucket = o.bucket and a.send_id = o.send_id and a.delivery_id = o.id and a.outcome = 'pause')`
  return row!.queues
}

/**
 * A pause returns its attempt, so at least the paused claims of a row used none.
 * @returns how many rows had a paused claim
 * @throws AssertionError with the rows that paid
 */
export async function assertPausesAreFree(sql: Sql, message: string): Promise<number> {
  const rows = await sql<{ id: string; free: number; paused: number }[]>`
    select o.id, o.claim_count - (${MAX_ATTEMPTS}::int - o.attempts_left) as free, p.paused from outbox o
    cross join lateral (
      select count(*)::int as paused from attempts a
      where a.bucket = o.bucket and a.send_id = o.send_id and a.delivery_id = o.id and a.outcome = 'pause') p
    where p.paused > 0`
  assert.deepEqual(
    rows.filter(({ free, paused }) => free < paused),
    [],
    `${message}: a pause cost a try`
  )
  return rows.length
}

/** Makes all rows due. @returns their number */
export async function hurry(sql: Sql): Promise<number> {
  await sql`update outbox set run_at = now() where not leased and run_at > now()`
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from outbox`
  return row!.count
}
