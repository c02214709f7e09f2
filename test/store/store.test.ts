// The store as a page uses it, over an inbox in memory.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import type { InboxPatch } from '#protocol'

import {
  createNotifStore,
  TransportError,
  type NotifStore,
  type StoreConfig
} from '../../components/headless/index.ts'
import { memoryInbox, type MemoryInbox, type MemoryOptions } from '../../components/transport/memory.ts'
import {
  createGatedTransport,
  flushPromises,
  createSharedCache,
  createTestEnvironment,
  type GatedTransport,
  type SharedCache,
  type TestEnvironment
} from './support.ts'

interface StoreFixture {
  readonly inbox: MemoryInbox
  readonly store: NotifStore
  readonly transport: GatedTransport
  readonly world: TestEnvironment
  titles(): string[]
  counts(): string
  /** Listens to all atoms and waits for the first page. */
  mount(): Promise<void>
}

const createDrafts = (count: number): { title: string }[] =>
  Array.from({ length: count }, (_, i) => ({ title: `t${i + 1}` }))

function createFixture(
  options: MemoryOptions = { items: createDrafts(3) },
  config: Partial<StoreConfig> = {},
  sharedCache?: SharedCache
): StoreFixture {
  const own = createTestEnvironment()
  const inbox = memoryInbox({ now: own.now, ...options })
  const transport = createGatedTransport(inbox.transport(), sharedCache)
  const store = createNotifStore({ environment: own, ...config, transport } as StoreConfig)
  return {
    counts: () => `${store.$unopened.get()}/${store.$unarchived.get()}`,
    inbox,
    async mount() {
      for (const $atom of [
        store.$notifications,
        store.$unopened,
        store.$unarchived,
        store.$loading,
        store.$connection
      ]) {
        ;($atom as NotifStore['$unopened']).listen(() => {})
      }
      await flushPromises()
    },
    store,
    titles: () =>
      store.$notifications
        .get()
        .map(({ archived, opened, title }) => `${title}${opened ? ' o' : ''}${archived ? ' a' : ''}`),
    transport,
    world: own
  }
}

const findId = ({ store }: StoreFixture, title: string): string =>
  store.$notifications.get().find(n => n.title === title)!.id

test('does nothing before the first listener, and any public atom starts it', async () => {
  for (const name of [
    '$notifications',
    '$counts',
    '$unopened',
    '$unarchived',
    '$loading',
    '$connection'
  ] as const) {
    const { store, transport } = createFixture()
    await flushPromises()
    assert.equal(transport.calls.length, 0, name)
    ;(store[name] as NotifStore['$unopened']).listen(() => {})
    await flushPromises()
    // The state of the connection needs no list.
    assert.equal(transport.count('page'), name === '$connection' ? 0 : 1, name)
    assert.equal(transport.listeners.size, 1, name)
    store.destroy()
    assert.equal(transport.listeners.size, 0, name)
  }
})

test('the first page is sorted newest first, with the counters of the server', async () => {
  const s = createFixture({ items: createDrafts(5) }, { pageSize: 2 })
  assert.deepEqual(s.store.$loading.get(), { state: 'busy' })
  await s.mount()
  assert.deepEqual(s.titles(), ['t5', 't4'])
  assert.equal(s.counts(), '5/5')
  assert.deepEqual(s.store.$loading.get(), { more: true, state: 'ready' })
  assert.deepEqual(s.store.$connection.get(), { state: 'online' })
})

test('loads one page after the other, and one for two calls at once', async () => {
  const s = createFixture({ items: createDrafts(5) }, { pageSize: 2 })
  await s.mount()
  await Promise.all([s.store.loadMore(), s.store.loadMore()])
  assert.deepEqual(s.titles(), ['t5', 't4', 't3', 't2'])
  await s.store.loadMore()
  await s.store.loadMore()
  assert.deepEqual(s.titles(), ['t5', 't4', 't3', 't2', 't1'])
  assert.deepEqual(s.store.$loading.get(), { more: false, state: 'ready' })
  assert.equal(s.transport.count('page'), 3)
})

