// A store that begins with the counters: its requests, when it loads the inbox, and that no value changes by that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import type { NotifStore } from '../../components/headless/index.ts'
import { createLazyStore } from '../../components/live/lazy-store.ts'
import { TransportError, type LiveEvent } from '../../components/store/transport.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import { testSeeds } from '../support/generated.ts'
import { random as createRandom } from '../support/random.ts'
import { UnreliableNetwork } from './network.ts'
import {
  createGatedTransport,
  flushPromises,
  createSharedCache,
  createTestEnvironment,
  type GatedTransport,
  type TestEnvironment
} from './support.ts'

interface Page {
  readonly inbox: MemoryInbox
  readonly own: TestEnvironment
  readonly store: NotifStore
  readonly reported: string[]
  readonly transport: GatedTransport
}

function openPage(titles: readonly string[] = []): Page {
  const own = createTestEnvironment()
  const inbox = memoryInbox({ items: titles.map(title => ({ title })), now: own.now })
  const transport = createGatedTransport(inbox.transport())
  const store = createLazyStore({ environment: own, transport })
  const reported: string[] = []
  store.onNewNotifications(items => reported.push(...items.map(({ title }) => title)))
  return { inbox, own, store, reported, transport }
}

const listen = ({ listen }: { listen(listener: () => void): () => void }): (() => void) => listen(() => {})

/** Waits until the code of the inbox is loaded. */
async function waitForUnopened(store: NotifStore, count: number): Promise<void> {
  while (store.$notifications.get().length !== count) await flushPromises()
}

test('does nothing before the first listener', async () => {
  const { own, transport } = openPage(['One'])
  await flushPromises()
  assert.equal(transport.listeners.size, 0)
  assert.equal(own.waiting, 0)
})

test('a badge needs only the connection: counters from the greeting, then from each change', async () => {
  const { inbox, store, reported, transport } = openPage(['One', 'Two'])
  listen(store.$unopened)
  await flushPromises()
  assert.equal(store.$unopened.get(), 2)
  inbox.add({ title: 'Three' })
  assert.deepEqual(store.$counts.get(), { snoozed: 0, unarchived: 3, unopened: 3, unseen: 3 })
  inbox.patch({ archived: new Date().toISOString(), trackingIds: 'ALL' })
  assert.equal(store.$unarchived.get(), 0)
  await flushPromises()
  assert.deepEqual(reported, ['Three'])
  assert.deepEqual(transport.calls, [])
})

test('a listener to notifications loads the inbox over the connection that is already open', async () => {
  const { inbox, store, reported, transport } = openPage(['One'])
  listen(store.$unopened)
  await flushPromises()
  const [line] = transport.listeners
  listen(store.$notifications)
  await waitForUnopened(store, 1)
  inbox.add({ title: 'Two' })
  await flushPromises()
  assert.equal(store.$notifications.get().length, 2)
  assert.equal(store.$unopened.get(), 2)
  assert.deepEqual(reported, ['Two'])
  assert.deepEqual([...transport.listeners], [line])
  assert.equal(transport.count('page'), 1)
})

test('counters stay while the first page loads, and notifications that arrive meanwhile are reported once', async () => {
  const { inbox, own, store, reported, transport } = openPage(['One'])
  const numbers: number[] = []
  store.$unopened.subscribe(n => numbers.push(n))
  await flushPromises()
  transport.hold('page')
  listen(store.$notifications)
  while (transport.count('page') === 0) await flushPromises()
  inbox.add({ title: 'Two' })
  own.advance(10)
  await flushPromises()
  await transport.release('page')
  await waitForUnopened(store, 2)
  await flushPromises()
  assert.deepEqual(reported, ['Two'])
  assert.deepEqual(numbers, [0, 1, 2])
})

test('an action works before the list is loaded, and is shown when the inbox is loaded', async () => {
  const { inbox, store, transport } = openPage(['One', 'Two'])
  listen(store.$unopened)
  await flushPromises()
  await store.markAsOpened()
  assert.equal(store.$unopened.get(), 0)
  assert.equal(inbox.page(9).counts.unopened, 0)
  transport.hold('patch')
  const [item] = inbox.page(1).items
  const archived = store.markAsArchived([item!.id])
  assert.equal(store.$unarchived.get(), 1)
  await transport.release('patch')
  await archived
})

