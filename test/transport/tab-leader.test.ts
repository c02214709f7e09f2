// Several tabs with one connection. Node has the locks and channels of a browser, so each tab is real.

// A channel has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore } from '../../components/headless/index.ts'
import type { Connect } from '../../components/live/frames.ts'
import { shareConnection } from '../../components/live/tab-leader.ts'
import { HEARTBEAT_MS } from '../../components/protocol/index.ts'
import type { LiveEvent } from '../../components/store/transport.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { createTestEnvironment, type TestEnvironment } from '../store/support.ts'

let names = 0
const newName = (): string => `test-share-${process.pid}-${names++}`

/** Open connections on the side of the server. */
function createConnections() {
  const open = new Set<(event: LiveEvent) => void>()
  const versions: (number | undefined)[] = []
  const connect: Connect = (listener, version) => {
    open.add(listener)
    versions.push(version())
    return () => open.delete(listener)
  }
  return {
    connect,
    open,
    say(event: LiveEvent): void {
      for (const listener of open) listener(event)
    },
    versions
  }
}

interface Tab {
  readonly events: LiveEvent[]
  readonly world: TestEnvironment
  until(check: (events: readonly LiveEvent[]) => boolean): Promise<void>
  close(): void
}

function openTab(name: string, connect: Connect, version?: number): Tab {
  const events: LiveEvent[] = []
  const own = createTestEnvironment()
  let arrived = (): void => {}
  const listener = (event: LiveEvent): void => {
    events.push(event)
    arrived()
  }
  return {
    close: shareConnection(name, connect, own)(listener, () => version),
    events,
    async until(check) {
      while (!check(events)) await new Promise<void>(resolve => (arrived = resolve))
    },
    world: own
  }
}