test('loads as many notifications as requested, and a page if it is called with an event', async () => {
  const s = createFixture({ items: createDrafts(30) }, { pageSize: 2 })
  await s.mount()
  await s.store.loadMore(9)
  assert.equal(s.titles().length, 11)
  await s.store.loadMore(1)
  assert.equal(s.titles().length, 13)
  await s.store.loadMore(new Event('click') as never)
  assert.equal(s.titles().length, 15)
})

test('shows and reports a live notification without a request', async () => {
  const s = createFixture()
  const reported: string[][] = []
  s.store.onNewNotifications(items => reported.push(items.map(i => i.title)))
  await s.mount()
  s.inbox.add({ title: 'new' })
  await flushPromises()
  assert.deepEqual(s.titles(), ['new', 't3', 't2', 't1'])
  assert.equal(s.counts(), '4/4')
  assert.deepEqual(reported, [['new']])
  assert.equal(s.transport.calls.length, 1)
})

test('a notification that did not change stays the same object', async () => {
  const s = createFixture()
  await s.mount()
  const before = s.store.$notifications.get()
  s.inbox.add({ title: 'new' })
  assert.deepEqual(s.store.$notifications.get().slice(1), before)
  assert.ok(
    s.store.$notifications
      .get()
      .slice(1)
      .every((item, i) => item === before[i])
  )
  let reported = 0
  s.store.$notifications.listen(() => reported++)
  await s.store.reload()
  assert.equal(reported, 0)
})

test('shows an action immediately and confirms it', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.hold('patch')
  const done = s.store.markAsOpened([findId(s, 't2')])
  assert.deepEqual(s.titles(), ['t3', 't2 o', 't1'])
  assert.equal(s.counts(), '2/3')
  await flushPromises()
  await s.transport.release('patch')
  await done
  assert.deepEqual(s.titles(), ['t3', 't2 o', 't1'])
  assert.equal(s.counts(), '2/3')
  assert.equal(s.inbox.page(9).counts.unopened, 2)
})

test('the live change of its own action is not counted twice', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.hold('patch')
  const seen: string[] = []
  s.store.$counts.subscribe(({ unarchived, unopened }) => seen.push(`${unopened}/${unarchived}`))
  const done = s.store.markAsArchived([findId(s, 't2')])
  await flushPromises()
  assert.equal(s.inbox.page(9).counts.unarchived, 2)
  await s.transport.release('patch')
  await done
  assert.deepEqual(seen, ['3/3', '2/2'])
})

test('rolls back a refused action and keeps changes that arrived meanwhile', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.hold('patch')
  s.transport.fail('patch', new TransportError(403, 'No.'))
  const done = s.store.markAsArchived([findId(s, 't2')])
  done.catch(() => {})
  await flushPromises()
  s.inbox.add({ title: 'between' })
  s.inbox.patch({ opened: new Date().toISOString(), trackingIds: [findId(s, 't2'), findId(s, 't1')] })
  assert.deepEqual(s.titles(), ['between', 't3', 't2 o a', 't1 o'])
  assert.equal(s.counts(), '2/3')
  await s.transport.release('patch')
  await assert.rejects(done, (error: unknown) => error instanceof TransportError && error.status === 403)
  assert.deepEqual(s.titles(), ['between', 't3', 't2 o', 't1 o'])
  assert.equal(s.counts(), '2/4')
})

test('a refused action does not roll back later pending ones', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.hold('patch')
  s.transport.fail('patch', new TransportError(403, 'No.'))
  const refused = s.store.markAsArchived([findId(s, 't2')])
  refused.catch(() => {})
  await flushPromises()
  s.transport.fail('patch', undefined)
  const opened = s.store.markAsOpened([findId(s, 't1')])
  const shown: string[] = []
  s.store.$notifications.listen(() => shown.push(s.titles().join()))
  await s.transport.release('patch')
  await assert.rejects(refused)
  await opened
  assert.equal(s.titles().join(), 't3,t2,t1 o')
  assert.deepEqual(new Set(shown), new Set(['t3,t2,t1 o']))
})

