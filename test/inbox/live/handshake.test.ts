// The handshake, its answer, missed changes, and everything that is rejected, on both endpoints of one port.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'

import { testDb } from '../../support/db.ts'
import { newItem } from '../test-items.ts'
import {
  handshakeOf,
  kitClient,
  plainClient,
  socketIoClient,
  startNode,
  until,
  type Client,
  type Node
} from './test-node.ts'

type Open = (node: Node, userId: string, more?: object) => Client
const KINDS: readonly (readonly [string, Open])[] = [
  ['plain frames', kitClient],
  ['socket.io-client', socketIoClient]
]

for (const [kind, open] of KINDS) {
  test(`${kind}: answers a handshake with version and counters, then sends changes`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url)
    const before = await node.send(newItem('ada'))
    const client = open(node, 'ada')
    assert.deepEqual((await client.frames.route('inbox/head')).payload, {
      counts: { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 },
      version: before.change.version
    })
    const event = await node.send(newItem('ada'), newItem('ada'))
    const { payload } = await client.frames.reaching(event.change.version)
    assert.deepEqual(payload, JSON.parse(JSON.stringify(event.change)))
    assert.deepEqual(client.frames.routes(), ['inbox/head', 'inbox/change'])
    assert.equal(node.live.connectionCount(), 1)
    client.close()
    await until(() => node.live.connectionCount() === 0)
  })

  test(`${kind}: sends missed changes before the answer to the handshake`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url)
    const known = await node.send(newItem('ada'))
    const missed = [await node.send(newItem('ada')), await node.send(newItem('ada'))]
    const client = open(node, 'ada', { version: known.change.version })
    await client.frames.route('inbox/head')
    assert.deepEqual(client.frames.routes(), ['inbox/change', 'inbox/head'])
    const { payload } = client.frames.all[0]!
    assert.equal(payload.prev, known.change.version)
    assert.equal(payload.version, missed[1]!.change.version)
    assert.deepEqual(
      payload.items.map((item: { id: string }) => item.id),
      missed.map(({ change }) => change.items[0]!.id)
    )
    client.close()
  })

  test(`${kind}: resets a client that is ahead of the inbox, or 500 items behind`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url)
    const { change } = await node.send(...Array.from({ length: 501 }, () => newItem('ada')))
    const ahead = open(node, 'ada', { version: change.version + 1 })
    assert.deepEqual((await ahead.frames.route('inbox/reset')).payload, {
      reset: true,
      version: change.version
    })
    const behind = open(node, 'ada', { version: 0 })
    await behind.frames.route('inbox/reset')
    const next = await node.send(newItem('ada'))
    for (const client of [ahead, behind]) {
      const { payload } = await client.frames.reaching(next.change.version)
      assert.equal(payload.prev, change.version)
      client.close()
    }
  })

  test(`${kind}: rejects wrong credentials for good`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url)
    const wrong = [
      { userHash: handshakeOf('bob').userHash },
      { userHash: handshakeOf('ada').userHash.slice(0, 40) },
      { userHash: '' },
      { userHash: null },
      { clientId: 'nobody' },
      { userId: ['ada'] },
      { userId: 'x'.repeat(300) },
      { clientId: { a: 1 } },
      { clientId: { length: { toString: 'none' } } },
      { protocol: 2 },
      { version: 'now' }
    ]
    for (const more of wrong) {
      const client = open(node, 'ada', more)
      if ('refused' in client) {
        const { data } = (await client.refused) as { data: { title: string } }
        assert.match(data.title, /\w/, JSON.stringify(more))
      } else {
        const { payload } = await client.frames.route('inbox/refused')
        assert.deepEqual(Object.keys(payload).sort(), ['detail', 'title'])
        assert.equal((await client.closed).code, 4401)
      }
      client.close()
    }
    assert.equal(node.live.connectionCount(), 0)
  })
}

