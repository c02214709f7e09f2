// Digests among many dead letters of one bucket: a search by key reads no other dead letter.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deleteOrphanedDigestItems } from '../../../server/admin/housekeeping.sql.ts'
import type { Query } from '../../../server/db/db.ts'
import { redrive } from '../../../server/queue/dead-letters/dead-letters.sql.ts'
import { isLockAwaited, testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'

const OTHERS = 10_000
const HEADS = 10

/** Inserts dead emails, dead digests with one item each, and items without a digest row. */
async function bury(sql: Query): Promise<void> {
  await sql`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, key, body, code)
    select 1, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
      case when i > ${OTHERS} then 'DIGEST' else 'EMAIL' end, 1,
      case when i > ${OTHERS} then 'small' else 'large' end, 'u', case when i > ${OTHERS} then 'head ' || i end, '{}', 'x'
    from generate_series(1, ${OTHERS + HEADS}) i`
  await sql`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, channel, item)
    select 1, 'head ' || i, gen_random_uuid(), 'small', 'u', 'n', 'EMAIL', '{}'
    from generate_series(${OTHERS + 1}::integer, ${OTHERS + HEADS * 2}::integer) i`
  await sql`analyze dead_letters, digest_items`
}

/** Rows of dead letters that the transaction has read. */
async function read(tx: Query): Promise<number> {
  const [row] = await tx<{ read: number }[]>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
    where relname = 'dead_letters'`
  return row!.read
}

test('redrives digests without reading the other dead letters', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  await bury(group.sql)
  await group.sql.begin(async tx => {
    assert.equal((await redrive(tx, group, { envId: 'small' }, 1000)).length, HEADS)
    assert.ok((await read(tx)) <= 5 * HEADS, `${await read(tx)} rows`)
  })
})

test('finds digest items without a digest row without reading the other dead letters', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  await bury(group.sql)
  await group.sql.begin(async tx => {
    assert.equal(await deleteOrphanedDigestItems({ buckets: group.buckets, work: tx }), HEADS)
    assert.ok((await read(tx)) <= 5 * HEADS, `${await read(tx)} rows`)
  })
})

test('accepts a new digest row while the dead one is redriven: one of them waits', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  const { sql } = group
  await bury(sql)
  const key = `head ${OTHERS + 1}`
  const added = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const adding = sql.begin(async tx => {
    await tx`
      insert into outbox (bucket, id, queue, env_id, user_id, key, body)
      values (1, gen_random_uuid(), 'DIGEST', 'small', 'u', ${key}, '{}')`
    added.resolve()
    await goOn.promise
  })
  await added.promise
  const moving = sql.begin(tx => redrive(tx, group, { envId: 'small' }, HEADS)) as Promise<unknown[]>
  await until(() => isLockAwaited(sql), 'the letter waits for the head')
  goOn.resolve()
  await adding
  // The count of all that were read: fewer than the limit would mean that no more exist.
  assert.equal((await moving).length, HEADS)
  const heads = await sql`select from outbox where key = ${key}`
  assert.equal(heads.length, 1)
})