/** Waits for a state that has no event. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise(resolve => setImmediate(resolve))
}

const types = (events: readonly LiveEvent[]): string => events.map(event => event.type).join(' ')
const createHead = (version: number) => (events: readonly LiveEvent[]) =>
  events.some(event => event.type === 'head' && event.version === version)

test('a tab that opens later gets counters and pause of the greeting', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  const greeting: LiveEvent = {
    counts: { snoozed: 0, unarchived: 3, unopened: 2, unseen: 1 },
    pause: { isOn: false, until: null },
    type: 'head',
    version: 5
  }
  server.say(greeting)
  const two = openTab(name, server.connect)
  await two.until(createHead(5))
  assert.deepEqual(
    two.events.find(({ type }) => type === 'head'),
    greeting
  )
  one.close()
  two.close()
})

test('the first tab connects and forwards its events to the others', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  server.say({ type: 'online' })
  server.say({ type: 'head', version: 5 })
  const two = openTab(name, server.connect)
  const three = openTab(name, server.connect)
  // A tab that opens later gets the current state.
  for (const tab of [two, three]) {
    await tab.until(createHead(5))
    assert.ok(types(tab.events).startsWith('online head'))
  }
  const change = {
    counts: { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 },
    items: [],
    prev: 5,
    removed: [],
    version: 6
  }
  server.say({ change, type: 'change' })
  server.say({ reset: true, type: 'reset', version: 7 })
  server.say({ type: 'offline' })
  for (const tab of [one, two, three]) {
    await tab.until(events => events.at(-1)?.type === 'offline')
    assert.deepEqual(tab.events.slice(-3), [
      { change, type: 'change' },
      { reset: true, type: 'reset', version: 7 },
      { type: 'offline' }
    ])
  }
  assert.equal(server.versions.length, 1)
  for (const tab of [one, two, three]) tab.close()
  assert.equal(server.open.size, 0)
})

test('another tab takes over with its own version when the leader closes', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect, 1)
  await until(() => server.open.size === 1)
  const two = openTab(name, server.connect, 2)
  const three = openTab(name, server.connect, 3)
  one.close()
  await until(() => server.versions.length === 2 && server.open.size === 1)
  assert.deepEqual(server.versions, [1, 2])
  server.say({ type: 'online' })
  server.say({ type: 'head', version: 9 })
  for (const tab of [two, three]) await tab.until(createHead(9))
  assert.ok(!createHead(9)(one.events))
  two.close()
  await until(() => server.versions.length === 3)
  three.close()
  assert.equal(server.open.size, 0)
})

test('after a change of leader all tabs read the preferences again', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  server.say({ type: 'online' })
  const followers = [openTab(name, server.connect), openTab(name, server.connect)]
  for (const tab of followers) await tab.until(({ length }) => length > 0)
  one.close()
  await until(() => server.versions.length === 2 && server.open.size === 1)
  server.say({ type: 'online' })
  for (const tab of followers) await tab.until(events => events.some(({ type }) => type === 'preferences'))
  assert.equal(types(one.events), 'online', 'the first leader has missed nothing')
  for (const tab of followers) tab.close()
})

test('a tab with wrong credentials does not keep the others from connecting', async () => {
  const [name, wrong, right] = [newName(), createConnections(), createConnections()]
  const one = openTab(name, wrong.connect)
  await until(() => wrong.open.size === 1)
  const two = openTab(name, right.connect)
  wrong.say({ detail: 'd', title: 't', type: 'refused' })
  await until(() => right.open.size === 1)
  assert.equal(types(one.events), 'refused')
  right.say({ type: 'head', version: 3 })
  await two.until(createHead(3))
  assert.ok(!types(two.events).includes('refused'))
  assert.equal(wrong.open.size, 0)
  two.close()
})

test('a tab without events asks the leader, and takes over if it is frozen', async () => {
  const [name, server] = [newName(), createConnections()]
  // Holds the lock and sends nothing, like a frozen page.
  const frozen = navigator.locks.request(name, () => new Promise<void>(() => {}))
  const two = openTab(name, server.connect)
  two.world.advance(2 * HEARTBEAT_MS)
  await until(() => server.open.size === 1)
  await assert.rejects(frozen, { name: 'AbortError' })
  two.close()
  assert.equal(server.open.size, 0)
})

test('a leader whose lock was taken follows the new one', async () => {
  const [name, first, second] = [newName(), createConnections(), createConnections()]
  const one = openTab(name, first.connect)
  await until(() => first.open.size === 1)
  let release = (): void => {}
  const stolen = navigator.locks.request(
    name,
    { steal: true },
    () => new Promise<void>(resolve => (release = resolve))
  )
  await until(() => first.open.size === 0)
  release()
  await stolen
  await until(() => first.open.size === 1)
  const two = openTab(name, second.connect)
  first.say({ type: 'head', version: 4 })
  await two.until(createHead(4))
  one.close()
  two.close()
})

test('a tab that opens later gets the newest version, with the counters if they are known', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  const counts = { snoozed: 0, unarchived: 2, unopened: 1, unseen: 1 }
  const newest: LiveEvent = { counts, type: 'head', version: 5 }
  server.say({ type: 'head', version: 5 })
  server.say(newest)
  server.say({ counts: { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 }, type: 'head', version: 4 })
  server.say({ type: 'head', version: 5 })
  const two = openTab(name, server.connect)
  await two.until(events => events.length > 0)
  assert.deepEqual(two.events, [{ ...newest, pause: { isOn: false, until: null } }])
  server.say({ type: 'head', version: 6 })
  const three = openTab(name, server.connect)
  await three.until(createHead(6))
  assert.ok(!JSON.stringify(three.events).includes('counts'))
  for (const tab of [one, two, three]) tab.close()
})

test('the leader answers other tabs also while it connects', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  const two = openTab(name, server.connect)
  await two.until(events => events.length > 0)
  two.world.advance(HEARTBEAT_MS)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(server.versions.length, 1)
  one.close()
  two.close()
})

test('ignores messages of another form', async () => {
  const [name, server] = [newName(), createConnections()]
  const one = openTab(name, server.connect)
  await until(() => server.open.size === 1)
  const two = openTab(name, server.connect)
  const stranger = new BroadcastChannel(name)
  for (const message of [
    null,
    7,
    'head',
    { type: 'head', version: 'x' },
    { type: 'change' },
    { type: 'refused' }
  ]) {
    stranger.postMessage(message)
  }
  server.say({ type: 'head', version: 2 })
  await two.until(createHead(2))
  assert.deepEqual(
    two.events.filter(event => !(event.type === 'head')),
    []
  )
  stranger.close()
  one.close()
  two.close()
})

test('without locks each tab has its own connection', async () => {
  const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks')!
  Object.defineProperty(Navigator.prototype, 'locks', { configurable: true, value: undefined })
  try {
    const [name, server] = [newName(), createConnections()]
    const tabs = [openTab(name, server.connect), openTab(name, server.connect)]
    assert.equal(server.open.size, 2)
    for (const tab of tabs) tab.close()
  } finally {
    Object.defineProperty(Navigator.prototype, 'locks', locks)
  }
})

test('stores of three tabs stay in step through a change of leader', async () => {
  const name = newName()
  const own = createTestEnvironment()
  const inbox = memoryInbox({ items: [{ title: 'a' }], now: own.now })
  let connections = 0
  const tabs = [0, 1, 2].map(() => {
    const inner = inbox.transport()
    const connect: Connect = (listener, version) => {
      connections++
      const end = inner.connect(listener, version)
      return () => {
        connections--
        end()
      }
    }
    const store = createNotifStore({
      environment: own,
      transport: { ...inner, connect: shareConnection(name, connect, own) }
    })
    store.$notifications.listen(() => {})
    store.$connection.listen(() => {})
    return store
  })
  const shown = (titles: string) => (): boolean =>
    tabs.every(
      store =>
        store.$notifications
          .get()
          .map(n => n.title)
          .join() === titles
    )
  await until(() => tabs.every(store => store.$connection.get().state === 'online'))
  await until(shown('a'))
  inbox.add({ title: 'b' })
  await until(shown('b,a'))
  assert.equal(connections, 1)
  await tabs[1]!.markAsOpened()
  await until(() => tabs.every(store => store.$counts.get().unopened === 0))
  tabs.shift()!.destroy()
  inbox.add({ title: 'c' })
  await until(shown('c,b,a'))
  assert.equal(connections, 1)
  for (const store of tabs) store.destroy()
})
