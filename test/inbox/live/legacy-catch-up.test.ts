// The catch-up of legacy clients, where our own clients would get a reset: all missed notifications, once, in order, and as fast
// as the client reads.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { NewItem } from '../../../server/inbox/items.sql.ts'
import { patchItems } from '../../../server/inbox/patch-items.sql.ts'
import { testDb } from '../../support/db.ts'
import { newItem, userKey, transact } from '../test-items.ts'
import { openDatabaseProxy } from './database-proxy.ts'
import { connectLegacyClient } from './legacy-client.ts'
import { type PlainClient, startNode, until } from './test-node.ts'

/** A node without hints and without sweeps. */
const ISOLATED = { listenUrl: '', sweepMs: 1e8 }

const largeItems = (userId: string, count: number, size: number): NewItem[] =>
  Array.from({ length: count }, () =>
    newItem(userId, { content: { parameters: { text: 'x'.repeat(size) }, title: 'hello' } })
  )

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id)

/** Ids in the order of their arrival; a frame has the newest first. */
const receivedIds = ({ frames }: PlainClient): string[] =>
  frames.all.flatMap(({ payload }) => idsOf(payload.notifications).toReversed())

test('sends the notifications of another node once, also where our own clients would get a reset', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { ...ISOLATED, limits: { pageBytes: 10_000 } })
  await a.send(newItem('ada', { notificationId: 'old' }))
  const client = await connectLegacyClient(b, 'ada')
  const items = Array.from({ length: 8 }, () =>
    newItem('ada', { content: { parameters: { text: 'x'.repeat(4_000) }, title: 'hello' } })
  )
  for (const item of items) await a.send(item)
  b.live.sweep()
  await until(() => receivedIds(client).length >= items.length)
  const { event } = await transact(b.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { opened: new Date().toISOString(), trackingIds: 'ALL' })
  )
  b.live.publish([event!])
  const last = newItem('ada')
  await b.send(last)
  await until(() => receivedIds(client).includes(last.id))
  assert.deepEqual(receivedIds(client).toSorted(), [...items, last].map(({ id }) => id).toSorted())
  client.close()
})

test(
  'sends pages as fast as a client reads, and other clients do not wait for it',
  { timeout: 60_000 },
  async () => {
    await using t = await testDb()
    await using a = await startNode(t.url)
    await using b = await startNode(t.url, { ...ISOLATED, limits: { pageBytes: 200_000 } })
    // More than the buffers on the way to the client.
    const many = largeItems('ada', 120, 100_000)
    const few = largeItems('bob', 8, 50_000)
    const ada = await connectLegacyClient(b, 'ada')
    const bob = await connectLegacyClient(b, 'bob')
    await a.send(...many)
    await a.send(...few)
    ada.socket.pause()
    b.live.sweep()
    await until(() => receivedIds(bob).length >= few.length)
    assert.deepEqual(receivedIds(bob), idsOf(few))
    ada.socket.resume()
    await Promise.race([ada.closed, until(() => receivedIds(ada).length >= many.length)])
    assert.deepEqual(receivedIds(ada), idsOf(many))
    ada.close()
    bob.close()
  }
)

test('repeats the read of a page that failed, and no page before it', async () => {
  await using t = await testDb()
  await using proxy = await openDatabaseProxy(t.url)
  await using a = await startNode(t.url)
  await using b = await startNode(proxy.url, { ...ISOLATED, limits: { pageBytes: 20_000 } })
  const client = await connectLegacyClient(b, 'ada')
  const items = largeItems('ada', 8, 4_000)
  const { change } = await a.send(...items)
  // A page holds two of them: the third page begins after the fourth item.
  proxy.loseAnswer(String(Date.parse(change.items[3]!.date)))
  const before = proxy.connectionCount()
  b.live.sweep()
  await until(() => receivedIds(client).length >= items.length)
  assert.ok(proxy.connectionCount() > before, 'no connection was lost')
  assert.deepEqual(receivedIds(client), idsOf(items))
  client.close()
})

test('sends notifications that are published during the catch-up once, in any order', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { ...ISOLATED, limits: { pageBytes: 20_000 } })
  const client = await connectLegacyClient(b, 'ada')
  const items = [newItem('ada'), ...largeItems('ada', 40, 4_000), newItem('ada'), newItem('ada')]
  const first = await a.send(items[0]!)
  b.live.publish([await a.send(...items.slice(1, -2))])
  await until(() => receivedIds(client).length > 0)
  const later = [await a.send(items.at(-2)!), await a.send(items.at(-1)!)]
  b.live.publish([...later.toReversed(), first])
  await until(() => receivedIds(client).includes(items.at(-1)!.id))
  const end = newItem('ada')
  await b.send(end)
  await until(() => receivedIds(client).includes(end.id))
  assert.deepEqual(receivedIds(client), idsOf([...items, end]))
  client.close()
})