test('requests a missed change', async () => {
  const { inbox, store, reported, transport } = openPage(['One'])
  listen(store.$unopened)
  await flushPromises()
  transport.deaf = true
  inbox.add({ title: 'Missed' })
  transport.deaf = false
  inbox.add({ title: 'Heard' })
  while (store.$unopened.get() < 3) await flushPromises()
  await flushPromises()
  assert.deepEqual(reported, ['Missed', 'Heard'])
})

test('requests the changes after a heartbeat with a newer version', async () => {
  const { inbox, store, transport } = openPage(['One'])
  listen(store.$unopened)
  await flushPromises()
  transport.deaf = true
  inbox.add({ title: 'Missed' })
  transport.deaf = false
  for (const hear of transport.listeners) hear({ type: 'head', version: inbox.page(1).version })
  while (store.$unopened.get() < 2) await flushPromises()
})

test('a change that arrives twice or late does not change the counters', async () => {
  const { inbox, store, reported, transport } = openPage(['One'])
  listen(store.$unopened)
  await flushPromises()
  const { id } = inbox.page(1).items[0]!
  const change = inbox.patch({ opened: new Date().toISOString(), trackingIds: [id] })
  inbox.add({ title: 'Two' })
  for (const hear of transport.listeners) hear({ change, type: 'change' })
  assert.deepEqual(store.$counts.get(), { snoozed: 0, unarchived: 2, unopened: 1, unseen: 1 })
  await flushPromises()
  assert.deepEqual(reported, ['Two'])
})

test('without a connection the counters are requested: immediately if it breaks, otherwise after 5 s', async () => {
  for (const broken of [true, false]) {
    const page = openPage(['One'])
    page.transport.deaf = true
    listen(page.store.$unopened)
    await flushPromises()
    assert.equal(page.store.$unopened.get(), 0)
    if (broken) {
      page.transport.deaf = false
      page.inbox.setOnline(false)
    } else page.own.advance(6000)
    while (page.store.$unopened.get() === 0) await flushPromises()
    assert.equal(page.transport.count('page'), 1)
  }
})

test('a page that comes back reads its counters again, and does not report notifications that arrived meanwhile', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { inbox, store, reported, transport } = openPage(['One'])
  const leave = listen(store.$unopened)
  await flushPromises()
  leave()
  // Atoms stop one second after their last listener.
  t.mock.timers.tick(1000)
  assert.equal(transport.listeners.size, 0)
  inbox.add({ title: 'Meanwhile' })
  listen(store.$unopened)
  await flushPromises()
  assert.equal(store.$unopened.get(), 2)
  inbox.add({ title: 'Live' })
  await flushPromises()
  assert.deepEqual(reported, ['Live'])
  assert.deepEqual(transport.calls, [])
})

test('the inbox decides when the connection closes, once it has taken it over', async t => {
  const { store, transport } = openPage(['One'])
  const leave = listen(store.$notifications)
  await waitForUnopened(store, 1)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  leave()
  t.mock.timers.tick(999)
  const [line] = transport.listeners
  listen(store.$unopened)
  for (let level = 0; level < 3; level++) t.mock.timers.tick(1000)
  assert.deepEqual([...transport.listeners], [line])
})

test('a greeting of a leading tab without a version causes no request', async () => {
  const { inbox, store, transport } = openPage(['One'])
  transport.deaf = true
  listen(store.$unopened)
  await flushPromises()
  transport.deaf = false
  const [hear] = transport.listeners
  hear!({ type: 'head', version: 0 })
  for (let i = 0; i < 20; i++) await flushPromises()
  assert.equal(transport.count('page'), 0)
  const { counts, version } = inbox.page(1)
  hear!({ counts, type: 'head', version })
  assert.equal(store.$unopened.get(), 1)
  for (let i = 0; i < 20; i++) await flushPromises()
  assert.equal(transport.count('page'), 0)
})

