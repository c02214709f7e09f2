// What came to existing clients on another node, where our own would be told to start again: all of it, once, in its order,
// at the pace of whoever reads.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { patchItems, type NewItem } from '../../../server/inbox/items.sql.ts'
import { testDb } from '../../support/db.ts'
import { newItem, reader, transact } from '../people.ts'
import { join } from './legacy-client.ts'
import { openLink } from './link-between-nodes.ts'
import { type PlainClient, startNode, until } from './test-node.ts'

/** A node without hints and without sweeps. */
const ISOLATED = { listenUrl: '', sweepMs: 1e8 }

const largeItems = (userId: string, count: number, size: number): NewItem[] =>
  Array.from({ length: count }, () =>
    newItem(userId, { content: { parameters: { text: 'x'.repeat(size) }, title: 'hello' } })
  )

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id)

/** Ids in the order in which they came; a frame has the newest first. */
const heard = ({ frames }: PlainClient): string[] =>
  frames.all.flatMap(({ payload }) => idsOf(payload.notifications).toReversed())

test('what came on another node is heard once, also where our own clients would be told to start again', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { ...ISOLATED, config: { inboxPageBytes: 10_000 } })
  await a.send(newItem('ada', { notificationId: 'old' }))
  const client = await join(b, 'ada')
  const items = Array.from({ length: 8 }, () =>
    newItem('ada', { content: { parameters: { text: 'x'.repeat(4_000) }, title: 'hello' } })
  )
  for (const item of items) await a.send(item)
  b.live.sweep()
  await until(() => heard(client).length >= items.length)
  const { event } = await transact(b.db, 'ada', tx =>
    patchItems(tx, reader('ada'), { opened: new Date().toISOString(), trackingIds: 'ALL' })
  )
  b.live.publish([event!])
  const last = newItem('ada')
  await b.send(last)
  await until(() => heard(client).includes(last.id))
  assert.deepEqual(heard(client).toSorted(), [...items, last].map(({ id }) => id).toSorted())
  client.close()
})

test('whoever reads slowly is told slowly, and nobody else waits for it', { timeout: 60_000 }, async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { ...ISOLATED, config: { inboxPageBytes: 200_000 } })
  // More than what lies on the way to a reader.
  const many = largeItems('ada', 120, 100_000)
  const few = largeItems('bob', 8, 50_000)
  const ada = await join(b, 'ada')
  const bob = await join(b, 'bob')
  await a.send(...many)
  await a.send(...few)
  ada.socket.pause()
  b.live.sweep()
  await until(() => heard(bob).length >= few.length)
  assert.deepEqual(heard(bob), idsOf(few))
  ada.socket.resume()
  await Promise.race([ada.closed, until(() => heard(ada).length >= many.length)])
  assert.deepEqual(heard(ada), idsOf(many))
  ada.close()
  bob.close()
})

test('a page that could not be read is read again, and none before it', async () => {
  await using t = await testDb()
  await using link = await openLink(t.url)
  await using a = await startNode(t.url)
  await using b = await startNode(link.url, { ...ISOLATED, config: { inboxPageBytes: 20_000 } })
  const client = await join(b, 'ada')
  const items = largeItems('ada', 8, 4_000)
  const { change } = await a.send(...items)
  // Two of them are on a page: the third one asks for what came after the fourth.
  link.loseAnswer(String(Date.parse(change.items[3]!.date)))
  const before = link.count()
  b.live.sweep()
  await until(() => heard(client).length >= items.length)
  assert.ok(link.count() > before, 'no connection was lost')
  assert.deepEqual(heard(client), idsOf(items))
  client.close()
})

test('what is published here while pages are read is heard once, in whatever order', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { ...ISOLATED, config: { inboxPageBytes: 20_000 } })
  const client = await join(b, 'ada')
  const items = [newItem('ada'), ...largeItems('ada', 40, 4_000), newItem('ada'), newItem('ada')]
  const first = await a.send(items[0]!)
  b.live.publish([await a.send(...items.slice(1, -2))])
  await until(() => heard(client).length > 0)
  const later = [await a.send(items.at(-2)!), await a.send(items.at(-1)!)]
  b.live.publish([...later.toReversed(), first])
  await until(() => heard(client).includes(items.at(-1)!.id))
  const end = newItem('ada')
  await b.send(end)
  await until(() => heard(client).includes(end.id))
  assert.deepEqual(heard(client), idsOf([...items, end]))
  client.close()
})
