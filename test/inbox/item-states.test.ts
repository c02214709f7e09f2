// What a web push says of the inbox of its user: what was read lately, and the number on the badge.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readInboxSummaries } from '../../server/inbox/item-states.sql.ts'
import { patchItems } from '../../server/inbox/patch-items.sql.ts'
import { testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { newItem, transact, userKey } from './test-items.ts'

test('each user has their own read items, the newest change first, and their own number', async () => {
  await using t = await testDb()
  const items = ['ada', 'bob'].map(user => Array.from({ length: 4 }, () => newItem(user)))
  for (const own of items) await transact(t.db, own[0]!.userId, tx => insertInboxItems(tx, own))
  const [first, second, third] = items[0]!.map(({ id }) => id)
  const mark = (id: string, marks: object) =>
    transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), { trackingIds: [id], ...marks }))
  const now = new Date().toISOString()
  await mark(first!, { opened: now })
  await mark(second!, { archived: now })
  await mark(third!, { seen: now })
  const read = (count: number, sinceMs = 0) =>
    readInboxSummaries(
      t.db.control,
      t.db.groups[0]!,
      ['ada', 'bob', 'nobody', 'ada'].map(user => userKey(user)),
      {
        count,
        sinceMs
      }
    )
  const ada = { read: [second, first], unseen: 1 }
  assert.deepEqual(await read(10), [ada, { read: [], unseen: 4 }, { read: [], unseen: 0 }, ada])
  assert.deepEqual((await read(1))[0]!.read, [second])
  assert.deepEqual((await read(10, Date.now() + 60_000))[0]!.read, [])
})
