// Addresses and credentials of a transport, from the configuration of the page.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { openTransport } from '../../components/live/create-transport.ts'
import type { Address } from '../../components/store/transport.ts'
import { createTestEnvironment } from '../store/support.ts'

const PAGE = { counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }, items: [], version: 1 }

/** A server that answers requests for pages, closes sockets, and records requests. */
async function startPeer() {
  const seen: { path: string; credentials: string }[] = []
  const upgrades: string[] = []
  let arrived = (): void => {}
  const server = createServer((request, response) => {
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    seen.push({ credentials: Buffer.from(token, 'base64').toString(), path: request.url! })
    response.writeHead(seen.length === 1 ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(PAGE))
  })
  server.on('upgrade', (request, socket) => {
    upgrades.push(request.url!)
    socket.destroy()
    arrived()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async upgrade() {
      while (upgrades.length === 0) await new Promise<void>(resolve => (arrived = resolve))
      return upgrades[0]
    }
  }
}

async function findSocket(address: (base: string) => Partial<Address>): Promise<string | undefined> {
  await using s = await startPeer()
  const own = createTestEnvironment()
  const transport = openTransport({ clientId: 'c', userId: `u${Math.random()}`, ...address(s.base) }, own)
  const end = transport.connect(
    () => {},
    () => undefined
  )
  const path = await s.upgrade()
  end()
  return path
}

test('the scheme of the socket address selects the dialect, and its path is used', async () => {
  const io = 'socket.io/?EIO=4&transport=websocket'
  assert.equal(await findSocket(base => ({ apiUrl: base })), `/${io}`)
  assert.equal(await findSocket(base => ({ apiUrl: `${base}/notif/` })), `/notif/${io}`)
  assert.equal(await findSocket(base => ({ apiUrl: 'http://127.0.0.1:1', wsUrl: base })), `/${io}`)
  const plain = (base: string): string => base.replace('http', 'ws')
  assert.equal(await findSocket(base => ({ apiUrl: base, wsUrl: plain(base) })), '/?kit=1')
  assert.equal(await findSocket(base => ({ apiUrl: base, wsUrl: `${plain(base)}/ws?a=b` })), '/ws?a=b&kit=1')
})

test('without an address the server is the origin of the page', async () => {
  await using s = await startPeer()
  Object.defineProperty(globalThis, 'location', {
    configurable: true,
    value: new URL(`${s.base}/deep/page.html?x=1#part`)
  })
  try {
    const transport = openTransport({ clientId: 'c', userId: 'root' }, createTestEnvironment())
    const end = transport.connect(
      () => {},
      () => undefined
    )
    assert.equal(await s.upgrade(), '/socket.io/?EIO=4&transport=websocket')
    end()
  } finally {
    Reflect.deleteProperty(globalThis, 'location')
  }
})

test('calls the auth function once, and again after the hash was refused', async () => {
  await using s = await startPeer()
  let asked = 0
  const transport = openTransport(
    { apiUrl: `${s.base}/api/`, auth: async () => `hash${++asked}`, clientId: 'c', userId: 'u' },
    createTestEnvironment()
  )
  await transport.getPage(1)
  await transport.getPage(1)
  assert.deepEqual(
    s.seen.map(call => call.credentials),
    ['c:u:hash1', 'c:u:hash2', 'c:u:hash2']
  )
  assert.equal(s.seen[0]!.path, '/api/c/users/u/inbox?count=1')
})

test('rejects with a TransportError if the auth function fails', async () => {
  const transport = openTransport(
    {
      apiUrl: 'http://127.0.0.1:1',
      auth: () => Promise.reject(new Error('signed out')),
      clientId: 'c',
      userId: 'u'
    },
    { ...createTestEnvironment(), after: (_, callback) => (setImmediate(callback), () => {}) }
  )
  await assert.rejects(transport.getPage(1), { name: 'TransportError', status: 0 })
})
