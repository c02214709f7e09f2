// Chooses the node that does a piece of housekeeping: the one that moves its due time forward.
//
// A conditional UPDATE, because an advisory lock is known to one server of a database cluster only.

import type { Db } from './db.ts'

/** @returns true for one node, once in `intervalSeconds` */
export async function claimTick(db: Db, name: string, intervalSeconds: number): Promise<boolean> {
  await db.control`insert into ticks (name) values (${name}) on conflict (name) do nothing`
  const claimed = await db.control`
    update ticks set due_at = now() + ${intervalSeconds} * interval '1 second' where name = ${name} and due_at <= now()`
  return claimed.count === 1
}

/** Makes a tick due again whose work failed, so that another node does it before the next interval. */
export async function returnTick(db: Db, name: string, delaySeconds: number): Promise<void> {
  await db.control`update ticks set due_at = now() + ${delaySeconds} * interval '1 second' where name = ${name}`
}
