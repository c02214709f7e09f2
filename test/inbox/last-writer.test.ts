// The last writer wins in any order of arrival; an action on all is taken back; a snooze ends at its time.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { MARKS, type InboxPatch } from '#protocol'

import type { InboxEvent } from '../../server/core/live-updates.ts'
import { patchItems } from '../../server/inbox/patch-items.sql.ts'
import { readPage } from '../../server/inbox/read-inbox.sql.ts'
import { snoozeJob } from '../../server/inbox/snooze-job.ts'
import { undoAllWrite } from '../../server/inbox/undo-all.sql.ts'
import { countByType } from '../../server/inbox/views.sql.ts'
import { claim } from '../../server/queue/outbox.sql.ts'
import { testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { testGenerated } from '../support/generated.ts'
import { newItem, transact, userKey } from './test-items.ts'

const USERS = ['ada', 'bob', 'cy']
const at = (day: number): string => new Date(1_700_000_000_000 + day * 86_400_000).toISOString()

testGenerated('the result of patches does not depend on their order', async pick => {
  await using t = await testDb()
  const items = USERS.map(user =>
    Array.from({ length: 5 }, () => newItem(user, { notificationId: `t${pick(2)}` }))
  )
  for (const own of items) {
    for (const [i, item] of own.entries()) Object.assign(item, { notificationId: `t${i % 2}` })
    await transact(t.db, own[0]!.userId, tx => insertInboxItems(tx, own))
  }
  const seqs = await Promise.all(
    USERS.map(async user =>
      (await readPage(t.db.control, userKey(user), 10)).items.map(item => Date.parse(item.date))
    )
  )
  // Times differ, so that none of two writes is the later one by its arrival. At most eight actions on all.
  const patches = Array.from({ length: 14 }, (_, time) => {
    const isAll = time % 2 === 0 && pick(2) === 0
    const mark = isAll ? (['opened', 'archived'] as const)[pick(2)]! : MARKS[pick(MARKS.length)]!
    const value = pick(3) === 0 ? null : at(time)
    const chosen = [0, 1, 2, 3, 4].filter(() => pick(2) === 0)
    return {
      make: (user: number): InboxPatch => ({
        at: at(time),
        [mark]: value,
        ...(isAll
          ? { trackingIds: 'ALL', ...(time % 4 === 0 ? { types: ['t1'] } : { through: seqs[user]![2]! }) }
          : { trackingIds: chosen.map(i => items[user]![i]!.id) })
      })
    }
  })
  const states: unknown[] = []
  for (const [user, name] of USERS.entries()) {
    // The first user hears them in their order; some are heard twice.
    const order = user === 0 ? patches : [...patches, ...patches.slice(0, 3)].toSorted(() => pick(3) - 1)
    for (const { make } of order) await transact(t.db, name, tx => patchItems(tx, userKey(name), make(user)))
    const page = await readPage(t.db.control, userKey(name), 10)
    states.push({
      counts: page.counts,
      items: page.items.map(item => MARKS.filter(mark => item[mark]).join(' '))
    })
  }
  assert.deepEqual(states[1], states[0])
  assert.deepEqual(states[2], states[0])
})

test('an action on all is taken back where nobody wrote since, and only in its inbox', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('ada'), newItem('ada')]
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const patch = (patch: InboxPatch) => transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), patch))
  await patch({ archived: at(1), at: at(1), trackingIds: [items[0]!.id] })
  const all: InboxPatch = { archived: at(2), at: at(2), trackingIds: 'ALL' }
  const { change } = await patch(all)
  assert.equal(change.items.length, 2)
  const retried = await patch(all)
  assert.deepEqual(
    [retried.event, retried.change.undo],
    [undefined, change.undo],
    'a retry has the same token'
  )
  await patch({ archived: at(3), at: at(3), trackingIds: [items[1]!.id] })
  await patch({ at: at(3), opened: at(3), trackingIds: [items[2]!.id] })
  await transact(t.db, 'bob', tx => insertInboxItems(tx, [newItem('bob')]))
  const undo = (user: string) =>
    transact(t.db, user, tx => undoAllWrite(tx, userKey(user), change.version, at(4)))
  assert.equal((await undo('bob')).event, undefined)
  const undone = await undo('ada')
  assert.deepEqual(
    undone.change.items.map(item => [item.id, item.archived, item.opened]),
    [[items[2]!.id, undefined, at(3)]]
  )
  assert.equal(undone.change.counts.unarchived, 1)
  assert.equal((await undo('ada')).event, undefined, 'once')
})

test('an undo leaves what a later action on all items marks, even if that one found nothing to change', async () => {
  await using t = await testDb()
  const items = ['t0', 't1'].map(notificationId => newItem('ada', { notificationId }))
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const archiveAll = (day: number, types?: string[]) =>
    transact(t.db, 'ada', tx =>
      patchItems(tx, userKey('ada'), {
        archived: at(day),
        at: at(day),
        trackingIds: 'ALL',
        ...(types && { types })
      })
    )
  const { change } = await archiveAll(2)
  assert.equal((await archiveAll(4, ['t1'])).event, undefined)
  // The person took the first action back at once, but the request for it comes last.
  const undone = await transact(t.db, 'ada', tx => undoAllWrite(tx, userKey('ada'), change.version, at(3)))
  assert.deepEqual(
    undone.change.items.map(item => [item.id, item.archived]),
    [[items[0]!.id, undefined]]
  )
  assert.equal(undone.change.counts.unarchived, 1)
})

