// The promises of the inbox: exact counters, growing versions, pages without gaps, and complete changes since a version.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Tx } from '../../server/db/db.ts'
import { removeItems, removeMatching, type NewItem } from '../../server/inbox/items.sql.ts'
import { patchItems } from '../../server/inbox/patch-items.sql.ts'
import { readChanges, readPage, readVersions } from '../../server/inbox/read-inbox.sql.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { until } from '../support/process.ts'
import { newItem, userKey, transact } from './test-items.ts'

const NOON = '2026-11-21T12:00:00.000Z'

test('gives the items of several users consecutive versions in their order', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('bob'), newItem('ada'), newItem('ada', { subId: 'thread' })]
  const events = await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  assert.equal(events.length, 2)
  const ada = events.find(event => event.userId === 'ada')!
  assert.equal(ada.change.prev, 0)
  assert.deepEqual(
    ada.change.items.map(item => item.id),
    [items[0]!.id, items[2]!.id, items[3]!.id]
  )
  assert.deepEqual(
    ada.change.items.map(item => Date.parse(item.date)),
    [ada.change.version - 2, ada.change.version - 1, ada.change.version]
  )
  assert.equal(ada.change.items[2]!.subNotificationId, 'thread')
  assert.deepEqual(ada.change.counts, { snoozed: 0, unarchived: 3, unopened: 3, unseen: 3 })

  const page = await readPage(t.db.control, userKey('ada'), 10)
  assert.deepEqual(page.items, ada.change.items.toReversed())
  assert.equal(page.version, ada.change.version)

  const [next] = await transact(t.db, 'ada', tx => insertInboxItems(tx, [newItem('ada')]))
  assert.equal(next!.change.prev, ada.change.version)
  assert.ok(next!.change.version > ada.change.version)
})

test('increases the version also if the database clock is behind it', async () => {
  await using t = await testDb()
  await transact(t.db, 'ada', tx => insertInboxItems(tx, [newItem('ada')]))
  const ahead = Date.now() + 86_400_000
  await t.db.control`update inbox_counters set version = ${ahead} where bucket = ${userKey('ada').bucket}`
  const [event] = await transact(t.db, 'ada', tx => insertInboxItems(tx, [newItem('ada'), newItem('ada')]))
  assert.deepEqual([event!.change.prev, event!.change.version], [ahead, ahead + 2])
  const patched = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { opened: NOON, trackingIds: 'ALL' })
  )
  assert.equal(patched.change.version, ahead + 3)
})

test('reads each item of a long inbox only a few times, also if Postgres has no statistics', async () => {
  await using t = await testDb()
  // As after the installation, or if one inbox in thousands is long.
  await t.db.control`alter table inbox_items set (autovacuum_enabled = off)`
  const [groups, size] = [3, 400]
  const all = Array.from({ length: groups * size }, () => newItem('ada'))
  for (let i = 0; i < groups; i++) {
    await transact(t.db, 'ada', tx => insertInboxItems(tx, all.slice(i * size, (i + 1) * size)))
  }
  const some = all.slice(0, 100).map(({ id }) => id)
  for (const [mark, trackingIds] of [
    ['opened', 'ALL'],
    ['clicked', some],
    ['archived', 'ALL']
  ] as const) {
    const read = await transact(t.db, 'ada', async tx => {
      const { change } = await patchItems(tx, userKey('ada'), { [mark]: NOON, trackingIds })
      assert.equal(change.counts.unopened, 0)
      const [row] = await tx<{ read: number }[]>`
        select idx_tup_fetch::integer as read from pg_stat_xact_user_tables where relname = 'inbox_items'`
      return row!.read
    })
    assert.ok(read <= 10 * all.length, `${mark}: ${read} reads of ${all.length} items`)
  }
})

