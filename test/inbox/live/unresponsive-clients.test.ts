// Clients that do not read, clients that disappear without a close, and events in any order.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'

import { testDb } from '../../support/db.ts'
import { insertInboxItems } from '../../support/fixtures.ts'
import { newItem, transact } from '../test-items.ts'
import { handshakeOf, kitClient, socketIoClient, startNode, until, type Node } from './test-node.ts'

/** A text as a WebSocket frame of a client (RFC 6455, section 5.2). */
function maskedFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const mask = randomBytes(4)
  const head =
    body.length < 126
      ? Buffer.from([0x81, 0x80 | body.length])
      : Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 0xff])
  for (let i = 0; i < body.length; i++) body[i]! ^= mask[i % 4]!
  return Buffer.concat([head, mask, body])
}

/** A client without a WebSocket library, so that it can stop reading and answering. */
async function rawClient(node: Node, path: string, hello: string): Promise<Socket> {
  const socket = connect(node.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`
  )
  await once(socket, 'data')
  socket.write(maskedFrame(hello))
  return socket
}

const WIRES = [
  [
    'plain',
    '/ws?kit=1',
    (userId: string) => JSON.stringify({ payload: handshakeOf(userId), route: 'inbox/hello' })
  ],
  [
    'Socket.IO',
    '/socket.io/?EIO=4&transport=websocket',
    (userId: string) => `40${JSON.stringify(handshakeOf(userId))}`
  ]
] as const

for (const [wire, path, hello] of WIRES) {
  test(`${wire}: terminates a client that does not read when its buffer is full; others are not affected`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url, {
      limits: { backlogBytes: 100_000 },
      listenUrl: '',
      sweepMs: 1e8
    })
    const slow = await rawClient(node, path, hello('ada'))
    slow.pause()
    await until(() => node.live.connectionCount() === 1)
    const reader = kitClient(node, 'ada')
    await reader.frames.route('inbox/head')
    // Publishes 50 MB without waiting for the client.
    const { change } = await node.send(newItem('ada'))
    await reader.frames.reaching(change.version)
    const body = 'x'.repeat(50_000)
    let { version } = change
    const before = process.memoryUsage().rss
    for (let i = 0; i < 1000 && node.live.droppedCount() === 0; i++) {
      const items = [{ ...change.items[0]!, body, rev: version + 1 }]
      const next = { ...change, items, prev: version, version: version + 1 }
      node.live.publish([{ change: next, envId: 'env', userId: 'ada' }])
      version += 1
      await new Promise(setImmediate)
    }
    assert.equal(node.live.droppedCount(), 1)
    assert.ok(process.memoryUsage().rss - before < 100_000_000)
    await reader.frames.reaching(version)
    await until(() => node.live.connectionCount() === 1)
    slow.destroy()
    reader.close()
  })

  test(`${wire}: terminates a client that disappeared after two heartbeats`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url, { heartbeatMs: 100 })
    const gone = await rawClient(node, path, hello('ada'))
    await until(() => node.live.connectionCount() === 1)
    // Reads, so that the kernel accepts everything, but never answers a ping.
    gone.resume()
    const alive = [kitClient(node, 'ada'), socketIoClient(node, 'ada')]
    await Promise.all(alive.map(client => client.frames.route('inbox/head')))
    await until(() => node.live.connectionCount() === 2)
    for (const { frames } of alive) {
      const heads = () => frames.routes().filter(route => route === 'inbox/head').length
      await until(() => heads() > 4)
    }
    assert.equal(node.live.connectionCount(), 2)
    gone.destroy()
    for (const client of alive) client.close()
  })
}

test('terminates a client that does not answer the close of a drain', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const silent: Socket[] = []
  for (const [, path, hello] of WIRES) silent.push(await rawClient(node, path, hello('ada')))
  await until(() => node.live.connectionCount() === 2)
  await node.live.drain()
  const drained = performance.now()
  await until(() => node.live.connectionCount() === 0)
  assert.ok(performance.now() - drained < 10_000, 'the drain did not wait for the close timeout of ws')
  for (const socket of silent) socket.destroy()
})

test('sends the state of the database after lost, repeated and reordered events', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { listenUrl: '', sweepMs: 1e8 })
  const client = kitClient(node, 'ada')
  await client.frames.route('inbox/head')
  const events = []
  for (let i = 0; i < 9; i++) {
    events.push(...(await transact(node.db, 'ada', tx => insertInboxItems(tx, [newItem('ada')]))))
  }
  for (const i of [1, 0, 0, 5, 3, 3, 8]) node.live.publish([events[i]!])
  await client.frames.reaching(events[8]!.change.version)
  const changes = client.frames.all
    .filter(({ route }) => route === 'inbox/change')
    .map(({ payload }) => payload)
  const ids = changes.flatMap(({ items }) => items.map((item: { id: string }) => item.id))
  assert.deepEqual(
    ids,
    events.map(({ change }) => change.items[0]!.id)
  )
  // Each change begins at the version of the one before.
  let version = 0
  for (const change of changes) {
    assert.equal(change.prev, version)
    version = change.version
  }
  client.close()
})

test('sends a change between handshake and answer exactly once', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { listenUrl: '', sweepMs: 1e8 })
  for (let i = 0; i < 30; i++) {
    const user = `user ${i}`
    const first = await node.send(newItem(user))
    const client =
      i % 2 === 0 ? kitClient(node, user, { version: first.change.version }) : kitClient(node, user)
    const later = []
    for (let j = 0; j < 5; j++) later.push((await node.send(newItem(user))).change)
    // A client without a version loads a page after the answer to its handshake.
    const head = await client.frames.route('inbox/head')
    if (head.payload.version < later[4]!.version) await client.frames.reaching(later[4]!.version)
    let version: number = i % 2 === 0 ? first.change.version : head.payload.version
    for (const { payload, route } of client.frames.all) {
      if (route !== 'inbox/change') continue
      assert.equal(payload.prev, version)
      version = payload.version
    }
    assert.equal(version, later[4]!.version)
    client.close()
  }
})

test('sends missed changes after a short database outage', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { listenUrl: '', sweepMs: 1e8 })
  const { change } = await node.send(newItem('ada'))
  await t.db.control.unsafe('alter table inbox_items rename to away')
  const client = kitClient(node, 'ada', { version: 0 })
  await until(() => node.live.connectionCount() === 1)
  await t.db.control.unsafe('alter table away rename to inbox_items')
  const { payload } = await client.frames.reaching(change.version)
  assert.equal(payload.items.length, 1)
  client.close()
})
