// Random operations with a seed against a small model: list, counters and catch-ups always agree.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { MARKS, type InboxChange, type InboxPatch, type Notif } from '#protocol'

import type { InboxEvent } from '../../server/core/live-updates.ts'
import { removeItems, removeMatching } from '../../server/inbox/items.sql.ts'
import { patchItems } from '../../server/inbox/patch-items.sql.ts'
import { readChanges, readPage } from '../../server/inbox/read-inbox.sql.ts'
import { testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { testGenerated } from '../support/generated.ts'
import { random } from '../support/random.ts'
import { newItem, userKey, target, transact } from './test-items.ts'

const TYPES = ['new_comment', 'mention', 'digest']

/** A client that builds its inbox from changes. */
class Follower {
  readonly items = new Map<string, Notif>()
  version = 0

  apply(change: InboxChange): void {
    if (change.version <= this.version) return
    assert.ok(change.prev <= this.version, 'a change is missing')
    for (const item of change.items) {
      const known = this.items.get(item.id)
      assert.ok(!known || known.rev <= item.rev, 'an older revision came later')
      this.items.set(item.id, item)
    }
    for (const id of change.removed) this.items.delete(id)
    this.version = change.version
  }

  list(): Notif[] {
    return [...this.items.values()].sort((a, b) => b.date.localeCompare(a.date))
  }
}

const countsOf = (items: readonly Notif[]) => {
  const unopened = items.filter(item => !item.archived && !item.opened)
  return {
    snoozed: 0,
    unarchived: items.filter(item => !item.archived).length,
    unopened: unopened.length,
    unseen: unopened.filter(item => !item.seen).length
  }
}

/** Applies a patch as the protocol describes it, without the server's code. */
function patched(items: readonly Notif[], patch: InboxPatch): Map<string, Partial<Notif>> {
  const result = new Map<string, Partial<Notif>>()
  const all = patch.trackingIds === 'ALL'
  for (const item of items) {
    if (all ? Date.parse(item.date) > patch.through! : !patch.trackingIds.includes(item.id)) continue
    const after: Record<string, unknown> = {}
    for (const name of MARKS) {
      const given = patch[name]
      if (given === undefined) after[name] = item[name]
      else if (given === null) after[name] = undefined
      else after[name] = all ? (item[name] ?? given) : given
    }
    // Who acts has read, and who reads has seen.
    const acted = patch.clicked ?? patch.actioned1 ?? patch.actioned2
    const read = patch.opened ?? acted
    if (patch.opened === undefined && acted) after['opened'] = item.opened ?? acted
    else if (patch.opened === undefined && patch.seen === null) after['opened'] = undefined
    if (read && !patch.seen) after['seen'] = item.seen ?? read
    result.set(item.id, after)
  }
  return result
}

testGenerated('agrees with the model after random operations', async pick => {
  await using db = await testDb()
  const [group] = db.db.groups
  const { buckets, sql } = group!
  const users = ['ada', 'bob']
  const followers = new Map(users.map(user => [user, new Follower()]))
  const lazy = new Map(users.map(user => [user, new Follower()]))
  const instant = () => new Date(1_700_000_000_000 + pick(1000) * 86_400_000).toISOString()

  for (let step = 0; step < 400; step++) {
    const user = users[pick(users.length)]!
    const follower = followers.get(user)!
    const list = follower.list()
    const events: InboxEvent[] = []
    const what = pick(10)
    if (what < 4) {
      const items = Array.from({ length: 1 + pick(3) }, () =>
        newItem(users[pick(users.length)]!, {
          notificationId: TYPES[pick(3)]!,
          subId: ['', 'a'][pick(2)]!,
          ...(pick(4) === 0 && { expiresAt: new Date(Date.now() + 1e6) })
        })
      )
      events.push(...(await transact(db.db, user, tx => insertInboxItems(tx, items))))
    } else if (what < 8) {
      const marks = Object.fromEntries(
        MARKS.filter(() => pick(3) === 0).map(name => [name, pick(3) === 0 ? null : instant()])
      )
      const all = pick(3) === 0
      const through = list[pick(list.length || 1)]?.date
      const patch: InboxPatch = all
        ? { ...marks, through: through ? Date.parse(through) : follower.version, trackingIds: 'ALL' }
        : { ...marks, trackingIds: list.filter(() => pick(3) === 0).map(item => item.id) }
      const expected = patched(list, patch)
      const { change, event } = await transact(db.db, user, tx => patchItems(tx, userKey(user), patch))
      const differing = list.filter(item => {
        const after = expected.get(item.id)
        return after && MARKS.some(name => after[name] !== item[name])
      })
      assert.deepEqual(new Set(change.items.map(item => item.id)), new Set(differing.map(item => item.id)))
      for (const item of change.items) {
        for (const name of MARKS) assert.equal(item[name], expected.get(item.id)![name])
      }
      assert.equal(event === undefined, differing.length === 0)
      if (event) events.push(event)
    } else if (what === 8) {
      const match = { notificationId: TYPES[pick(3)]!, ...(pick(2) === 0 && { subId: 'a' }) }
      const event = await transact(db.db, user, tx => removeMatching(tx, { ...userKey(user), ...match }))
      const hit = list.filter(
        item => item.type === match.notificationId && (!match.subId || item.subNotificationId === match.subId)
      )
      assert.deepEqual(new Set(event?.change.removed), new Set(hit.map(item => item.id)))
      if (event) events.push(event)
    } else {
      const items = list.filter(() => pick(8) === 0).map(item => target(user, item.id))
      events.push(...(await transact(db.db, user, tx => removeItems(tx, buckets, items))))
    }
    for (const event of events) {
      const own = followers.get(event.userId)!
      assert.equal(event.change.prev, own.version)
      own.apply(event.change)
      assert.deepEqual(event.change.counts, countsOf(own.list()))
    }
    for (const name of users) {
      if (pick(5) !== 0) continue
      const page = await readPage(sql, userKey(name), 1000)
      assert.deepEqual(page.items, followers.get(name)!.list())
      assert.deepEqual(page.counts, countsOf(page.items))
      const late = lazy.get(name)!
      const [missed] = await readChanges(sql, buckets, [{ ...userKey(name), since: late.version }], {
        maxItems: 500
      })
      assert.ok(missed?.kind === 'change')
      late.apply(missed.change)
      assert.deepEqual(late.list(), page.items)
    }
  }
})

test('loses no change of concurrent writers to one inbox, and each change continues the one before', async t => {
  const pick = random()
  t.diagnostic(`seed ${pick.seed}`)
  await using db = await testDb()
  const [group] = db.db.groups
  const changes: InboxChange[] = []
  const ids: string[] = []
  const take = (events: readonly InboxEvent[]) => {
    for (const event of events) if (event.userId === 'ada') changes.push(event.change)
  }
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 25; i++) {
        const mine = [newItem('ada'), newItem('bob'), newItem('cy')].sort(() => pick(3) - 1)
        const what = pick(4)
        if (what < 2) {
          ids.push(...mine.filter(item => item.userId === 'ada').map(item => item.id))
          take(await transact(db.db, 'ada', tx => insertInboxItems(tx, mine)))
        } else if (what === 2) {
          const patch = {
            opened: pick(2) ? new Date().toISOString() : null,
            trackingIds: ids.filter(() => pick(2) === 0)
          }
          const { event } = await transact(db.db, 'ada', tx => patchItems(tx, userKey('ada'), patch))
          if (event) take([event])
        } else {
          const some = ids.filter(() => pick(9) === 0).map(id => target('ada', id))
          take(await transact(db.db, 'ada', tx => removeItems(tx, group!.buckets, some)))
        }
      }
    })
  )
  const follower = new Follower()
  for (const change of changes.sort((a, b) => a.version - b.version)) {
    assert.equal(change.prev, follower.version)
    follower.apply(change)
  }
  const page = await readPage(db.db.control, userKey('ada'), 1000)
  assert.deepEqual(page.items, follower.list())
  assert.deepEqual(page.counts, countsOf(page.items))
  const heads = await db.db.control`
    select h.user_id from inbox_counters h
    left join lateral (
      select count(*) filter (where opened_at is null and archived_at is null) as unopened,
        count(*) filter (where seen_at is null and opened_at is null and archived_at is null) as unseen,
        count(*) filter (where archived_at is null) as unarchived
      from inbox_items i
      where i.bucket = h.bucket and i.env_id = h.env_id and i.user_id = h.user_id and not removed) c on true
    where (h.unopened, h.unarchived, h.unseen) is distinct from (c.unopened, c.unarchived, c.unseen)`
  assert.deepEqual([...heads], [])
})

test('applies the same change of concurrent writers once', async () => {
  await using db = await testDb()
  for (let round = 0; round < 15; round++) {
    const items = Array.from({ length: 20 }, () => newItem('ada'))
    await transact(db.db, 'ada', tx => insertInboxItems(tx, items))
    const opened = new Date().toISOString()
    const patches = await Promise.all(
      Array.from({ length: 4 }, () =>
        transact(db.db, 'ada', tx => patchItems(tx, userKey('ada'), { opened, trackingIds: 'ALL' }))
      )
    )
    assert.equal(patches.filter(({ event }) => event).length, 1)
    assert.equal((await readPage(db.db.control, userKey('ada'), 1)).counts.unopened, 0)
    const retracted = await Promise.all(
      Array.from({ length: 4 }, () =>
        transact(db.db, 'ada', tx => removeMatching(tx, { ...userKey('ada'), notificationId: 'new_comment' }))
      )
    )
    assert.equal(retracted.filter(event => event).length, 1)
    assert.deepEqual((await readPage(db.db.control, userKey('ada'), 1)).counts, {
      snoozed: 0,
      unarchived: 0,
      unopened: 0,
      unseen: 0
    })
  }
})