test('changes read state, counters and version together; repeating a patch changes nothing', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('ada'), newItem('ada')]
  const [made] = await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const stranger = newItem('ada').id
  const patch = { opened: NOON, trackingIds: [items[0]!.id, items[1]!.id, stranger] }
  const first = await transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), patch))
  assert.equal(first.change.prev, made!.change.version)
  assert.deepEqual(
    first.change.items.map(item => [item.id, item.opened, item.rev]),
    [items[0]!, items[1]!].map(item => [item.id, NOON, first.change.version])
  )
  assert.deepEqual(first.change.counts, { snoozed: 0, unarchived: 3, unopened: 1, unseen: 1 })
  assert.equal(first.event!.change, first.change)

  const again = await transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), patch))
  assert.equal(again.event, undefined)
  assert.deepEqual(again.change, { ...first.change, items: [], prev: first.change.version })

  const archived = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { archived: NOON, opened: null, trackingIds: [items[0]!.id] })
  )
  assert.deepEqual(archived.change.counts, { snoozed: 0, unarchived: 2, unopened: 1, unseen: 1 })
  const back = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { archived: null, trackingIds: [items[0]!.id] })
  )
  assert.deepEqual(back.change.counts, { snoozed: 0, unarchived: 3, unopened: 2, unseen: 1 })
})

test('ALL changes the items up to the version, keeps earlier times and leaves newer items alone', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('ada')]
  const [made] = await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { opened: '2026-11-20T00:00:00.000Z', trackingIds: [items[0]!.id] })
  )
  await transact(t.db, 'ada', tx => insertInboxItems(tx, [newItem('ada')]))
  const all = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { opened: NOON, through: made!.change.version, trackingIds: 'ALL' })
  )
  assert.deepEqual(
    all.change.items.map(item => item.id),
    [items[1]!.id]
  )
  assert.deepEqual(all.change.counts, { snoozed: 0, unarchived: 3, unopened: 1, unseen: 1 })
  const archived = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { archived: NOON, clicked: NOON, trackingIds: 'ALL' })
  )
  assert.deepEqual(archived.change.counts, { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
  assert.equal(archived.change.items.length, 3)
  const cleared = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { archived: null, trackingIds: 'ALL' })
  )
  assert.deepEqual(
    cleared.change.counts,
    { snoozed: 0, unarchived: 3, unopened: 0, unseen: 0 },
    'who clicks has read'
  )
  const actioned = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { actioned1: NOON, trackingIds: 'ALL' })
  )
  assert.equal(actioned.change.items.length, 3, 'the opened ones too')
})

test('adds each reply once', async () => {
  await using t = await testDb()
  const item = newItem('ada')
  await transact(t.db, 'ada', tx => insertInboxItems(tx, [item]))
  const say = (message: string) =>
    transact(t.db, 'ada', tx =>
      patchItems(tx, userKey('ada'), { reply: { date: NOON, message }, trackingIds: [item.id] })
    )
  await say('yes "or" \\ no')
  assert.equal((await say('yes "or" \\ no')).event, undefined)
  const second = await say('{{ 2 }}')
  assert.deepEqual(second.change.items[0]!.replies, [
    { date: NOON, message: 'yes "or" \\ no' },
    { date: NOON, message: '{{ 2 }}' }
  ])
  // The limit of replies of one item.
  await t.db.control`
    update inbox_items set replies = (select jsonb_agg(jsonb_build_object('message', n)) from generate_series(1, 99) n)
    where bucket = ${item.bucket}`
  assert.equal((await say('the last')).change.items[0]!.replies!.length, 100)
  assert.equal((await say('one more')).event, undefined)
})

