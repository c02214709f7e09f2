// The database job of held deliveries: moves them to the queues of their channels when the pause or the quiet hours of their
// user have ended.
//
// A row stays one row from the hold to the delivery, so a crash at any moment neither loses nor repeats it. A claimed row only
// names its user: all held rows of the user are decided together, the oldest first, so that they keep their order. The settings
// are read under the lock of the rows, and a change of settings makes the rows due, so no row waits longer than it should.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import type { Context } from '../../process/context.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import { MAX_BATCH_BYTES, type DatabaseJob } from '../../queue/queue-job.ts'
import type { QueueName } from '../../queue/queues.ts'
import { findHold } from '../../users/preferences/hold.ts'
import {
  holdRows,
  lockHeldRows,
  readUserSettings,
  releaseRows,
  returnRows,
  type HeldRow,
  type ReleasedRow,
  type RescheduledRow
} from './held-rows.sql.ts'

const LEASE_MS = 30_000
/** Held rows of one transaction. */
const BATCH_SIZE = 500
/** A pause without an end is looked at again after this time. */
const MAX_WAIT_MS = 24 * 3_600_000

export const heldJob = (context: Context, batchSize = BATCH_SIZE): DatabaseJob => ({
  kind: 'database',
  maxBytes: MAX_BATCH_BYTES,
  queue: 'HELD',
  timeoutMs: LEASE_MS,
  async run(claimed, group) {
    const zones = await readZones(context, claimed)
    const released = (await group.work.begin(tx =>
      decide(tx, group, claimed, { batchSize, now: context.clock(), zones })
    )) as readonly ReleasedRow[]
    context.queues.wake(new Set<QueueName>(released.map(({ queue }) => queue)))
  }
})

/** @returns the time zones of users without one of their own, by environment */
async function readZones(
  { config, environments }: Context,
  rows: readonly UserKey[]
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ envId }) => envId))]
  const found = await Promise.all(ids.map(id => environments.get(id)))
  return new Map(ids.map((id, i) => [id, found[i]?.settings.defaultTimezone ?? config.timezone]))
}

interface Situation {
  readonly batchSize: number
  readonly now: number
  readonly zones: ReadonlyMap<string, string>
}

const userText = ({ envId, userId }: UserKey): string => JSON.stringify([envId, userId])

async function decide(
  tx: Tx,
  group: DatabaseGroup,
  claimed: readonly ClaimedRow[],
  { batchSize, now, zones }: Situation
): Promise<readonly ReleasedRow[]> {
  const rows = await lockHeldRows(tx, group, claimed, batchSize)
  const users = new Map((await readUserSettings(tx, group, rows)).map(user => [userText(user), user]))
  const released: ReleasedRow[] = []
  const held: RescheduledRow[] = []
  for (const row of rows) {
    const user = users.get(userText(row))
    const zone = user?.timezone ?? zones.get(row.envId)!
    const hold = findHold(user?.settings ?? undefined, { isUrgent: row.held.isUrgent, now, zone })
    if (hold) held.push({ ...row, held: { ...row.held, ...hold }, dueAt: dueAt(hold.until, now) })
    else released.push({ bucket: row.bucket, id: row.id, queue: row.held.queue })
  }
  await releaseRows(tx, group, released)
  await holdRows(tx, group, held)
  await returnRows(tx, group, leftOver(claimed, rows))
  return released
}

const dueAt = (until: number | null, now: number): Date =>
  new Date(Math.min(until ?? Infinity, now + MAX_WAIT_MS))

function leftOver(claimed: readonly ClaimedRow[], decided: readonly HeldRow[]): readonly ClaimedRow[] {
  const ids = new Set(decided.map(({ id }) => id))
  return claimed.filter(({ id }) => !ids.has(id))
}