test('a snoozed item leaves the inbox, has one row in the queue, and comes back at the top', async () => {
  await using t = await testDb()
  const items = [newItem('ada'), newItem('ada')]
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const ids = [items[0]!.id]
  const patch = (patch: InboxPatch) => transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), patch))
  await patch({ opened: at(1), trackingIds: ids })
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const claimDue = () =>
    claim(t.db.groups[0]!, { leaseMs: 1000, limit: 10, minRunAt: new Date(0), queue: 'SNOOZE' })
  const { change } = await patch({ snoozedUntil: inMs(60_000), trackingIds: ids })
  assert.deepEqual(change.counts, { snoozed: 1, unarchived: 1, unopened: 1, unseen: 1 })
  await patch({ snoozedUntil: inMs(3_600_000), trackingIds: ids })
  const [count] = await t.db.control`select count(*)::int as rows from outbox where queue = 'SNOOZE'`
  assert.equal(count!['rows'], 1)
  assert.deepEqual([...(await claimDue())], [])
  await t.db.control`update outbox set run_at = now() where queue = 'SNOOZE'`
  await t.db.control`update inbox_items set snoozed_until = now() where snoozed_until is not null`
  const events: InboxEvent[] = []
  const job = snoozeJob({ publish: more => void events.push(...more), recheck() {} })
  await job.run(await claimDue(), t.db.groups[0]!)
  const [item] = events[0]!.change.items
  assert.deepEqual(
    [item!.id, item!.seen, item!.opened, item!.snoozedUntil, typeof item!.snoozedAt],
    [ids[0], undefined, undefined, undefined, 'string']
  )
  assert.deepEqual(events[0]!.change.counts, { snoozed: 0, unarchived: 2, unopened: 2, unseen: 2 })
  const page = await readPage(t.db.control, userKey('ada'), 10)
  assert.deepEqual(
    page.items.map(({ id }) => id),
    [items[0]!.id, items[1]!.id]
  )
  assert.equal(Date.parse(page.items[0]!.date), page.version)
  const late = await patch({ at: at(2), opened: at(2), trackingIds: ids })
  assert.equal(late.event, undefined, 'an earlier write that arrives later')
})

test('two nodes with the row of one snooze, after a restart, bring its item back once', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  const item = newItem('ada')
  await transact(t.db, 'ada', tx => insertInboxItems(tx, [item]))
  const snoozedUntil = new Date(Date.now() + 60_000).toISOString()
  await transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), { snoozedUntil, trackingIds: [item.id] }))
  await t.db.control`update inbox_items set snoozed_until = now() where snoozed_until is not null`
  const claimAgain = async () => {
    await t.db.control`update outbox set leased = false, run_at = now() where queue = 'SNOOZE'`
    return claim(group, { leaseMs: 60_000, limit: 10, minRunAt: new Date(0), queue: 'SNOOZE' })
  }
  const claims = [await claimAgain(), await claimAgain()]
  assert.deepEqual(
    claims.map(rows => rows.length),
    [1, 1]
  )
  const events: InboxEvent[] = []
  const job = snoozeJob({ publish: more => void events.push(...more), recheck() {} })
  await Promise.all(claims.map(rows => job.run(rows, group)))
  assert.deepEqual(
    events.map(({ change }) => change.items.map(({ id }) => id)),
    [[item.id]]
  )
  const [count] = await t.db.control`select count(*)::int as rows from outbox where queue = 'SNOOZE'`
  assert.equal(count!['rows'], 0)
  assert.equal((await readPage(t.db.control, userKey('ada'), 10)).counts.snoozed, 0)
})

test('views show their items, and unread items are counted by type', async () => {
  await using t = await testDb()
  const items = Array.from({ length: 5 }, (_, i) => newItem('ada', { notificationId: `t${i % 2}` }))
  await transact(t.db, 'ada', tx => insertInboxItems(tx, items))
  const ids = items.map(({ id }) => id)
  const patch = (i: number, patch: Omit<InboxPatch, 'trackingIds'>) =>
    transact(t.db, 'ada', tx => patchItems(tx, userKey('ada'), { ...patch, trackingIds: [ids[i]!] }))
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await patch(0, { opened: at(1) })
  await patch(1, { archived: at(1) })
  await patch(2, { snoozedUntil: inDays(2) })
  await patch(3, { snoozedUntil: inDays(1) })
  const show = async (view: 'all' | 'inbox' | 'unread' | 'archived' | 'snoozed', types?: string[]) =>
    (await readPage(t.db.control, userKey('ada'), 10, { types, view })).items.map(({ id }) => ids.indexOf(id))
  assert.deepEqual(await show('all'), [4, 3, 2, 1, 0])
  assert.deepEqual(await show('inbox'), [4, 0])
  assert.deepEqual(await show('unread'), [4])
  assert.deepEqual(await show('unread', ['t1']), [])
  assert.deepEqual(await show('archived'), [1])
  assert.deepEqual(await show('snoozed'), [3, 2], 'the soonest first')
  const { byType } = await countByType(t.db.control, userKey('ada'))
  assert.deepEqual(byType, { t0: 1 })
  assert.deepEqual((await countByType(t.db.control, userKey('ada'), ['t1'])).byType, { t1: 0 })
})