test('retracts a type or one of its sub-notifications, and leaves tombstones without content', async () => {
  await using t = await testDb()
  const thread = newItem('ada', { subId: 'thread' })
  const items = [newItem('ada'), thread, newItem('ada', { notificationId: 'other' })]
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const reply = { date: NOON, message: 'yes' }
  const replied = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { reply, trackingIds: [thread.id] })
  )
  const sub = await transact(t.db, 'ada', tx =>
    removeMatching(tx, { ...userKey('ada'), notificationId: 'new_comment', subId: 'thread' })
  )
  assert.deepEqual(sub!.change.removed, [thread.id])
  assert.equal(sub!.change.prev, replied.change.version)
  const whole = await transact(t.db, 'ada', tx =>
    removeMatching(tx, { ...userKey('ada'), notificationId: 'new_comment' })
  )
  assert.deepEqual(whole!.change.removed, [items[0]!.id])
  assert.deepEqual(whole!.change.counts, { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 })
  const none = await transact(t.db, 'ada', tx =>
    removeMatching(tx, { ...userKey('ada'), notificationId: 'new_comment' })
  )
  assert.equal(none, undefined)
  const rows = await t.db.control<{ content: unknown; replies: unknown }[]>`
    select content, replies from inbox_items where bucket = ${userKey('ada').bucket} and removed`
  assert.deepEqual(
    rows.map(row => [row.content, row.replies]),
    [
      [{}, null],
      [{}, null]
    ]
  )
  const nobody = await transact(t.db, 'bob', tx =>
    removeMatching(tx, { ...userKey('bob'), notificationId: 'new_comment' })
  )
  assert.equal(nobody, undefined)
})

test('removes single items of several users in one transaction', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('bob'), newItem('bob'), newItem('cy')]
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const events = await transact(t.db, 'ada', tx => removeItems(tx, null, items.slice(0, 3)))
  assert.deepEqual(
    events.map(event => [event.userId, event.change.removed.length, event.change.counts.unopened]).sort(),
    [
      ['ada', 1, 0],
      ['bob', 2, 0]
    ]
  )
  assert.deepEqual(await transact(t.db, 'ada', tx => removeItems(tx, null, items.slice(0, 3))), [])
})

test(
  'waits for a lock instead of failing if inboxes are changed in another order',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const items = [newItem('ada'), newItem('bob')]
    const [first, second] = items.toSorted((a, b) => a.bucket - b.bucket) as [NewItem, NewItem]
    assert.ok(first.bucket < second.bucket)
    for (const item of [second, first]) await transact(t.db, 'ada', tx => insertInboxItems(tx, [item]))
    const { sql, work } = t.db.groups[0]!
    const open = (tx: Tx, { bucket, envId, id, userId }: NewItem) =>
      patchItems(tx, { bucket, envId, userId }, { opened: NOON, trackingIds: [id] })
    const { other } = await sql.begin(async tx => {
      await open(tx, first)
      const other = work.begin(async tx => {
        // Makes the database read the rows in an order of its own.
        await tx`set local enable_seqscan = on`
        await tx`set local enable_indexscan = off`
        await tx`set local enable_bitmapscan = off`
        return removeItems(tx, null, [second, first])
      })
      await until(() => isLockAwaited(t.db.control), 'it waits')
      await open(tx, second)
      return { other }
    })
    assert.equal((await other).length, 2)
  }
)

test('reads each item once page by page, also while items are added', async () => {
  await using t = await testDb()
  const items = Array.from({ length: 23 }, () => newItem('ada'))
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const seen: string[] = []
  let before: number | undefined
  do {
    const page = await readPage(t.db.control, userKey('ada'), 5, { before })
    seen.push(...page.items.map(item => item.id))
    before = page.next
    await transact(t.db, 'ada', tx => insertInboxItems(tx, [newItem('ada')]))
  } while (before !== undefined)
  assert.deepEqual(seen, items.map(item => item.id).toReversed())
  const empty = await readPage(t.db.control, userKey('nobody'), 5)
  assert.deepEqual(empty, {
    counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 },
    items: [],
    version: 0
  })
})

test('limits the bytes of a page, returns at least one item, and continues where it ended', async () => {
  await using t = await testDb()
  const small = { title: 'x' }
  const large = { parameters: { text: 'x'.repeat(10_000) }, title: 'large' }
  // The database compresses this to a hundredth of its size.
  const items = [small, large, small, large, large, small].map(content => newItem('ada', { content }))
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const pages: string[][] = []
  let before: number | undefined
  do {
    const page = await readPage(t.db.control, userKey('ada'), 100, { before, maxBytes: 10_500 })
    pages.push(page.items.map(item => item.id))
    before = page.next
  } while (before !== undefined)
  const newest = items.map(item => item.id).toReversed()
  assert.deepEqual(
    pages,
    [newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)],
    'small and large, large and small, large and small'
  )
  const [one] = (await readPage(t.db.control, userKey('ada'), 100, { before: undefined, maxBytes: 1 })).items
  assert.equal(one!.id, newest[0])
})