test('actions of one task are one request, and later ones are sent in order after the answer', async () => {
  const s = createFixture()
  await s.mount()
  const [one, two, three] = ['t1', 't2', 't3'].map(title => findId(s, title)) as [string, string, string]
  s.transport.hold('patch')
  const done = [s.store.markAsArchived([one]), s.store.markAsArchived([two])]
  await flushPromises()
  done.push(s.store.markAsUnarchived([one]), s.store.markAsArchived([three]), s.store.markAsOpened([two]))
  assert.deepEqual(s.titles(), ['t3 a', 't2 o a', 't1'])
  await flushPromises()
  assert.equal(s.transport.count('patch'), 1)
  await s.transport.release('patch')
  await Promise.all(done)
  const sent = s.transport.calls.filter(call => call.name === 'patch').map(call => call.args[0])
  assert.deepEqual(
    sent.map(patch => (patch as { trackingIds: string[] }).trackingIds),
    [[one, two], [one], [three], [two]]
  )
  assert.deepEqual(s.titles(), ['t3 a', 't2 o a', 't1'])
  assert.equal(s.counts(), '1/1')
})

test('an action that changes nothing makes no request', async () => {
  const s = createFixture()
  await s.mount()
  const one = findId(s, 't1')
  await s.store.markAsUnopened([one])
  const [first, second] = [s.store.markAsOpened([one]), s.store.markAsOpened([one])]
  await Promise.all([first, second])
  await s.store.markAsClicked(one)
  await s.store.markAsClicked(one)
  await s.store.markAsOpened()
  await s.store.markAsOpened()
  assert.equal(s.transport.count('patch'), 3)
})

test('a click also opens a notification, and keeps the time when it was opened first', async () => {
  const s = createFixture()
  await s.mount()
  await s.store.markAsOpened([findId(s, 't1')])
  const opened = s.store.$notifications.get()[2]!.opened
  s.world.advance(5000)
  await Promise.all([s.store.markAsClicked(findId(s, 't1')), s.store.markAsClicked(findId(s, 't2'))])
  const [, two, one] = s.store.$notifications.get()
  assert.equal(one!.opened, opened)
  assert.notEqual(one!.clicked, opened)
  assert.equal(two!.opened, two!.clicked)
  assert.equal(s.counts(), '1/3')
})

test('"all" includes notifications that are not loaded, but none that arrived after the last shown version', async () => {
  const s = createFixture({ items: createDrafts(10) }, { pageSize: 3 })
  await s.mount()
  assert.equal(s.counts(), '10/10')
  s.transport.hold('patch')
  const opened = s.store.markAsOpened()
  assert.equal(s.counts(), '0/10')
  // Arrives after the server applied the action.
  await flushPromises()
  s.inbox.add({ title: 'later' })
  assert.equal(s.counts(), '1/11')
  await s.transport.release('patch')
  await opened
  assert.equal(s.counts(), '1/11')
  assert.deepEqual(s.titles(), ['later', 't10 o', 't9 o', 't8 o'])

  // Arrives before the server applied the action.
  s.transport.hold('patch')
  const refused = new TransportError(500, 'later')
  s.transport.fail('patch', refused)
  const archived = s.store.markAsArchived('ALL')
  archived.catch(() => {})
  s.inbox.add({ title: 'latest' })
  assert.equal(s.counts(), '1/1')
  assert.deepEqual(s.titles(), ['latest', 'later a', 't10 o a', 't9 o a', 't8 o a'])
  await flushPromises()
  await s.transport.release('patch')
  await assert.rejects(archived)
  assert.equal(s.counts(), '2/12')
})

test('"all" before the first page waits for it and covers only its version', async () => {
  const s = createFixture()
  s.transport.hold('page')
  s.store.$unopened.listen(() => {})
  await flushPromises()
  const opened = s.store.markAsOpened()
  await flushPromises()
  assert.equal(s.transport.count('patch'), 0)
  await s.transport.release('page')
  await opened
  const [patch] = s.transport.calls.find(({ name }) => name === 'patch')!.args
  assert.equal((patch as InboxPatch).through, s.inbox.page(1).version - 1)
  assert.equal(s.counts(), '0/3')
})

test('an answer before missing changes does not hide the action', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.deaf = true
  s.inbox.add({ title: 'unheard' })
  s.transport.hold('changes')
  const seen: string[] = []
  s.store.$notifications.listen(items =>
    seen.push(items.map(i => `${i.title}${i.archived ? ' a' : ''}`).join())
  )
  await s.store.markAsArchived([findId(s, 't2')])
  await flushPromises()
  assert.deepEqual(seen, ['t3,t2 a,t1'])
  await s.transport.release('changes')
  assert.deepEqual(seen, ['t3,t2 a,t1', 'unheard,t3,t2 a,t1'])
  assert.equal(s.counts(), '3/3')
})

