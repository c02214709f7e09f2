// Housekeeping deletes only old tombstones, and a client that missed one gets a reset.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deleteOldTombstones } from '../../server/admin/housekeeping.sql.ts'
import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import { removeMatching } from '../../server/inbox/items.sql.ts'
import { MAX_CHANGE_ITEMS, patchItems } from '../../server/inbox/patch-items.sql.ts'
import { readChanges } from '../../server/inbox/read-inbox.sql.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { until } from '../support/process.ts'

const DAY = 86_400_000
const ENV = 'env'

async function put(db: Db, userId: string, notificationId: string): Promise<void> {
  const bucket = bucketOf(ENV, userId)
  const id = uuidv7(placementHash(ENV, userId))
  await db
    .of(bucket)
    .sql.begin(tx =>
      insertInboxItems(tx, [
        { bucket, content: { title: 'Hello' }, envId: ENV, id, notificationId, subId: '', userId }
      ])
    )
}

const retract = (db: Db, userId: string, notificationId: string) => {
  const bucket = bucketOf(ENV, userId)
  return db.of(bucket).sql.begin(tx => removeMatching(tx, { bucket, envId: ENV, notificationId, userId }))
}

const open = (db: Db, userId: string) => {
  const bucket = bucketOf(ENV, userId)
  const opened = new Date().toISOString()
  return db
    .of(bucket)
    .sql.begin(tx => patchItems(tx, { bucket, envId: ENV, userId }, { opened, trackingIds: 'ALL' }))
}

/** As if an inbox had lain untouched for days: its whole clock moves back. */
async function age(db: Db, userId: string, days: number): Promise<void> {
  const bucket = bucketOf(ENV, userId)
  const by = days * DAY
  await db.control`
    update inbox_items set seq = seq - ${by}, changed = changed - ${by}
    where bucket = ${bucket} and env_id = ${ENV} and user_id = ${userId}`
  await db.control`
    update inbox_counters set version = version - ${by}, previous = previous - ${by}, floor = floor - ${by}
    where bucket = ${bucket} and env_id = ${ENV} and user_id = ${userId}`
}

interface Head {
  readonly version: number
  readonly floor: number
}

async function headOf(db: Db, userId: string): Promise<Head> {
  const [head] = await db.control<Head[]>`
    select version, floor from inbox_counters
    where bucket = ${bucketOf(ENV, userId)} and env_id = ${ENV} and user_id = ${userId}`
  return head!
}

async function missed(db: Db, userId: string, since: number) {
  const bucket = bucketOf(ENV, userId)
  const [found] = await readChanges(db.of(bucket).sql, [bucket], [{ bucket, envId: ENV, since, userId }], {
    maxItems: MAX_CHANGE_ITEMS
  })
  return found!
}

test('deletes old tombstones, and keeps young ones and other items', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  const names = Array.from({ length: 20_000 }, (_, i) => `young ${i}`)
  const young = names.find(name => bucketOf(ENV, name) === bucketOf(ENV, 'old'))!
  for (const userId of ['old', young]) {
    for (const type of ['a', 'b', 'c']) await put(t.db, userId, type)
    await open(t.db, userId)
    await retract(t.db, userId, 'b')
  }
  await age(t.db, 'old', 8)
  await age(t.db, young, 6)
  const { version: last } = await headOf(t.db, 'old')
  await retract(t.db, 'old', 'c')
  const before = { old: await headOf(t.db, 'old'), young: await headOf(t.db, young) }
  assert.equal(await deleteOldTombstones(group, 7), 1)
  assert.equal(await deleteOldTombstones(group, 7), 0)
  const rows = await t.db.control<{ user: string; removed: number; living: number }[]>`
    select user_id as user, count(*) filter (where removed)::integer as removed,
      count(*) filter (where not removed)::integer as living
    from inbox_items where bucket >= 0 group by user_id order by 1`
  assert.deepEqual(
    rows.map(({ living, removed, user }) => [user, living, removed]),
    [
      ['old', 1, 1],
      [young, 2, 1]
    ]
  )
  assert.deepEqual(await headOf(t.db, 'old'), { ...before.old, floor: last })
  assert.deepEqual(await headOf(t.db, young), before.young)
})

test('waits for a change of the inbox, and loses nothing', async () => {
  await using t = await testDb()
  await put(t.db, 'u', 'a')
  await retract(t.db, 'u', 'a')
  await age(t.db, 'u', 8)
  const bucket = bucketOf(ENV, 'u')
  const { control } = t.db
  let cleaning: Promise<number> | undefined
  await control.begin(async tx => {
    await tx`select from inbox_counters where bucket = ${bucket} and env_id = ${ENV} and user_id = 'u' for update`
    cleaning = deleteOldTombstones(t.db.groups[0]!, 7)
    await until(() => isLockAwaited(control), 'the cleaning waits for the inbox')
    await tx`select from inbox_items where bucket = ${bucket} and env_id = ${ENV} and user_id = 'u' for update`
  })
  assert.equal(await cleaning, 1)
})

test('sends a reset to a client that was offline since before a deleted tombstone', async () => {
  await using t = await testDb()
  await put(t.db, 'u', 'a')
  await put(t.db, 'u', 'b')
  await age(t.db, 'u', 9)
  const { version: before } = await headOf(t.db, 'u')
  await retract(t.db, 'u', 'a')
  const { version } = await headOf(t.db, 'u')
  await t.db.control`
    update inbox_items set changed = changed - ${8 * DAY} where bucket = ${bucketOf(ENV, 'u')} and removed`
  await t.db.control`
    update inbox_counters set version = version - ${8 * DAY} where bucket = ${bucketOf(ENV, 'u')}`
  assert.equal((await missed(t.db, 'u', before)).kind, 'change')
  assert.equal(await deleteOldTombstones(t.db.groups[0]!, 7), 1)
  assert.equal((await missed(t.db, 'u', before)).kind, 'reset')
  assert.equal((await missed(t.db, 'u', version - 8 * DAY)).kind, 'change')
})
