// Socket.IO clients that begin with polling, as they do by default, or cannot leave it; and the limits of polling sessions.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'

import { UnsentBytes } from '../../../server/core/unsent-bytes.ts'
import { createRateLimit } from '../../../server/http/rate-limits.ts'
import { MAX_POLLING_SESSIONS_PER_USER } from '../../../server/inbox/live/engine-polling.ts'
import { testDb } from '../../support/db.ts'
import { newItem } from '../test-items.ts'
import { handshakeOf, socketIoClient, startNode, until, type Node } from './test-node.ts'

const POLLING = { transports: ['polling'] }
const DEFAULT = { transports: ['polling', 'websocket'] }

for (const [name, options] of [
  ['default', DEFAULT],
  ['polling only', POLLING]
] as const) {
  test(`${name}: handshake, missed and live changes, sync, and a long answer`, async () => {
    await using t = await testDb()
    await using node = await startNode(t.url)
    const before = await node.send(newItem('ada'))
    const client = socketIoClient(node, 'ada', { version: 0 }, options)
    await client.frames.route('inbox/head')
    assert.deepEqual(client.frames.routes(), ['inbox/change', 'inbox/head'])
    const { engine } = client.socket.io
    if (options === DEFAULT) await until(() => engine.transport.name === 'websocket')
    else assert.equal(engine.transport.name, 'polling')
    const event = await node.send(newItem('ada'))
    const { payload } = await client.frames.reaching(event.change.version)
    assert.equal(payload.prev, before.change.version)
    client.socket.emit('inbox/sync', { version: before.change.version })
    await until(() => client.frames.routes().filter(route => route === 'inbox/change').length === 3)
    const body = 'x'.repeat(500_000)
    const long = await node.send({ ...newItem('ada'), content: { body, title: 'Long' } })
    assert.equal((await client.frames.reaching(long.change.version)).payload.items[0].body, body)
    assert.equal(node.live.connectionCount(), 1)
    client.close()
    await until(() => node.live.connectionCount() === 0)
  })
}

test('a wrong hash, an origin that is not allowed, and guesses are refused as on a WebSocket', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { addressLimit: createRateLimit('requests', 2, 'this address') })
  const options = { ...POLLING, extraHeaders: { origin: 'https://evil.example' } }
  const { data } = await socketIoClient(node, 'ada', {}, options).refused
  assert.equal((data as { title: string }).title, 'The origin of this page is not allowed.')
  const allowed = { ...POLLING, extraHeaders: { origin: 'https://a.example' } }
  const page = socketIoClient(node, 'ada', {}, allowed)
  await page.frames.route('inbox/head')
  page.close()
  const wrong: unknown[] = []
  for (let i = 0; i < 4; i++) {
    wrong.push((await socketIoClient(node, 'ada', { userHash: 'wrong' }, POLLING).refused).data)
  }
  assert.equal((wrong[0] as { title: string }).title, 'The credentials are missing or wrong.')
  assert.ok(wrong.includes(undefined), 'too many guesses have no reason')
  await until(() => node.live.connectionCount() === 0)
})

const PATH = '/socket.io/?EIO=4&transport=polling'

/** A session without a client library. @returns its address */
async function openSession(node: Node): Promise<string | undefined> {
  const answer = await fetch(node.url + PATH)
  const text = await answer.text()
  if (answer.status !== 200) return undefined
  const { sid } = JSON.parse(text.slice(1)) as { sid: string }
  return `${node.url}${PATH}&sid=${sid}`
}

/** Polls until the handshake is answered. Fails if the session has ended. */
async function pollUntilHead(address: string): Promise<void> {
  for (let text = ''; !text.includes('inbox/head');) {
    const answer = await fetch(address)
    text = await answer.text()
    assert.equal(answer.status, 200, text)
  }
}

const post = (address: string, body: string): Promise<Response> => fetch(address, { body, method: 'POST' })