test('an older event after that answer does not hide the action', async () => {
  const s = createFixture()
  await s.mount()
  const before = s.inbox.page(1).version
  s.transport.deaf = true
  const unheard = s.inbox.add({ title: 'unheard' })
  const change = {
    counts: { snoozed: 0, unarchived: 4, unopened: 4, unseen: 4 },
    items: [unheard],
    prev: before,
    removed: []
  }
  s.transport.hold('changes')
  await s.store.markAsArchived([findId(s, 't2')])
  const [listener] = s.transport.listeners
  listener!({ change: { ...change, version: unheard.rev }, type: 'change' })
  assert.deepEqual(s.titles(), ['unheard', 't3', 't2 a', 't1'])
  assert.equal(s.counts(), '3/3')
  await s.transport.release('changes')
  assert.equal(s.counts(), '3/3')
})

test('an older page with a newer version causes a request for the changes', async () => {
  const s = createFixture({ items: createDrafts(4) }, { pageSize: 2 })
  await s.mount()
  s.transport.deaf = true
  s.inbox.add({ title: 'lost' })
  await s.store.loadMore()
  assert.deepEqual(s.titles(), ['lost', 't4', 't3', 't2', 't1'])
})

test('requests the changes after a lost event, and reports new notifications once', async () => {
  const s = createFixture()
  const reported: string[] = []
  s.store.onNewNotifications(items => reported.push(...items.map(i => i.title)))
  await s.mount()
  s.transport.deaf = true
  s.inbox.add({ title: 'lost' })
  s.transport.deaf = false
  s.inbox.add({ title: 'heard' })
  await flushPromises()
  assert.deepEqual(s.titles(), ['heard', 'lost', 't3', 't2', 't1'])
  assert.deepEqual(reported, ['lost', 'heard'])
  assert.equal(s.transport.count('changes'), 1)
  assert.equal(s.transport.count('page'), 1)
})

test('requests the changes after a heartbeat with a newer version', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.deaf = true
  s.inbox.add({ title: 'lost' })
  s.transport.deaf = false
  const [listener] = s.transport.listeners
  listener!({ type: 'head', version: s.inbox.page(1).version })
  await flushPromises()
  assert.deepEqual(s.titles(), ['lost', 't3', 't2', 't1'])
})

test('does not request forever a version that the server does not know', async () => {
  const s = createFixture()
  await s.mount()
  const [listener] = s.transport.listeners
  listener!({ type: 'head', version: s.inbox.page(1).version + 1000 })
  await flushPromises()
  assert.equal(s.transport.count('changes'), 1)
})

test('a reset loads as many notifications again, and removes those that are gone', async () => {
  const s = createFixture({ items: createDrafts(10), maxChanges: 3 }, { pageSize: 2 })
  await s.mount()
  await s.store.loadMore()
  s.transport.deaf = true
  s.inbox.remove(findId(s, 't9'))
  for (const title of ['a', 'b', 'c']) s.inbox.add({ title })
  s.transport.deaf = false
  s.inbox.add({ title: 'd' })
  await flushPromises()
  assert.deepEqual(s.transport.calls.at(-1), { args: [4, undefined], name: 'page' })
  assert.deepEqual(s.titles(), ['d', 'c', 'b', 'a'])
  assert.equal(s.counts(), '13/13')
  await s.store.loadMore()
  assert.deepEqual(s.titles(), ['d', 'c', 'b', 'a', 't10', 't8'])
})

test('accepts the state of a server that was restored from a backup', async () => {
  const s = createFixture({ items: createDrafts(3) })
  await s.mount()
  s.transport.hold('page')
  const [listener] = s.transport.listeners
  listener!({ reset: true, type: 'reset', version: 5 })
  await flushPromises()
  s.inbox.remove(findId(s, 't2'))
  await s.transport.release('page')
  assert.deepEqual(s.titles(), ['t3', 't1'])
})

