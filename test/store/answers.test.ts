// Buttons and replies of a store: what the server gets, and what the inbox shows.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore, TransportError } from '../../components/headless/index.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { createTestEnvironment, flushPromises } from './support.ts'

async function open() {
  const environment = createTestEnvironment()
  const actions = [
    { id: 'approve', label: 'Approve', send: true },
    { id: 'ask', label: 'Ask' }
  ] as const
  const inbox = memoryInbox({ items: [{ actions, id: 'a', title: 'Winter fares' }], now: environment.now })
  const transport = inbox.transport()
  const store = createNotifStore({ environment, transport })
  store.$notifications.listen(() => {})
  store.$unopened.listen(() => {})
  await flushPromises()
  const item = () => store.$notifications.get()[0]!
  return { inbox, item, store, transport }
}

test('a button with `send` is pending until the back end answers', async () => {
  const { inbox, item, store } = await open()
  await store.act('a', 'approve')
  await flushPromises()
  assert.equal(item().outcome!.state, 'pending')
  assert.ok(item().actioned1 && item().opened && item().seen)
  assert.equal(store.$unopened.get(), 0)
  inbox.update('a', { outcome: { ...item().outcome!, state: 'done' } })
  assert.equal(item().outcome!.state, 'done')
})

test('a button works before the list is loaded', async () => {
  const { inbox } = await open()
  const store = createNotifStore({ environment: createTestEnvironment(), transport: inbox.transport() })
  await store.act('a', 'approve')
  assert.equal(inbox.page(1).items[0]!.outcome!.state, 'pending')
  await assert.rejects(store.act('b', 'approve'), TransportError)
  store.destroy()
})

test('another button marks the second action', async () => {
  const { item, store } = await open()
  await store.act('a', 'ask')
  assert.ok(item().actioned2)
  assert.equal(item().actioned1, undefined)
  assert.equal(item().outcome, undefined)
  await assert.rejects(store.act('a', 'nothing'), TransportError)
})

test('a reply is added, and marks as read', async () => {
  const { item, store } = await open()
  await store.reply('a', 'Eight pixels.')
  assert.deepEqual(
    item().replies!.map(({ message }) => message),
    ['Eight pixels.']
  )
  assert.equal(store.$unopened.get(), 0)
})

test('what the server does not get is not shown', async () => {
  const { item, store, transport } = await open()
  const refuse = async () => {
    throw new TransportError(0, 'The server could not be reached.')
  }
  Object.assign(transport, { patch: refuse, press: refuse })
  for (const answer of [store.act('a', 'approve'), store.act('a', 'ask'), store.reply('a', 'x')])
    await assert.rejects(answer, TransportError)
  assert.deepEqual([item().opened, item().outcome, item().replies], [undefined, undefined, undefined])
})