test('sessions of an address and of a user are limited, until they end', async () => {
  await using t = await testDb()
  const limit = MAX_POLLING_SESSIONS_PER_USER + 3
  await using node = await startNode(t.url, { config: { socketsPerAddress: limit } })
  // An old protocol opens no session and counts for nothing.
  for (let i = 0; i < limit; i++) {
    assert.equal((await fetch(`${node.url}/socket.io/?EIO=3&transport=polling`)).status, 400)
  }
  const sessions: string[] = []
  for (let i = 0; i < limit; i++) sessions.push((await openSession(node))!)
  assert.equal(await openSession(node), undefined)
  assert.equal((await fetch(node.url + PATH)).status, 403)

  const hello = `40${JSON.stringify(handshakeOf('ada'))}`
  for (const address of sessions) assert.equal((await post(address, hello)).status, 200)
  await until(() => node.live.connectionCount() === MAX_POLLING_SESSIONS_PER_USER)
  const refused = sessions.at(-1)!
  assert.match(await (await fetch(refused)).text(), /too many polling sessions/)
  await post(sessions[0]!, '1')
  await until(() => node.live.connectionCount() === MAX_POLLING_SESSIONS_PER_USER - 1)
  const next = await openSession(node)
  assert.equal((await post(next!, hello)).status, 200)
  await until(() => node.live.connectionCount() === MAX_POLLING_SESSIONS_PER_USER)
})

test('pages may read answers, large requests are refused, and a client that does not poll is dropped', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { limits: { backlogBytes: 100_000 }, listenUrl: '' })
  const answer = await fetch(node.url + PATH, { headers: { origin: 'https://a.example' } })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  assert.equal(answer.headers.get('set-cookie'), null)
  await answer.text()

  const address = (await openSession(node))!
  assert.equal((await post(address, `4${'x'.repeat(20_000)}`)).status, 413)
  const idle = (await openSession(node))!
  await post(idle, `40${JSON.stringify(handshakeOf('ada'))}`)
  // Before its first answer, changes are not for it. Then it polls no more.
  await pollUntilHead(idle)
  const { change } = await node.send(newItem('ada'))
  let { version } = change
  for (let i = 0; i < 100; i++) {
    const items = [{ ...change.items[0]!, body: 'x'.repeat(50_000), rev: version + 1 }]
    const next = { ...change, items, prev: version, version: version + 1 }
    node.live.publish([{ change: next, envId: 'env', userId: 'ada' }])
    version += 1
  }
  // Frames go out after this turn of the event loop.
  await until(() => node.live.droppedCount() > 0)
  assert.equal(node.live.droppedCount(), 1)
  await until(() => node.live.connectionCount() === 0)
})

test('answers that clients leave unread are limited together, and the oldest is dropped', async () => {
  await using t = await testDb()
  // More than one answer, less than two without what the buffers of the network hold.
  const unsent = new UnsentBytes(50_000_000, 1e9)
  await using node = await startNode(t.url, { limits: { backlogBytes: 1e9 }, listenUrl: '', unsent })
  const closed: string[] = []
  const sockets: Socket[] = []
  for (const userId of ['ada', 'bob']) {
    const { change } = await node.send(newItem(userId))
    const address = new URL((await openSession(node))!)
    await post(address.href, `40${JSON.stringify(handshakeOf(userId))}`)
    await pollUntilHead(address.href)
    for (let n = 1; n <= 800; n++) {
      const version = change.version + n
      const items = [{ ...change.items[0]!, body: 'x'.repeat(50_000), rev: version }]
      node.live.publish([{ change: { ...change, items, prev: version - 1, version }, envId: 'env', userId }])
    }
    const socket = connect(node.port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(`GET ${address.pathname}${address.search} HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.once('close', () => closed.push(userId))
    await once(socket, 'data')
    socket.pause()
  }
  for (const socket of sockets) socket.resume()
  await until(() => closed.length > 0 || sockets.every(({ bytesRead }) => bytesRead > 40_000_000))
  assert.deepEqual(closed, ['ada'])
  assert.ok(sockets[0]!.bytesRead < 40_000_000, 'its answer was not complete')
  for (const socket of sockets) socket.destroy()
})

test('a polling client is asked to reconnect when the node stops', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const client = socketIoClient(node, 'ada', {}, POLLING)
  await client.frames.route('inbox/head')
  await node.live.drain(1000)
  assert.equal((await client.closed).reason, 'transport close')
  assert.equal((await fetch(node.url + PATH)).status, 403)
})