test('returns new, changed and removed items since a version, for many readers', async () => {
  await using t = await testDb()
  const old = [newItem('ada'), newItem('ada')]
  const [made] = await transact(t.db, 'ada', tx => insertInboxItems(tx, old))
  const since = made!.change.version
  const fresh = newItem('ada')
  await transact(t.db, 'ada', tx => insertInboxItems(tx, [fresh, newItem('ada', { notificationId: 'gone' })]))
  await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { clicked: NOON, trackingIds: [old[0]!.id] })
  )
  const event = await transact(t.db, 'ada', tx =>
    removeMatching(tx, { ...userKey('ada'), notificationId: 'gone' })
  )
  await transact(t.db, 'bob', tx => insertInboxItems(tx, [newItem('bob')]))

  const [ada, bob, ahead, unknown, nobody] = await readChanges(
    t.db.control,
    null,
    [
      { ...userKey('ada'), since },
      { ...userKey('bob'), since: 0 },
      { ...userKey('ada'), since: event!.change.version + 1 },
      { ...userKey('ada'), since: undefined },
      { ...userKey('nobody'), since: 0 }
    ],
    { maxItems: 500 }
  )
  assert.ok(ada?.kind === 'change')
  assert.deepEqual(
    ada.change.items.map(item => item.id),
    [old[0]!.id, fresh.id]
  )
  assert.deepEqual(ada.change.removed, event!.change.removed)
  assert.deepEqual([ada.change.prev, ada.change.version], [since, event!.change.version])
  assert.deepEqual(ada.change.counts, { snoozed: 0, unarchived: 3, unopened: 2, unseen: 2 })
  assert.ok(bob?.kind === 'change')
  assert.equal(bob.change.items.length, 1)
  assert.equal(ahead?.kind, 'reset')
  assert.ok(unknown?.kind === 'change')
  assert.deepEqual([unknown.change.items, unknown.change.version], [[], event!.change.version])
  assert.ok(nobody?.kind === 'change')
  assert.deepEqual([nobody.change.prev, nobody.change.version], [0, 0])
  assert.deepEqual(await readVersions(t.db.control, null, [userKey('nobody'), userKey('ada')]), [
    0,
    event!.change.version
  ])

  const [much] = await readChanges(t.db.control, null, [{ ...userKey('ada'), since: 0 }], { maxItems: 3 })
  assert.equal(much?.kind, 'reset')
  const kindsWithin = async (maxBytes: number) => {
    const readers = [
      { ...userKey('ada'), since: 0 },
      { ...userKey('bob'), since: 0 }
    ]
    return (await readChanges(t.db.control, null, readers, { maxBytes, maxItems: 500 })).map(
      ({ kind }) => kind
    )
  }
  const small = JSON.stringify(fresh.content).length
  assert.deepEqual(await kindsWithin(2 * small), ['reset', 'change'])
  assert.deepEqual(await kindsWithin(10 * small), ['change', 'change'])
  await t.db.control`update inbox_counters set floor = ${since + 1} where bucket = ${userKey('ada').bucket}`
  const [below] = await readChanges(t.db.control, null, [{ ...userKey('ada'), since }], { maxItems: 500 })
  assert.equal(below?.kind, 'reset')
})

test('publishes a change that is too large for an event without items', async () => {
  await using t = await testDb()
  const items = Array.from({ length: 501 }, () => newItem('ada'))
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const most = items.slice(1).map(item => item.id)
  const fitting = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { clicked: NOON, trackingIds: most })
  )
  assert.equal(fitting.change.items.length, 500)
  const { change } = await transact(t.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { archived: NOON, trackingIds: 'ALL' })
  )
  assert.deepEqual([change.items.length, change.prev], [0, change.version])
  assert.deepEqual(change.counts, { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
  const since = fitting.change.version
  const [missed] = await readChanges(t.db.control, null, [{ ...userKey('ada'), since }], { maxItems: 500 })
  assert.equal(missed?.kind, 'reset')
})
