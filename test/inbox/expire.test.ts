// In-app notifications expire at their time, once, and only while the worker owns the queue row.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import type { InboxEvent } from '../../server/core/live-updates.ts'
import { expireJob } from '../../server/inbox/expire.ts'
import { removeItems, type NewItem } from '../../server/inbox/items.sql.ts'
import { readPage } from '../../server/inbox/read-inbox.sql.ts'
import { claim, enqueue } from '../../server/queue/outbox.sql.ts'
import { testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { ENV, newItem, userKey, transact } from './test-items.ts'

const expireRow = ({ bucket, envId, userId, id }: NewItem) => ({
  body: {},
  bucket,
  envId,
  id: uuidv7(placementHash(ENV, userId)),
  queue: 'EXPIRE' as const,
  sendId: id,
  userId
})

test('removes expired items from list and counters together; a worker with an expired lease changes nothing', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('bob'), newItem('ada'), newItem('ada')]
  await transact(t.db, 'ada', async tx => {
    await insertInboxItems(tx, items)
    await enqueue(tx, items.slice(0, 3).map(expireRow))
  })
  // Retracted before it expires.
  await transact(t.db, 'ada', tx => removeItems(tx, null, [{ ...userKey('ada'), id: items[2]!.id }]))
  const events: InboxEvent[] = []
  const queue = expireJob({ recheck() {}, publish: more => void events.push(...more) })
  const group = t.db.groups[0]!
  const rows = await claim(group, { queue: 'EXPIRE', leaseMs: 1000, limit: 10, minRunAt: new Date(0) })
  assert.equal(rows.length, 3)
  await queue.run(
    rows.map(row => ({ ...row, claimCount: row.claimCount - 1 })),
    group
  )
  assert.equal(events.length, 0)
  await queue.run(rows, group)
  await queue.run(rows, group)
  assert.deepEqual(events.map(event => [event.userId, event.change.removed]).sort(), [
    ['ada', [items[0]!.id]],
    ['bob', [items[1]!.id]]
  ])
  const page = await readPage(t.db.control, userKey('ada'), 10)
  assert.deepEqual(
    [page.items.length, page.counts],
    [1, { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 }]
  )
  assert.equal(
    (await claim(group, { queue: 'EXPIRE', leaseMs: 1000, limit: 10, minRunAt: new Date(0) })).length,
    0
  )
})
