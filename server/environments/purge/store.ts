// What deleted environments leave behind, taken away a few buckets at a time.

import type { Db, Group } from '../../db/sql.ts'
import { isTooSlow } from '../../http/failure.ts'

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
  'gates',
  'inbox_heads',
  'inbox_items',
  'sandbox_messages',
  'call_words',
  'attachments',
  'attachment_parts',
  'erasures',
  'fences',
  'attempts',
  'receipts',
  'sends'
] as const

/** Buckets of one statement: a part of a big environment must not hold rows for long. */
const STEP = 16
const BUCKETS = 1024
/** Nodes know an environment for some seconds more, and what they write then must not stay behind. */
const GRACE_SECONDS = 60

/** Deletes their rows in one group, and the environments themselves when it is the last group. */
export async function purgeEnvironments(db: Db, group: Group): Promise<void> {
  const gone = await db.control<{ id: string }[]>`
    select id from environments where deleted_at < now() - ${GRACE_SECONDS} * interval '1 second'`
  for (const { id } of gone) {
    for (const table of TABLES) {
      for (let low = 0; low < BUCKETS; low += STEP) await deleteRows(group, table, id, low, low + STEP)
    }
    if (group === db.groups.at(-1)) {
      await db.control`delete from environments where id = ${id} and deleted_at is not null`
    }
  }
}

/** What is too much for one statement goes in two. @param high - the first bucket that stays */
async function deleteRows(
  group: Group,
  table: (typeof TABLES)[number],
  envId: string,
  low: number,
  high: number
): Promise<void> {
  try {
    await group.work`
      delete from ${group.work(table)}
      where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
        and bucket >= ${low} and bucket < ${high} and env_id = ${envId}`
  } catch (error) {
    if (!isTooSlow(error) || high - low === 1) throw error
    const middle = (low + high) >> 1
    await deleteRows(group, table, envId, low, middle)
    await deleteRows(group, table, envId, middle, high)
  }
}
