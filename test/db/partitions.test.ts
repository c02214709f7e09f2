// Daily partitions: created ahead, reported if missing, dropped when old, and chosen by the ids of rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { healthRoutes } from '../../server/admin/health.ts'
import { uuidv7 } from '../../server/core/id.ts'
import type { Db, Query } from '../../server/db/db.ts'
import {
  dropOldPartitions,
  ensurePartitions,
  PARTITIONED_TABLES,
  countDaysAhead
} from '../../server/db/partitions.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { until } from '../support/process.ts'

const DAY = 86_400_000

const nameAt = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '')

const insert = async (query: Query, id = uuidv7(64)): Promise<void> => {
  await query`
    insert into sends (bucket, id, env_id, user_id, notification_id, body) values (1, ${id}, 'e', 'u', 'n', '{}')`
}

/** Checks that the partition of its day stores a send of that time. */
async function assertStored({ control }: Db, time: number): Promise<void> {
  const id = uuidv7(64, time)
  await insert(control, id)
  const found = await control`select from ${control(`sends_${nameAt(time)}`)} where bucket = 1 and id = ${id}`
  assert.equal(found.count, 1, nameAt(time))
}

/** As if that many days had passed: a partition of a day long ago. */
async function makeOld({ control }: Db, daysAgo: number): Promise<string> {
  const from = Math.floor(Date.now() / DAY) * DAY - daysAgo * DAY
  const names = PARTITIONED_TABLES.map(table => `${table}_${nameAt(from)}`)
  for (const [i, table] of PARTITIONED_TABLES.entries()) {
    await control.unsafe(`create table ${names[i]} partition of ${table}
      for values from (uuid_at(to_timestamp(${from / 1000}))) to (uuid_at(to_timestamp(${(from + DAY) / 1000})))`)
  }
  return names[0]!
}

test('has a partition for every moment from yesterday to two weeks ahead, also the last millisecond of a day', async () => {
  await using t = await testDb()
  const today = Math.floor(Date.now() / DAY) * DAY
  for (const time of [today + 2 * DAY - 1, today + 2 * DAY]) await assertStored(t.db, time)
  assert.equal(await countDaysAhead(t.db.control), 14)
})

test('reports a missing partition, and creates it', async () => {
  await using t = await testDb()
  const tomorrow = nameAt(Date.now() + DAY)
  await t.db.control.unsafe(`drop table attempts_${tomorrow}`)
  await t.db.control.unsafe(`alter table sends detach partition sends_${tomorrow}`)
  assert.equal(await countDaysAhead(t.db.control), 0)
  const ready = healthRoutes(t.db, { draining: () => false }).find(({ path }) => path === '/readyz')!
  const { body, status } = await ready.handle({} as never)
  assert.equal(status, 200)
  assert.equal((body as { partitions: string }).partitions, 'few')
  // A node whose clock is behind still writes to yesterday.
  const yesterday = Date.now() - DAY
  for (const day of [yesterday, Date.now()]) await t.db.control.unsafe(`drop table sends_${nameAt(day)}`)
  assert.equal(await countDaysAhead(t.db.control), -1)
  await ensurePartitions(t.db.controlWork)
  assert.equal(await countDaysAhead(t.db.control), 14)
  await assertStored(t.db, yesterday)
})

test('drops only days older than the retention, with all rows', async () => {
  await using t = await testDb()
  const { controlWork: work } = t.db
  const expiredDay = await makeOld(t.db, 31)
  const youngDay = await makeOld(t.db, 30)
  const dropped = await dropOldPartitions(work, 30)
  assert.ok(dropped.includes(expiredDay) && !dropped.includes(youngDay), dropped.join())
  assert.equal(dropped.length, PARTITIONED_TABLES.length)
  assert.deepEqual(await dropOldPartitions(work, 30), [])
})

const detachPending = plainPostgresOnly(
  'Citus has no DETACH CONCURRENTLY, whose interruption leaves the day half detached'
)
test('drops a day later whose drop was interrupted', { skip: detachPending }, async () => {
  await using t = await testDb()
  const { sql } = t.db.groups[0]!
  const { controlWork: work } = t.db
  const expiredDay = await makeOld(t.db, 40)
  await sql.begin(async tx => {
    await insert(tx)
    const cut = assert.rejects(dropOldPartitions(work, 30), /canceling statement/)
    const begun = async () => (await t.db.control`select from pg_inherits where inhdetachpending`).count > 0
    await until(begun, 'the day is being let go')
    await t.db.control`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'alter table sends detach%'`
    await cut
  })
  const dropped = await dropOldPartitions(work, 30)
  assert.ok(dropped.includes(expiredDay), dropped.join())
})

test('a second writer goes on while an old day waits for the first one to be dropped', async () => {
  await using t = await testDb()
  const { sql } = t.db.groups[0]!
  const { controlWork: work } = t.db
  const expiredDay = await makeOld(t.db, 40)
  const { promise: written, resolve: finish } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  // A transaction that has written to the log holds it open.
  const writer = sql.begin(async tx => {
    await insert(tx)
    begin()
    await written
  })
  await begun
  // On a cluster the drop gives up after 2 s, because Citus has no DETACH CONCURRENTLY, and the next one succeeds.
  const dropping = dropOldPartitions(work, 30).catch((error: unknown) => {
    assert.equal((error as { code?: string }).code, '55P03')
    return []
  })
  await until(() => isLockAwaited(t.db.control), 'the drop waits for the writer')
  await insert(sql)
  finish()
  await writer
  const dropped = [...(await dropping), ...(await dropOldPartitions(work, 30))]
  assert.ok(dropped.includes(expiredDay), dropped.join())
})