test('stores "all" immediately, also while a reset loads the list again', async () => {
  const sharedCache = createSharedCache()
  const s = createFixture(undefined, undefined, sharedCache)
  await s.mount()
  s.transport.hold('page')
  const [listener] = s.transport.listeners
  listener!({ reset: true, type: 'reset', version: s.inbox.page(1).version })
  await flushPromises()
  s.transport.fail('patch', new TransportError(0, 'Not reached.'))
  const seen = s.inbox.page(1).version
  const late = s.inbox.add({ title: 'late' })
  const done = s.store.markAsArchived('ALL')
  assert.deepEqual(s.titles(), ['t3 a', 't2 a', 't1 a'])
  await flushPromises()
  assert.deepEqual(
    [...sharedCache.actions.values()].map(action => 'patch' in action && action.patch.through),
    [seen]
  )
  s.store.destroy()
  assert.equal(await done, 'left')
  const transport = createGatedTransport(s.inbox.transport(), sharedCache)
  const next = createNotifStore({ environment: s.world, transport })
  next.$notifications.listen(() => {})
  for (let i = 0; i < 20 && sharedCache.actions.size > 0; i++) await flushPromises()
  assert.equal(transport.count('patch'), 1)
  assert.deepEqual(
    next.$notifications.get().filter(({ archived }) => !archived),
    [late]
  )
  next.destroy()
})

test('keeps changes that arrive while the first page loads', async () => {
  const s = createFixture()
  s.transport.hold('page')
  await s.mount()
  s.inbox.add({ title: 'meanwhile' })
  await flushPromises()
  await s.transport.release('page')
  assert.deepEqual(s.titles(), ['meanwhile', 't3', 't2', 't1'])
  assert.equal(s.counts(), '4/4')
})

test('a page that arrives late restores neither older forms nor removed notifications', async () => {
  const s = createFixture({ items: createDrafts(6) }, { pageSize: 2 })
  await s.mount()
  s.transport.hold('page')
  const more = s.store.loadMore()
  await flushPromises()
  const [three, four] = s.inbox.page(9).items.filter(i => ['t3', 't4'].includes(i.title))
  s.inbox.patch({ archived: new Date().toISOString(), trackingIds: [three!.id] })
  s.inbox.remove(four!.id)
  await s.transport.release('page')
  await more
  assert.deepEqual(s.titles(), ['t6', 't5', ...(three!.title === 't3' ? ['t3 a'] : ['t4 a'])])
})

test('shows a change of an older notification when its page is loaded', async () => {
  const s = createFixture({ items: createDrafts(6) }, { pageSize: 2 })
  await s.mount()
  const old = s.inbox.page(9).items.find(i => i.title === 't2')!
  s.inbox.patch({ opened: new Date().toISOString(), trackingIds: [old.id] })
  assert.deepEqual(s.titles(), ['t6', 't5'])
  assert.equal(s.counts(), '5/6')
  await s.store.loadMore()
  assert.deepEqual(s.titles(), ['t6', 't5', 't4', 't3'])
  await s.store.loadMore()
  assert.deepEqual(s.titles(), ['t6', 't5', 't4', 't3', 't2 o', 't1'])
})

test('shows that the first page failed, and requests it again, sooner if the connection comes back', async () => {
  const s = createFixture()
  s.transport.fail('page', new TransportError(0, 'Not reached.'))
  await s.mount()
  assert.equal(s.store.$loading.get().state, 'failed')
  s.world.advance(30_000)
  await flushPromises()
  const tries = s.transport.count('page')
  assert.ok(tries >= 2, `${tries} tries`)
  s.transport.fail('page', undefined)
  s.inbox.setOnline(false)
  assert.deepEqual(s.store.$connection.get(), { state: 'offline' })
  s.inbox.setOnline(true)
  await flushPromises()
  assert.deepEqual(s.titles(), ['t3', 't2', 't1'])
  assert.deepEqual(s.store.$loading.get(), { more: false, state: 'ready' })
})

test('loads notifications of the time without a connection when it comes back', async () => {
  const s = createFixture()
  await s.mount()
  s.inbox.setOnline(false)
  s.inbox.add({ title: 't4' })
  await flushPromises()
  assert.deepEqual(s.titles(), ['t3', 't2', 't1'])
  s.inbox.setOnline(true)
  await flushPromises()
  assert.deepEqual(s.titles(), ['t4', 't3', 't2', 't1'])
})

