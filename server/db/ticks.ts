// Who does a piece of house-keeping: of all nodes, the one that moves its due time forward.
//
// A conditional UPDATE, because an advisory lock is known to one node of a cluster only.

import type { Db } from './db.ts'

/**
 * @param every - seconds until it is due again
 * @returns true for one caller in that time over all nodes
 */
export async function claimTick(db: Db, name: string, every: number): Promise<boolean> {
  await db.control`insert into ticks (name) values (${name}) on conflict (name) do nothing`
  const claimed = await db.control`
    update ticks set due_at = now() + ${every} * interval '1 second' where name = ${name} and due_at <= now()`
  return claimed.count === 1
}

/** Gives a tick back whose work failed, so that another node need not wait for its next time. */
export async function returnTick(db: Db, name: string, after: number): Promise<void> {
  await db.control`update ticks set due_at = now() + ${after} * interval '1 second' where name = ${name}`
}
