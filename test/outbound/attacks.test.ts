// Known SSRF attacks are refused: on loopback with one allowed address, and in a network namespace with real public and metadata
// addresses.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'

import { openOutbound, type Outbound } from '../../server/outbound/outbound.ts'
import { testConfig } from '../http/serve.ts'
import { dnsPeer, type DnsPeer } from './dns-peer.ts'
import { hosts, type Hosts } from './peers.ts'

const PUBLIC = '93.184.216.34'
const SECLUDED = process.env['TEST_NAMESPACE'] === '1'
const OUTSIDE = SECLUDED ? PUBLIC : '127.0.0.2'
const DEAD = SECLUDED ? '93.184.216.99' : '127.0.0.3'
const INSIDE = ['127.0.0.1', '::1', ...(SECLUDED ? ['169.254.169.254', '10.0.0.5'] : [])]

const zone = {
  'dead.test': [[DEAD, '127.0.0.1']],
  'first.test': [['127.0.0.1', OUTSIDE]],
  'inside.test': [['127.0.0.1']],
  'kept.test': [[OUTSIDE], ['127.0.0.1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'metadata.test': [['169.254.169.254']],
  'outside.test': [[OUTSIDE]],
  'rebind.test': [[OUTSIDE], ['127.0.0.1']],
  'second.test': [[OUTSIDE, '127.0.0.1']]
}

describe(SECLUDED ? 'in a namespace' : 'on loopback', { timeout: 60_000 }, () => {
  let dns: DnsPeer
  let peers: Hosts
  let outbound: Outbound
  before(async () => {
    dns = await dnsPeer(zone)
    peers = await hosts(OUTSIDE, INSIDE, SECLUDED ? 80 : undefined)
    const config = testConfig(SECLUDED ? {} : { NOTIF_ALLOW_PRIVATE: `${OUTSIDE},${DEAD}` })
    outbound = openOutbound({ config, connectTimeoutMs: 1000, lookup: dns.lookup })
  })
  after(async () => {
    await peers[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  const at = (host: string, path = '/ok'): string => `http://${host}:${peers.port}${path}`
  const sent = (to: string): string => at('outside.test', `/go?to=${encodeURIComponent(to)}`)

  test('reaches a public host', async () => {
    const result = await outbound.request(at('outside.test'))
    assert.ok(result.ok, JSON.stringify(result))
    assert.equal(result.body.toString(), 'PUBLIC')
    assert.ok((await outbound.request(sent(at('outside.test')))).ok)
    assert.ok((await outbound.request(sent('/ok'))).ok)
  })

  const attacks: Readonly<Record<string, () => string>> = {
    'an address': () => at('127.0.0.1'),
    'a decimal address': () => at('2130706433'),
    'a hexadecimal address': () => at('0x7f.1'),
    'a short address': () => at('127.1'),
    'no address at all': () => at('0.0.0.0'),
    'IPv6 loopback': () => at('[::1]'),
    'IPv4 in IPv6': () => at('[::ffff:7f00:1]'),
    'IPv4 behind NAT64': () => at('[64:ff9b::7f00:1]'),
    'the metadata address': () => at('169.254.169.254'),
    'a private network': () => at('10.0.0.5'),
    localhost: () => at('localhost'),
    'a name that leads inside': () => at('inside.test'),
    'a name of the metadata address': () => at('metadata.test'),
    'a name with IPv4 in IPv6': () => at('mapped.test'),
    'a name with two addresses, the second inside': () => at('second.test'),
    'a name with two addresses, the first inside': () => at('first.test'),
    'a dead public address before one inside': () => at('dead.test'),
    'a redirect to an address': () => sent(at('127.0.0.1')),
    'a redirect to a private network': () => sent(at('10.0.0.5')),
    'a redirect to a name': () => sent(at('inside.test')),
    'a redirect to IPv6': () => sent(at('[::1]')),
    'a redirect to a file': () => sent('file:///etc/hostname'),
    'a redirect with credentials': () => sent(`http://user:password@127.0.0.1:${peers.port}/`),
    'a file': () => 'file:///etc/hostname',
    'another scheme': () => `gopher://127.0.0.1:${peers.port}/`,
    'a password alone': () => `http://:password@127.0.0.2:${peers.port}/ok`,
    'a host in the credentials': () => `http://outside.test@127.0.0.1:${peers.port}/`,
    'another port of a public address': () => `http://${PUBLIC}:25/`
  }
  for (const [name, url] of Object.entries(attacks)) {
    test(`refuses ${name}`, async () => {
      const lookup = name === 'localhost' ? {} : { lookup: dns.lookup }
      const config = testConfig(SECLUDED ? {} : { NOTIF_ALLOW_PRIVATE: `${OUTSIDE},${DEAD}` })
      const own = openOutbound({ config, connectTimeoutMs: 1000, ...lookup })
      for (const keep of [{}, { keepAlive: true }] as const) {
        // A connection is there that might be used.
        if ('keep' in keep) assert.ok((await own.request(at(OUTSIDE), keep)).ok)
        const result = await own.request(url(), keep)
        assert.ok(!result.ok, JSON.stringify(result))
        assert.ok(['address', 'forbidden'].includes(result.code), JSON.stringify(result))
        assert.equal(peers.visits(), 0)
      }
    })
  }

  test('resolves a name once, so that its address cannot change after the check', async () => {
    const first = await outbound.request(at('rebind.test'))
    assert.equal(first.ok && first.body.toString(), 'PUBLIC')
    assert.equal(dns.asked('rebind.test'), 1)
    const second = await outbound.request(at('rebind.test'))
    assert.deepEqual([second.ok, !second.ok && second.code], [false, 'forbidden'])
    assert.equal(peers.visits(), 0)
  })

  test('keeps a reused connection at its checked address, and checks a new one', async () => {
    const own = openOutbound({
      config: testConfig(SECLUDED ? {} : { NOTIF_ALLOW_PRIVATE: `${OUTSIDE},${DEAD}` }),
      connectTimeoutMs: 1000,
      lookup: dns.lookup
    })
    const requestText = async (path: string, keep: { readonly keepAlive?: true }): Promise<string> => {
      const result = await own.request(at('kept.test', path), keep)
      return result.ok ? result.body.toString() : result.code
    }
    const keep = { keepAlive: true } as const
    assert.equal(await requestText('/ok', keep), 'PUBLIC')
    // A machine that is frozen for seconds ends the connection, and the next one gets the other answer.
    for (let n = 0; n < 3; n += 1) assert.match(await requestText('/ok', keep), /^(?:PUBLIC|forbidden)$/)
    assert.equal(await requestText('/ok', {}), 'forbidden')
    assert.match(await requestText('/reset', keep), /^(?:cut|forbidden)$/)
    assert.equal(await requestText('/ok', keep), 'forbidden')
    assert.equal(peers.visits(), 0)
  })

  test('reaches allowed addresses at any port', { skip: SECLUDED }, async () => {
    const config = testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.1/32' })
    const result = await openOutbound({ config, lookup: dns.lookup }).request(at('inside.test'))
    assert.equal(result.ok && result.body.toString(), 'SECRET')
    const other = await openOutbound({ config, lookup: dns.lookup }).request(at('outside.test'))
    assert.equal(!other.ok && other.code, 'forbidden')
  })
})

test('passes the same tests in a network namespace', { skip: SECLUDED, timeout: 90_000 }, async t => {
  const setUp = ['93.184.216.34', '169.254.169.254', '10.0.0.5'].map(one => `ip addr add ${one}/32 dev lo`)
  const inside = ['ip link set lo up', ...setUp]
  const run = promisify(execFile)
  try {
    await run('unshare', ['-n', 'sh', '-c', inside.join(' && ')], { timeout: 10_000 })
  } catch {
    t.skip('This machine gives us no network namespace.')
    return
  }
  const script = [...inside, `exec ${process.execPath} --test-reporter=tap ${import.meta.filename}`].join(
    ' && '
  )
  const child = execFile('unshare', ['-n', 'sh', '-c', script], {
    env: { PATH: process.env['PATH'], TEST_NAMESPACE: '1' },
    timeout: 60_000
  })
  let output = ''
  child.stdout!.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  assert.match(output, /refuses the metadata address/)
})