test('requests a refused first page again only if the user asks for it', async () => {
  const s = createFixture()
  s.transport.fail('page', new TransportError(401, 'Wrong.'))
  await s.mount()
  s.world.advance(600_000)
  await flushPromises()
  const tries = s.transport.count('page')
  s.transport.fail('page', undefined)
  const again = s.store.reload()
  assert.equal(s.store.$loading.get().state, 'busy')
  await again
  assert.ok(tries <= 2, `${tries} tries`)
  assert.deepEqual(s.titles(), ['t3', 't2', 't1'])
})

test('keeps the list if an older page fails, and requests that page at the next try', async () => {
  const s = createFixture({ items: createDrafts(4) }, { pageSize: 2 })
  await s.mount()
  s.transport.fail('page', new TransportError(503, 'Not now.'))
  await s.store.loadMore()
  assert.equal(s.store.$loading.get().state, 'failed')
  assert.deepEqual(s.titles(), ['t4', 't3'])
  s.transport.fail('page', undefined)
  await s.store.reload()
  assert.deepEqual(s.titles(), ['t4', 't3', 't2', 't1'])
})

test('keeps the list if its changes cannot be loaded, and requests them again', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.fail('changes', new TransportError(0, 'Not reached.'))
  s.transport.deaf = true
  s.inbox.add({ title: 'lost' })
  s.transport.deaf = false
  s.inbox.add({ title: 'heard' })
  await flushPromises()
  assert.deepEqual(s.store.$loading.get(), { more: false, state: 'ready' })
  assert.deepEqual(s.titles(), ['t3', 't2', 't1'])
  s.transport.fail('changes', undefined)
  s.world.advance(30_000)
  await flushPromises()
  assert.deepEqual(s.titles(), ['heard', 'lost', 't3', 't2', 't1'])
})

test('a hidden page stays connected for a minute, a page that is left does not', async () => {
  const s = createFixture()
  const reported: string[] = []
  s.store.onNewNotifications(items => reported.push(...items.map(i => i.title)))
  await s.mount()
  s.world.signal('hide')
  s.world.advance(59_999)
  assert.equal(s.transport.listeners.size, 1)
  s.world.signal('show')
  s.world.signal('hide')
  s.world.advance(59_999)
  assert.equal(s.transport.listeners.size, 1)
  s.world.advance(1)
  assert.equal(s.transport.listeners.size, 0)
  assert.deepEqual(s.store.$connection.get(), { state: 'idle' })
  s.inbox.add({ title: 'unseen' })
  s.world.signal('show')
  await flushPromises()
  assert.deepEqual(s.titles(), ['unseen', 't3', 't2', 't1'])
  assert.deepEqual(reported, ['unseen'])
  s.world.signal('freeze')
  assert.equal(s.transport.listeners.size, 0)
  s.world.signal('show')
  await flushPromises()
  assert.deepEqual(s.store.$connection.get(), { state: 'online' })
})

test('signals of the network do not close the connection', async () => {
  const s = createFixture()
  await s.mount()
  for (const signal of ['lost', 'wake'] as const) s.world.signal(signal)
  s.world.advance(60_000)
  assert.equal(s.transport.listeners.size, 1)
})

test('works without the offline cache if it cannot be opened', async () => {
  const broken: SharedCache = {
    ...createSharedCache(),
    open: () => Promise.reject(new Error('The disk is full.'))
  }
  const s = createFixture(undefined, undefined, broken)
  await s.mount()
  await s.store.markAsArchived([findId(s, 't2')])
  assert.deepEqual(s.titles(), ['t3', 't2 a', 't1'])
})

test('sends a click immediately, because it may leave the page', async () => {
  const s = createFixture()
  await s.mount()
  s.transport.hold('patch')
  const opened = s.store.markAsOpened()
  await flushPromises()
  const clicked = s.store.markAsClicked(findId(s, 't2'))
  await flushPromises()
  assert.equal(s.transport.count('patch'), 2)
  await s.transport.release('patch')
  await Promise.all([opened, clicked])
  assert.deepEqual(s.store.$notifications.get(), s.inbox.page(9).items)
})

