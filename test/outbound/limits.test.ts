// The guarded HTTP client limits the time and bytes that a hostile server can cost.

import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSilent, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'

import { createAddressClassifier } from '../../server/outbound/address-policy.ts'
import { openOutbound, type Outbound } from '../../server/outbound/outbound.ts'
import { testConfig } from '../http/serve.ts'
import { TLS, trustPeers } from '../support/tls.ts'
import { hosts, type Hosts } from './peers.ts'

describe('limits', { timeout: 30_000 }, () => {
  let peers: Hosts
  let outbound: Outbound
  before(async () => {
    peers = await hosts('127.0.0.2', [])
    const config = testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8' })
    outbound = openOutbound({ config, connectTimeoutMs: 500, idleTimeoutMs: 300, totalTimeoutMs: 1000 })
  })
  after(() => peers[Symbol.asyncDispose]())
  const at = (path: string): string => `http://127.0.0.2:${peers.port}${path}`

  const expected: Readonly<Record<string, string>> = {
    '/chunk': 'cut',
    '/drip': 'timeout',
    '/endless': 'too-large',
    '/gzip': 'encoding',
    '/half': 'cut',
    '/large': 'too-large',
    '/loop': 'redirects',
    '/reset': 'cut',
    '/silent': 'timeout',
    '/switch': 'cut'
  }
  for (const [path, code] of Object.entries(expected)) {
    test(`ends ${path} with ${code}`, async () => {
      const start = performance.now()
      const result = await outbound.request(at(path))
      assert.deepEqual([result.ok, !result.ok && result.code], [false, code], JSON.stringify(result))
      assert.equal(!result.ok && result.hasReachedServer, true)
      assert.ok(performance.now() - start < 20_000)
    })
  }

  test('follows three redirects, and not four', async () => {
    const hops = (count: number): string =>
      count === 0 ? '/ok' : `/go?to=${encodeURIComponent(hops(count - 1))}`
    assert.ok((await outbound.request(at(hops(3)))).ok)
    const fourth = await outbound.request(at(hops(4)))
    assert.equal(!fourth.ok && fourth.code, 'redirects')
  })

  test('returns any status as an answer', async () => {
    const result = await outbound.request(at('/nothing'))
    assert.deepEqual([result.ok && result.status, result.ok && result.body.toString()], [404, 'nothing'])
  })

  test('shares one byte budget between requests', async () => {
    const budget = { left: 10 }
    assert.ok((await outbound.request(at('/ok'), { budget })).ok)
    assert.equal(budget.left, 4)
    const second = await outbound.request(at('/ok'), { budget })
    assert.equal(!second.ok && second.code, 'too-large')
  })

  test('sends a body unchanged, and follows no redirect of a POST', async () => {
    const body = Buffer.from('Grüße 🚢')
    const result = await outbound.request(at('/post'), { body, method: 'POST' })
    assert.equal(result.ok && result.body.toString(), 'Grüße 🚢')
    const moved = await outbound.request(at('/go?to=/ok'), { body, method: 'POST' })
    assert.equal(moved.ok && moved.status, 302)
  })

  test('sends headers to the origin of the address only', async () => {
    const headers = { authorization: 'Bearer secret' }
    const same = await outbound.request(at('/headers'), { headers })
    assert.match(same.ok ? same.body.toString() : '', /Bearer secret/)
    await using elsewhere = await hosts('127.0.0.2', [])
    const to = encodeURIComponent(`http://127.0.0.2:${elsewhere.port}/headers`)
    const other = await outbound.request(at(`/go?to=${to}`), { headers })
    assert.match(other.ok ? other.body.toString() : '', /notif-kit/)
    assert.doesNotMatch(other.ok ? other.body.toString() : '', /Bearer secret/)
  })

  test('aborts on request, and fails if no server listens', async () => {
    const aborted = new AbortController()
    const waiting = outbound.request(at('/silent'), { signal: aborted.signal })
    aborted.abort()
    const result = await waiting
    assert.deepEqual(
      [!result.ok && result.code, !result.ok && result.detail],
      ['timeout', 'The request was aborted.']
    )
    assert.equal(getEventListeners(aborted.signal, 'abort').length, 0)
    const early = await outbound.request(at('/ok'), { signal: AbortSignal.abort() })
    assert.deepEqual([early.ok, !early.ok && early.hasReachedServer], [false, false])
    const nobody = await outbound.request('http://127.0.0.9:1/')
    assert.deepEqual([!nobody.ok && nobody.code, !nobody.ok && nobody.hasReachedServer], ['connect', false])
  })
})

/** Starts a server that counts its connections. */
async function ownServer(listener: RequestListener, tls?: typeof TLS) {
  let connections = 0
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.on('connection', () => void connections++).listen(0, '0.0.0.0')
  await once(server, 'listening')
  return {
    connections: () => connections,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    }
  }
}