test('closes a Socket.IO connection with 4401 after the rejection', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}/socket.io/?EIO=4&transport=websocket`)
  const texts: string[] = []
  socket.on('message', data => {
    texts.push(String(data))
    if (texts.length === 1) socket.send(`40${JSON.stringify(handshakeOf('ada', { userHash: 'x' }))}`)
  })
  const [code] = (await once(socket, 'close')) as [number]
  assert.equal(code, 4401)
  assert.match(texts[1]!, /^44\{"message":"[^"]+","data":\{/)
})

test('rejects pages of other origins, but not native clients', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  for (const [origin, admitted] of [
    ['https://a.example', true],
    ['https://evil.example', false],
    [undefined, true]
  ] as const) {
    const client = plainClient(node, '/?kit=1', origin === undefined ? {} : { origin })
    client.socket.once('open', () => client.send('inbox/hello', handshakeOf('ada')))
    await client.frames.route(admitted ? 'inbox/head' : 'inbox/refused')
    client.close()
    const other = socketIoClient(node, 'ada', {}, origin === undefined ? {} : { extraHeaders: { origin } })
    if (admitted) await other.frames.route('inbox/head')
    else assert.match((await other.refused).message, /origin/)
    other.close()
  }
})

test('limits the sockets of an address, on both endpoints together', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { config: { socketsPerAddress: 2 } })
  const first = kitClient(node, 'ada')
  const second = socketIoClient(node, 'ada')
  await Promise.all([first, second].map(client => client.frames.route('inbox/head')))
  const third = plainClient(node, '/ws?kit=1')
  const [, response] = (await once(third.socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  assert.equal(response.statusCode, 429)
  assert.ok((await socketIoClient(node, 'ada').refused).message)
  first.close()
  await until(() => node.live.connectionCount() === 1)
  const fourth = kitClient(node, 'ada')
  await fourth.frames.route('inbox/head')
  // A closed socket frees one place, not all.
  assert.ok((await socketIoClient(node, 'ada').refused).message)
  for (const client of [second, fourth]) client.close()
})

test('rejects unknown paths, other first frames than a handshake, and binary, too long or too many messages', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const lost = plainClient(node, '/nowhere')
  const [, response] = (await once(lost.socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  assert.equal(response.statusCode, 404)

  const firsts: [string | Buffer, number][] = [
    ['hello', 1008],
    ['{"route":"inbox/sync","payload":{"version":1}}', 1008],
    [Buffer.from('{"route":"inbox/hello"}'), 1008],
    ['[]', 1008],
    ['null', 1008],
    [JSON.stringify({ payload: handshakeOf('ada', { pad: 'x'.repeat(17_000) }), route: 'inbox/hello' }), 1009]
  ]
  for (const [text, code] of firsts) {
    const client = plainClient(node, '/?kit=1')
    client.socket.once('open', () => client.socket.send(text))
    assert.equal((await client.closed).code, code, String(text).slice(0, 50))
  }

  for (const open of [kitClient, socketIoClient] as const) {
    const client = open(node, 'ada')
    await client.frames.route('inbox/head')
    for (let i = 0; i < 100; i++) {
      if ('send' in client) client.send('inbox/sync', { version: 0 })
      else client.socket.emit('inbox/sync', { version: 0 })
    }
    await client.closed
  }
  const silent = connect(node.port, '127.0.0.1')
  silent.destroy()
})

test('answers a sync with the changes since its version', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const first = await node.send(newItem('ada'))
  const second = await node.send(newItem('ada'))
  for (const open of [kitClient, socketIoClient] as const) {
    const client = open(node, 'ada')
    await client.frames.route('inbox/head')
    const payload = { version: first.change.version }
    if ('send' in client) client.send('inbox/sync', payload)
    else client.socket.emit('inbox/sync', payload)
    const change = await client.frames.reaching(second.change.version)
    assert.equal(change.payload.prev, first.change.version)
    client.close()
  }
})

test('asks clients to reconnect while it drains, and accepts no new ones', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const plain = kitClient(node, 'ada')
  const own = socketIoClient(node, 'ada')
  await Promise.all([plain, own].map(client => client.frames.route('inbox/head')))
  await node.live.drain()
  assert.equal((await plain.closed).code, 1012)
  // After 'io server disconnect', socket.io-client would not reconnect.
  assert.equal((await own.closed).reason, 'transport close')
  const late = plainClient(node, '/ws?kit=1')
  const [, response] = (await once(late.socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  assert.equal(response.statusCode, 503)
})
