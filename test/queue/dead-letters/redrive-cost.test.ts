// The cost of redriving a few of many dead letters in one bucket.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { redrive } from '../../../server/queue/dead-letters/dead-letters.sql.ts'
import { testDb } from '../../support/db.ts'

const FEW = 10

test('redrives dead letters that are no digests without reading the others', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  await group.sql`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
    select 1, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid, 'SMS', 1,
      case when i > 10000 then 'small' else 'large' end, 'u', '{}', 'x'
    from generate_series(1, ${10_000 + FEW}) i`
  await group.sql`analyze dead_letters`
  await group.sql.begin(async tx => {
    const moved = await redrive(tx, group, { envId: 'small' }, 1000)
    assert.equal(moved.length, FEW)
    const [row] = await tx<{ read: number }[]>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'dead_letters'`
    assert.ok(row!.read <= 5 * FEW, `${row!.read} rows`)
  })
})