test('a destroyed store has no counters and does nothing more', { timeout: 5000 }, async () => {
  for (const whole of [false, true]) {
    const { inbox, store, transport } = openPage(['One'])
    listen(store.$unopened)
    if (whole) {
      listen(store.$notifications)
      await waitForUnopened(store, 1)
    }
    await flushPromises()
    assert.equal(store.$unopened.get(), 1)
    const [item] = inbox.page(1).items
    store.destroy()
    assert.deepEqual(store.$counts.get(), { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
    await assert.rejects(store.markAsClicked(item!.id), TransportError)
    await assert.rejects(store.markAsArchived('ALL'), TransportError)
    assert.equal(transport.count('patch'), 0)
  }
})

test('reports refused actions of an earlier page, but not after it was destroyed', async () => {
  for (const destroyed of [false, true]) {
    const own = createTestEnvironment()
    const inbox = memoryInbox({ items: [{ title: 'One' }], now: own.now })
    const sharedCache = createSharedCache()
    const patch = { opened: new Date(own.now()).toISOString(), trackingIds: [inbox.page(1).items[0]!.id] }
    sharedCache.actions.set('left', { at: own.now(), key: 'left', patch, shownVersion: 0 })
    const transport = createGatedTransport(inbox.transport(), sharedCache)
    const refusal = new TransportError(422, 'No.')
    transport.fail('patch', refusal)
    transport.hold('patch')
    const store = createLazyStore({ environment: own, transport })
    const reported: unknown[] = []
    store.onRefused(error => reported.push(error))
    listen(store.$notifications)
    while (transport.count('patch') === 0) await flushPromises()
    if (destroyed) store.destroy()
    await transport.release('patch')
    assert.deepEqual(reported, destroyed ? [] : [refusal])
  }
})

test('a store that is destroyed while the inbox loads opens nothing', async () => {
  const { inbox, store, reported, transport } = openPage(['One'])
  listen(store.$unopened)
  await flushPromises()
  listen(store.$notifications)
  store.destroy()
  for (let i = 0; i < 20; i++) await flushPromises()
  inbox.add({ title: 'Two' })
  await flushPromises()
  assert.equal(transport.listeners.size, 0)
  assert.deepEqual(transport.calls, [])
  assert.deepEqual(reported, [])
})

/** With frames in order and slow requests, loading the inbox must not change what is shown and reported. */
async function runHandOver(seed: number): Promise<void> {
  const random = createRandom(seed)
  const own = createTestEnvironment()
  const network = new UnreliableNetwork(random)
  const inbox = memoryInbox({
    items: Array.from({ length: random(5) }, (_, i) => ({ title: `s${i}` })),
    now: own.now
  })
  const direct = inbox.transport()
  const frames: (() => void)[] = []
  const store = createLazyStore({
    environment: own,
    transport: {
      ...direct,
      getChanges: since => network.request(() => direct.getChanges(since)),
      connect: (listener, version) =>
        direct.connect((event: LiveEvent) => frames.push(() => listener(event)), version),
      getPage: (count, cursor) => network.request(() => direct.getPage(count, cursor))
    }
  })
  const reported: string[] = []
  store.onNewNotifications(items => reported.push(...items.map(({ id }) => id)))
  const numbers: number[] = []
  store.$unopened.listen(n => numbers.push(n))
  await flushPromises()
  for (const frame of frames.splice(0)) frame()

  const added: string[] = []
  const wanted = random(20)
  for (let step = 0; step < 40; step++) {
    if (step === wanted) listen(store.$notifications)
    const what = random(10)
    if (what < 3) added.push(inbox.add({ title: `t${step}` }).id)
    else if (what < 6) frames.shift()?.()
    else if (!network.empty) network.step()
    await setImmediate()
  }
  network.bad = false
  // A repeated request may lead to another one.
  for (let quiet = 0; quiet < 3;) {
    if (frames.length === 0 && network.empty) {
      quiet++
      own.advance(40_000)
    }
    frames.shift()?.()
    if (!network.empty) network.step()
    await flushPromises()
  }
  assert.deepEqual(reported, added)
  assert.deepEqual(store.$notifications.get(), inbox.page(100).items)
  assert.deepEqual(store.$counts.get(), inbox.page(1).counts)
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
    'a number never goes back'
  )
  store.destroy()
}

testSeeds(400, 'hand-overs lose nothing and tell nothing twice', runHandOver)
