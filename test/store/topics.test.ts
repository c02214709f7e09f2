// Topics of a store: leaving one and joining it again shows at once, is undone alone if refused, and the last click wins.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import { createLazyStore } from '../../components/live/lazy-store.ts'
import type { Preferences } from '../../components/protocol/index.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import { createGatedTransport, createTestEnvironment, flushPromises, type GatedTransport } from './support.ts'

const PREFERENCES: Preferences = {
  notifications: [],
  preferences: [],
  subNotifications: [],
  topics: [
    { id: 'crew', title: 'Crew' },
    { id: 'line/harbour', title: 'Harbour line' }
  ]
}

function openTab(inbox: MemoryInbox, isLazy = false): { store: NotifStore; transport: GatedTransport } {
  const environment = createTestEnvironment()
  const transport = createGatedTransport(inbox.transport())
  const create = isLazy ? createLazyStore : createNotifStore
  return { store: create({ environment, transport }), transport }
}

function topicsOf({ $preferences }: NotifStore): string | undefined {
  const state = $preferences.get()
  return state.state === 'ready' ? state.topics?.map(({ id }) => id).join() : state.state
}

async function until(is: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !is(); i++) await flushPromises()
  assert.ok(is())
}

for (const isLazy of [false, true]) {
  test(`${isLazy ? 'lazy' : 'whole'}: leaving and joining again shows at once, in every tab`, async () => {
    const inbox = memoryInbox({ preferences: PREFERENCES })
    const { store, transport } = openTab(inbox, isLazy)
    const other = openTab(inbox).store
    const stops = [store.$preferences.listen(() => {}), other.$preferences.listen(() => {})]
    await until(() => topicsOf(store) === 'crew,line/harbour' && topicsOf(other) === 'crew,line/harbour')
    transport.hold('topic')
    const left = store.updateTopic('crew', false)
    assert.equal(topicsOf(store), 'line/harbour')
    await transport.release('topic')
    await left
    await until(() => topicsOf(other) === 'line/harbour')
    transport.hold('topic')
    const joined = store.updateTopic('crew', true)
    assert.equal(topicsOf(store), 'line/harbour,crew')
    await transport.release('topic')
    await joined
    await until(() => topicsOf(other) === 'line/harbour,crew')
    assert.deepEqual(
      transport.calls.filter(({ name }) => name === 'topic').map(({ args }) => args),
      [
        ['crew', false],
        ['crew', true]
      ]
    )
    for (const stop of stops) stop()
  })
}

test('undoes a refused change, and no other', async () => {
  const { store, transport } = openTab(memoryInbox({ preferences: PREFERENCES }))
  const stop = store.$preferences.listen(() => {})
  await until(() => topicsOf(store) === 'crew,line/harbour')
  const refused = new TransportError(422, 'No.')
  transport.fail('topic', refused)
  const bad = assert.rejects(store.updateTopic('crew', false), refused)
  await flushPromises()
  transport.fail('topic', undefined)
  const good = store.updateTopic('line/harbour', false)
  assert.equal(topicsOf(store)?.includes('line/harbour'), false)
  await Promise.all([bad, good])
  assert.equal(topicsOf(store), 'crew')
  stop()
})

test('sends one change after the other, and the last one stays', async () => {
  const { store, transport } = openTab(memoryInbox({ preferences: PREFERENCES }))
  const stop = store.$preferences.listen(() => {})
  await until(() => topicsOf(store) === 'crew,line/harbour')
  transport.hold('topic')
  const changes = [store.updateTopic('crew', false), store.updateTopic('crew', true)]
  await flushPromises()
  assert.equal(transport.count('topic'), 1)
  assert.equal(topicsOf(store), 'line/harbour,crew')
  await transport.release('topic')
  await Promise.all(changes)
  assert.equal(transport.count('topic'), 2)
  assert.equal(topicsOf(store), 'line/harbour,crew')
  stop()
})

test('an older server has no topics', async () => {
  const { topics: _, ...older } = PREFERENCES
  const { store } = openTab(memoryInbox({ preferences: older }))
  const stop = store.$preferences.listen(() => {})
  await until(() => store.$preferences.get().state === 'ready')
  assert.equal(topicsOf(store), undefined)
  await assert.rejects(store.updateTopic('crew', true), /There is no topic/)
  assert.equal(topicsOf(store), undefined)
  stop()
})
