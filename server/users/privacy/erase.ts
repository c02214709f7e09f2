// An erasure that is exact: what others had read or begun to write before it does not come back after it.
//
// A first look deletes what is there and moves the fence. Whoever has read something before it and writes after it
// sees the fence and reads again; whoever was writing already is waited for, and then there is another look. Queues need
// no fence: what they write hangs on their row of the queue, which is gone. Looks go on until one finds nothing, so that
// none of them has cut through something that was written while it looked.

import { setTimeout as sleep } from 'node:timers/promises'

import type { UserKey } from '../../core/id.ts'
import type { Group } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { Problem } from '../../http/problem.ts'
import { readWriters } from './erasure-epoch.sql.ts'
import { eraseUser, type Erased } from './personal-data.sql.ts'

/** Milliseconds after the first look. Statements end sooner: only who is sent something all the time takes so long. */
const PATIENCE = 30_000
const NAP = 2

/** @throws Problem `unavailable` where it is not certain that all is gone, because others write all the time */
export async function erase(group: Group, user: UserKey): Promise<Erased> {
  let erased = await look(group, user)
  const until = performance.now() + PATIENCE
  while (Object.keys(erased.removed).length > 0) {
    await writersGone(group, until)
    erased = await look(group, user, erased)
  }
  return erased
}

/** What this look removed, with the proof of all of them. */
async function look(group: Group, user: UserKey, before?: Erased): Promise<Erased> {
  const now = await transact({ sql: group.work }, tx => eraseUser(tx, user, before?.proof))
  return { ...before, ...now }
}

/** Until everybody who is writing now has come to an end. */
async function writersGone({ work }: Group, until: number): Promise<void> {
  let left = await readWriters(work)
  while (left.length > 0 && performance.now() < until) {
    await sleep(NAP)
    const now = new Set(await readWriters(work))
    left = left.filter(writer => now.has(writer))
  }
  if (performance.now() < until) return
  throw new Problem('unavailable', 'Others are still writing. Erase again to be certain.', {
    headers: { 'retry-after': '5' }
  })
}