test('stops after the last listener, and the next one catches up without reports', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const s = createFixture()
  const reported: string[] = []
  s.store.onNewNotifications(items => reported.push(...items.map(i => i.title)))
  const off = s.store.$unopened.listen(() => {})
  await flushPromises()
  off()
  // Atoms stop one second after their last listener.
  t.mock.timers.tick(1000)
  assert.equal(s.transport.listeners.size, 0)
  assert.equal(s.world.waiting, 0)
  s.inbox.add({ title: 'away' })
  s.inbox.remove(s.inbox.page(9).items[1]!.id)
  s.store.$notifications.listen(() => {})
  await flushPromises()
  assert.deepEqual(s.titles(), ['away', 't2', 't1'])
  assert.deepEqual(reported, [])
  assert.equal(s.transport.count('page'), 1)
  s.inbox.add({ title: 'back' })
  await flushPromises()
  assert.deepEqual(reported, ['back'])
  mock.timers.reset()
})

test('shows the reason why credentials were refused', async () => {
  const s = createFixture()
  await s.mount()
  const [listener] = s.transport.listeners
  listener!({ detail: 'The hash does not fit.', title: 'Unauthorized', type: 'refused' })
  assert.deepEqual(s.store.$connection.get(), {
    detail: 'The hash does not fit.',
    state: 'refused',
    title: 'Unauthorized'
  })
})

test('a destroyed store is empty and ignores answers that arrive later', async () => {
  const s = createFixture()
  s.transport.hold('page')
  await s.mount()
  s.store.destroy()
  await s.transport.release('page')
  assert.deepEqual(s.titles(), [])
  assert.equal(s.counts(), '0/0')
  assert.equal(s.transport.listeners.size, 0)
  assert.equal(s.world.waiting, 0)
  assert.equal(s.transport.count('page'), 1)
})

test('a page cannot change the values that it reads, so a refused action can be rolled back', async () => {
  const s = createFixture()
  await s.mount()
  s.inbox.add({ title: 'live' })
  await flushPromises()
  const now = (): readonly string[] => s.store.$notifications.get().map(({ archived = '-' }) => archived)
  const list = s.store.$notifications.get()
  for (const one of [list, ...list]) assert.throws(() => Object.assign(one, ['spoilt']), TypeError)
  assert.throws(() => Object.assign(s.store.$counts.get(), { unopened: 0 }), TypeError)
  s.transport.fail('patch', new TransportError(403, 'No.'))
  await assert.rejects(s.store.markAsArchived('ALL'))
  assert.deepEqual(now(), ['-', '-', '-', '-'])
})

test('actions without an answer resolve with "left" when the store is destroyed', async () => {
  const s = createFixture({ items: createDrafts(4) })
  await s.mount()
  const [d, c, b, a] = s.store.$notifications.get().map(({ id }) => id)
  assert.equal(await s.store.markAsArchived([d!]), undefined)
  s.transport.hold('patch')
  const waiting = [s.store.markAsOpened([a!]), s.store.markAsOpened([c!]), s.store.markAsClicked(b!)]
  await flushPromises()
  waiting.push(s.store.markAsArchived([c!]))
  await flushPromises()
  s.store.destroy()
  assert.deepEqual(await Promise.all(waiting), ['left', 'left', 'left', 'left'])
  await s.transport.release('patch')
  assert.equal(s.counts(), '0/0')
  await assert.rejects(s.store.markAsArchived([a!]), /destroyed/)
})

test('an action without listeners loads no page and opens no connection', async () => {
  const { inbox, store, transport } = createFixture()
  await store.markAsArchived([inbox.page(1).items[0]!.id])
  await store.getClient().identify({ email: 'a@example.com' })
  assert.equal(inbox.page(1).counts.unarchived, 2)
  assert.deepEqual(
    transport.calls.map(call => call.name),
    ['patch', 'identify']
  )
  assert.equal(transport.listeners.size, 0)
})

test('a single id counts as a list', async () => {
  const s = createFixture({ items: createDrafts(2) })
  await s.mount()
  const [one, other] = s.store.$notifications.get()
  await s.store.markAsArchived(one!.id as never)
  await s.store.markAsOpened(other!.id as never)
  assert.deepEqual(s.titles(), ['t2 a', 't1 o'])
  await s.store.markAsUnarchived(one!.id as never)
  assert.deepEqual(s.titles(), ['t2', 't1 o'])
})
