// Actions that are taken back, parts of the inbox, and clocks that are wrong.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { InboxPatch } from '#protocol'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import { createServerClock } from '../../components/store/environment.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import {
  createGatedTransport,
  createTestEnvironment,
  flushPromises,
  type TestEnvironment
} from './support.ts'

function openStore(): {
  readonly inbox: MemoryInbox
  readonly own: TestEnvironment
  readonly store: NotifStore
} {
  const own = createTestEnvironment()
  const inbox = memoryInbox({
    items: ['a', 'b', 'c', 'd'].map((id, i) => ({ id, title: id, type: i < 2 ? 'boats' : 'crews' })),
    now: own.now,
    tags: { sea: ['boats'] }
  })
  own.advance(1000)
  const store = createNotifStore({ environment: own, transport: inbox.transport() })
  store.$notifications.listen(() => {})
  return { inbox, own, store }
}

const counts = ({ store }: { readonly store: NotifStore }): string => {
  const { snoozed, unarchived, unopened, unseen } = store.$counts.get()
  return [unseen, unopened, unarchived, snoozed].join()
}

test('being seen changes only the number of the badge', async () => {
  const s = openStore()
  await flushPromises()
  assert.equal(counts(s), '4,4,4,0')
  await s.store.markAsSeen(['a', 'b'])
  assert.equal(counts(s), '2,4,4,0')
  assert.equal(s.store.$undoable.get(), undefined)
  assert.deepEqual(s.inbox.page(1).counts, s.store.$counts.get())
  s.store.destroy()
})

test('each action can be taken back once, and leaves what there was', async () => {
  const s = openStore()
  await flushPromises()
  const until = new Date(s.store.now() + 60_000)
  for (const act of [
    () => s.store.markAsArchived(['a']),
    () => s.store.snooze(['a', 'b'], until),
    () => s.store.markAsArchived('ALL'),
    () => s.store.markAsArchived('ALL', { types: ['boats'] })
  ]) {
    const before = counts(s)
    await act()
    assert.notEqual(counts(s), before)
    assert.ok(s.store.$undoable.get())
    await s.store.undo()
    assert.equal(counts(s), before)
    assert.equal(s.store.$undoable.get(), undefined)
    assert.deepEqual(s.inbox.page(9).items, s.store.$notifications.get())
  }
  await assert.rejects(s.store.snooze(['a'], new Date(0)), RangeError)
  s.store.destroy()
})

test('an undo that waits for the answer to its action has its own time, and is sent before later actions', async () => {
  const own = createTestEnvironment()
  const inbox = memoryInbox({ items: ['a', 'b'].map(id => ({ id, title: id })), now: own.now })
  const transport = createGatedTransport(inbox.transport())
  const store = createNotifStore({ environment: own, transport })
  store.$notifications.listen(() => {})
  await flushPromises()
  transport.hold('patch')
  const steps = [() => store.markAsArchived('ALL'), store.undo, () => store.markAsArchived('ALL')]
  const done = []
  for (const step of steps) {
    own.advance(1000)
    done.push(step())
    await flushPromises()
  }
  assert.deepEqual(
    store.$notifications.get().map(({ archived }) => Boolean(archived)),
    [true, true]
  )
  await transport.release('patch')
  await Promise.all(done)
  const patches = transport.calls.flatMap(({ args, name }) =>
    name === 'patch' ? [args[0] as InboxPatch] : []
  )
  assert.deepEqual(
    patches.map(({ undo }) => Boolean(undo)),
    [false, true, false]
  )
  assert.deepEqual(
    patches.map(({ at }) => at),
    patches.map(({ at }) => at).toSorted()
  )
  assert.deepEqual(
    store.$notifications.get().map(({ archived }) => Boolean(archived)),
    [true, true]
  )
  store.destroy()
})

test('a view has its part of the inbox, and the exact number of the server', async () => {
  const s = openStore()
  const boats = s.store.openView({ tags: ['sea'], view: 'unread' })
  const archived = s.store.openView({ view: 'archived' })
  for (let i = 0; i < 20 && boats.$count.get() < 2; i++) await flushPromises()
  const ids = ({ $items }: typeof boats): string =>
    $items
      .get()
      .map(({ id }) => id)
      .join()
  assert.equal(ids(boats), 'b,a')
  assert.equal(boats.$count.get(), 2)
  await s.store.markAsArchived(['a', 'c'])
  assert.equal(ids(boats), 'b')
  assert.equal(boats.$count.get(), 1)
  assert.equal(ids(archived), 'c,a')
  boats.close()
  archived.close()
  s.store.destroy()
})

test('a view whose tags are not resolved says that it failed, and loads when it is asked again', async () => {
  const own = createTestEnvironment()
  const inbox = memoryInbox({
    items: [{ id: 'a', title: 'a', type: 'boats' }],
    now: own.now,
    tags: { sea: ['boats'] }
  })
  const transport = inbox.transport()
  let works = false
  const store = createNotifStore({
    environment: own,
    transport: {
      ...transport,
      getTypeCounts: async (...names) => {
        if (!works) throw new TransportError(0, 'away')
        return transport.getTypeCounts(...names)
      }
    }
  })
  const boats = store.openView({ tags: ['sea'], view: 'inbox' })
  const state = (): string => boats.$loading.get().state
  for (let i = 0; i < 20 && state() !== 'failed'; i++) await flushPromises()
  assert.equal(state(), 'failed')
  works = true
  void boats.loadMore()
  for (let i = 0; i < 20 && boats.$items.get().length === 0; i++) await flushPromises()
  assert.deepEqual([boats.$items.get().length, boats.$count.get(), state()], [1, 1, 'ready'])
  boats.close()
  store.destroy()
})

test('an undo after the end of an earlier snooze restores no snooze', async () => {
  const s = openStore()
  await flushPromises()
  await s.store.snooze(['a'], new Date(s.store.now() + 60_000))
  await s.store.markAsArchived(['a'])
  s.own.advance(120_000)
  await s.store.undo()
  const item = s.store.$notifications.get().find(({ id }) => id === 'a')
  assert.deepEqual([item!.archived, item!.snoozedUntil], [undefined, undefined])
  s.store.destroy()
})

test('a view without initial notifications reads its number, and loads them when it is asked', async () => {
  const s = openStore()
  const boats = s.store.openView({ initialItems: 0, tags: ['sea'], view: 'inbox' })
  assert.equal(boats.$types.get(), undefined)
  for (let i = 0; i < 20 && boats.$count.get() < 2; i++) await flushPromises()
  assert.equal(boats.$count.get(), 2)
  assert.deepEqual(boats.$types.get(), ['boats'])
  await boats.loadMore()
  assert.equal(boats.$items.get().length, 2)
  boats.close()
  s.store.destroy()
})

test('a clock that is days off does not decide who is the last', async () => {
  const own = createTestEnvironment()
  const inbox = memoryInbox({ items: [{ id: 'a', title: 'a' }], now: own.now })
  const stores = [3, -3].map(days => {
    const clock = createServerClock()
    clock.offsetMs = -days * 86_400_000
    const store = createNotifStore({ environment: { ...own, clock }, transport: inbox.transport() })
    store.$notifications.listen(() => {})
    return store
  })
  await flushPromises()
  for (const [index, store] of stores.entries()) {
    own.advance(1000)
    await (index === 0 ? store.markAsArchived(['a']) : store.markAsUnarchived(['a']))
    assert.equal(Boolean(inbox.page(1).items[0]!.archived), index === 0)
  }
  for (const store of stores) store.destroy()
})
