// What a server at the other end can do to us: nothing that takes long or much.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { openOutbound, type Outbound } from '../../server/outbound/outbound.ts'
import { placeOf } from '../../server/outbound/inside.ts'
import { testConfig } from '../http/serve.ts'
import { hosts, type Hosts } from './peers.ts'

describe('limits', { timeout: 30_000 }, () => {
  let peers: Hosts
  let outbound: Outbound
  before(async () => {
    peers = await hosts('127.0.0.2', [])
    const config = testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8', NOTIF_OUTBOUND_SECONDS: '1' })
    outbound = openOutbound({ config, connect: 500, idle: 300 })
  })
  after(() => peers[Symbol.asyncDispose]())
  const at = (path: string): string => `http://127.0.0.2:${peers.port}${path}`

  const expected: Readonly<Record<string, string>> = {
    '/drip': 'timeout',
    '/endless': 'too-large',
    '/gzip': 'encoding',
    '/half': 'cut',
    '/large': 'too-large',
    '/loop': 'redirects',
    '/reset': 'cut',
    '/silent': 'timeout'
  }
  for (const [path, code] of Object.entries(expected)) {
    test(`${path} ends as ${code}`, async () => {
      const start = performance.now()
      const result = await outbound.request(at(path))
      assert.deepEqual([result.ok, !result.ok && result.code], [false, code], JSON.stringify(result))
      assert.equal(!result.ok && result.reached, true)
      assert.ok(performance.now() - start < 2500)
    })
  }

  test('any status is an answer', async () => {
    const result = await outbound.request(at('/nothing'))
    assert.deepEqual([result.ok && result.status, result.ok && result.body.toString()], [404, 'nothing'])
  })

  test('several answers share one budget', async () => {
    const budget = { left: 10 }
    assert.ok((await outbound.request(at('/ok'), { budget })).ok)
    assert.equal(budget.left, 4)
    const second = await outbound.request(at('/ok'), { budget })
    assert.equal(!second.ok && second.code, 'too-large')
  })

  test('a body is sent as it is, and a POST follows no redirect', async () => {
    const body = Buffer.from('Grüße 🚢')
    const result = await outbound.request(at('/post'), { body, method: 'POST' })
    assert.equal(result.ok && result.body.toString(), 'Grüße 🚢')
    const moved = await outbound.request(at('/go?to=/ok'), { body, method: 'POST' })
    assert.equal(moved.ok && moved.status, 302)
  })

  test('headers stay with the origin they were meant for', async () => {
    const headers = { authorization: 'Bearer secret' }
    const same = await outbound.request(at('/headers'), { headers })
    assert.match(same.ok ? same.body.toString() : '', /Bearer secret/)
    await using elsewhere = await hosts('127.0.0.2', [])
    const to = encodeURIComponent(`http://127.0.0.2:${elsewhere.port}/headers`)
    const other = await outbound.request(at(`/go?to=${to}`), { headers })
    assert.match(other.ok ? other.body.toString() : '', /notif-kit/)
    assert.doesNotMatch(other.ok ? other.body.toString() : '', /Bearer secret/)
  })

  test('whoever asked may give up, and nobody answers where nobody listens', async () => {
    const gone = new AbortController()
    const waiting = outbound.request(at('/silent'), { signal: gone.signal })
    gone.abort()
    const result = await waiting
    assert.equal(!result.ok && result.code, 'timeout')
    const early = await outbound.request(at('/ok'), { signal: AbortSignal.abort() })
    assert.deepEqual([early.ok, !early.ok && early.reached], [false, false])
    const nobody = await outbound.request('http://127.0.0.9:1/')
    assert.deepEqual([!nobody.ok && nobody.code, !nobody.ok && nobody.reached], ['connect', false])
  })
})

describe('where an address leads', () => {
  const inside = `127.0.0.1 127.255.255.254 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.170.2 100.64.0.1
    100.100.100.200 0.0.0.0 0.1.2.3 192.0.0.192 198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
    0:0:0:0:0:ffff:a9fe:a9fe ::127.0.0.1 ::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::7f00:1
    2001:db8::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1 100::1 2001:20::1 5f00::1 3fff::1 nonsense`
  const outside = `93.184.216.34 8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.1 169.253.1.1 11.0.0.1
    198.17.255.255 198.20.0.1 223.255.255.255 2606:2800:220:1:248:1893:25c8:1946 2a00:1450:4001::1 ::ffff:8.8.8.8`
  const all = (list: string): string[] => list.split(/\s+/)

  test('the special-purpose registries are inside, the neighbours of their networks are not', () => {
    const place = placeOf([])
    for (const address of all(inside)) assert.equal(place(address), 'inside', address)
    for (const address of all(outside)) assert.equal(place(address), 'public', address)
  })

  test('what was opened is opened, however it is written', () => {
    const place = placeOf(['10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(all('10.1.2.3 ::ffff:10.1.2.3 fd00::1').map(place), ['opened', 'opened', 'opened'])
    assert.deepEqual(all('11.0.0.1 127.0.0.1 fc00::1').map(place), ['public', 'inside', 'inside'])
  })
})
