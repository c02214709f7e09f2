// Rows are locked in the order of their keys, whatever the order in the request, so that two transactions cannot deadlock.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { uuidv7 } from '../../server/core/id.ts'
import type { DatabaseGroup, Query, Tx } from '../../server/db/db.ts'
import { lockInboxes } from '../../server/inbox/change-items.sql.ts'
import { claim, type ClaimedRow } from '../../server/queue/outbox.sql.ts'
import { makeWaitingDue } from '../../server/queue/revisit-waiting.sql.ts'
import { addDigests, takeDigests, type NewDigest } from '../../server/send/digest/digest-rows.sql.ts'
import { digestRowKey } from '../../server/send/digest/digest.ts'
import { lockRateCounters } from '../../server/send/rate-control/rate-control.sql.ts'
import { isLockAwaited, testDb, type TestDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { until } from '../support/process.ts'

const PLACE = 64
const BUCKET = PLACE >> 6
const USER = { bucket: BUCKET, envId: 'env', userId: 'u' }
const backwards = ['g', 'f', 'e', 'd', 'c', 'b', 'a']
const users = backwards.map(userId => ({ ...USER, userId }))
const rateCounters = backwards.map(contentHash => ({ ...USER, contentHash, notificationId: 't' }))

const newDigest = (notificationId: string): NewDigest => ({
  ...USER,
  channel: 'EMAIL',
  notificationId,
  period: 'daily',
  rowId: uuidv7(PLACE),
  time: { at: 0, next: 0, zone: 'UTC' }
})
/** By their keys, the last one first. */
const digests = backwards.map(newDigest).toSorted((a, b) => (digestRowKey(a) > digestRowKey(b) ? -1 : 1))

const items = () =>
  users.map(user => ({
    ...user,
    content: { title: 'x' },
    id: uuidv7(PLACE),
    notificationId: 't',
    subId: ''
  }))

let t: TestDb
let group: DatabaseGroup
let due: readonly ClaimedRow[]
before(async () => {
  t = await testDb()
  group = t.db.groups[0]!
  await group.sql.begin(async tx => {
    // One by one, so that they do not lie there in their order either.
    for (const item of items()) await insertInboxItems(tx, [item])
    for (const counter of rateCounters) await lockRateCounters(tx, [counter])
    for (const digest of digests) await addDigests(tx, [digest])
  })
  due = await claim(group, { queue: 'DIGEST', leaseMs: 60_000, limit: 1, minRunAt: new Date(0) })
})
after(() => t[Symbol.asyncDispose]())

/** Each table with its key. */
const IDS = { inbox_counters: 'user_id', outbox: 'key', rate_counters: 'content_hash' } as const
type Table = keyof typeof IDS

const listIds = async (query: Query, table: Table, how: string): Promise<string[]> => {
  const rows = await query.unsafe<{ id: string }[]>(
    `select ${IDS[table]} as id from ${table} order by ${IDS[table]} ${how}`
  )
  return rows.map(({ id }) => id)
}

const cases: readonly (readonly [string, Table, (tx: Tx) => Promise<unknown>])[] = [
  ['inboxes that get something', 'inbox_counters', tx => insertInboxItems(tx, items())],
  ['inboxes in which something changes', 'inbox_counters', tx => lockInboxes(tx, null, users)],
  ['rate counters', 'rate_counters', tx => lockRateCounters(tx, rateCounters)],
  ['digests that get something', 'outbox', tx => addDigests(tx, digests)],
  ['digests that are looked at again', 'outbox', async tx => tx`${makeWaitingDue(tx, USER)}`],
  ['digests that are due', 'outbox', tx => takeDigests(tx, group, due)]
]

for (const [name, table, lock] of cases) {
  test(`takes the locks of ${name} in the order of the keys`, async () => {
    const all = await listIds(group.sql, table, '')
    const rollback = new Error('enough')
    let locking: Promise<unknown> | undefined
    await group.sql
      .begin(async holder => {
        await holder.unsafe(`select from ${table} where ${IDS[table]} = $1 for update`, [all[3]!])
        locking = group.work.begin(async tx => {
          await lock(tx)
          throw rollback
        })
        locking.catch(() => {})
        await until(() => isLockAwaited(t.db.control), 'the one in the middle is waited for')
        const free = await listIds(holder, table, 'for update skip locked')
        assert.deepEqual(free, all.slice(3))
      })
      .finally(() => assert.rejects(locking!, rollback))
  })
}