const open = (): Outbound => openOutbound({ config: testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8' }) })

test('aborts a connection that is silent during the TLS handshake', { timeout: 10_000 }, async () => {
  const silent = createSilent().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const config = testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8' })
  const { port } = silent.address() as AddressInfo
  const result = await openOutbound({ config, connectTimeoutMs: 200 }).request(`https://127.0.0.1:${port}/`)
  assert.deepEqual([!result.ok && result.code, !result.ok && result.hasReachedServer], ['connect', false])
  const idle = await openOutbound({ config, idleTimeoutMs: 200 }).request(`http://127.0.0.1:${port}/`)
  assert.match(idle.ok ? '' : idle.detail, /No data for 200 ms/)
  silent.close()
})

test('keeps at most eight connections per origin and a hundred in all', { timeout: 30_000 }, async () => {
  // Each waits for the others, so that all are under way together.
  let waiting: ServerResponse[] = []
  let together = 1
  await using server = await ownServer((_request, response) => {
    waiting.push(response)
    if (waiting.length < together) return
    for (const one of waiting) one.end('ok')
    waiting = []
  })
  const ask = async (outbound: Outbound, host: number): Promise<void> => {
    const result = await outbound.request(`http://127.0.0.${host}:${server.port}/`, { keepAlive: true })
    assert.ok(result.ok, JSON.stringify(result))
  }
  // A machine that is frozen for seconds only adds connections.
  const many = open()
  for (let round = 0; round < 2; round++) for (let host = 1; host <= 105; host++) await ask(many, host)
  assert.ok(server.connections() >= 110, `${server.connections()}, of 105 origins twice`)
  const before = server.connections()
  together = 10
  const one = open()
  for (let round = 0; round < 2; round++) await Promise.all(Array.from({ length: 10 }, () => ask(one, 1)))
  assert.ok(server.connections() - before >= 12, `${server.connections() - before}, of ten twice`)
})

test('closes the connection of an answer that is not read', { timeout: 30_000 }, async () => {
  const closed = Promise.withResolvers<void>()
  await using server = await ownServer((_request, response) => {
    response.once('close', closed.resolve)
    response.writeHead(404).write('and so on')
  })
  const take = (): Promise<void> => assert.fail('must not be read')
  const began = performance.now()
  const result = await open().request(`http://127.0.0.1:${server.port}/`, { onPart: take })
  assert.equal(result.ok && result.status, 404)
  await closed.promise
  const took = performance.now() - began
  assert.ok(took < 5000, `${took} ms: that was the end of its silence`)
})

test('follows no redirect from https to http', async () => {
  trustPeers()
  let visits = 0
  await using plain = await ownServer((_request, response) => {
    visits += 1
    response.end('ok')
  })
  const location = `http://127.0.0.1:${plain.port}/`
  await using secure = await ownServer(
    (_request, response) => response.writeHead(302, { location }).end(),
    TLS
  )
  const result = await open().request(`https://127.0.0.1:${secure.port}/`)
  assert.equal(!result.ok && result.code, 'redirects', JSON.stringify(result))
  assert.equal(visits, 0)
})

describe('the class of an address', () => {
  const inside = `127.0.0.1 127.255.255.254 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.170.2 100.64.0.1
    100.100.100.200 0.0.0.0 0.1.2.3 192.0.0.192 198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
    0:0:0:0:0:ffff:a9fe:a9fe ::127.0.0.1 ::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::7f00:1
    2001:db8::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1 100::1 2001:20::1 5f00::1 3fff::1
    192.31.196.1 192.52.193.1 192.175.48.1 100:0:0:1::1 2620:4f:8000::1 nonsense
    ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 1::1 400::1 1fff::1 4000::1 9000::1`
  const outside = `93.184.216.34 8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.1 169.253.1.1 11.0.0.1
    198.17.255.255 198.20.0.1 223.255.255.255 2606:2800:220:1:248:1893:25c8:1946 2a00:1450:4001::1 ::ffff:8.8.8.8`
  const all = (list: string): string[] => list.split(/\s+/)

  test('is private for special-purpose ranges, and public beside them', () => {
    const place = createAddressClassifier([])
    for (const address of all(inside)) assert.equal(place(address), 'private', address)
    for (const address of all(outside)) assert.equal(place(address), 'public', address)
  })

  test('is allowed for addresses of the setting, in any notation', () => {
    const place = createAddressClassifier(['10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(all('10.1.2.3 ::ffff:10.1.2.3 fd00::1').map(place), ['allowed', 'allowed', 'allowed'])
    assert.deepEqual(all('11.0.0.1 127.0.0.1 fc00::1').map(place), ['public', 'private', 'private'])
  })
})
