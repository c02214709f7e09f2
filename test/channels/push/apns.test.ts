// Pushes to Apple devices, with a fake APNs that checks requests as Apple documents them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Channel, ClosableProvider, Delivery, Provider } from '../../../server/channels/channel.ts'
import { createApnChannel, type ApnMessage } from '../../../server/channels/push/apns/message.ts'
import { openApnProvider } from '../../../server/channels/push/apns/provider.ts'
import { createSharedTokenStore } from '../../../server/channels/push/apns/token.ts'
import { openApnSandbox } from '../../../server/channels/sandbox/push-provider.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import type { DeviceInfo } from '../../../server/users/device.ts'
import { testConfig } from '../../http/serve.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { conformance } from '../conformance.ts'
import { apnsPeer, GONE_AT, KEY_ID, TEAM_ID, TOPIC, type ApnsPeer } from './apns-peer.ts'
import { intoSandbox, NO_PROVIDER, overPeer, buildPush, buildSubject } from './push-server.ts'
import { typesFor } from './push-type.ts'

const config = testConfig()
const types = typesFor('PUSH')

let database: TestDb
before(async () => {
  database = await testDb()
})
after(() => database[Symbol.asyncDispose]())

const openProvider = (peer: ApnsPeer, clock = Date.now, other = peer): ClosableProvider<ApnMessage> => {
  const credentials = { key: peer.key, keyId: KEY_ID, teamId: TEAM_ID }
  return openApnProvider({
    ...credentials,
    clock,
    tokenStore: createSharedTokenStore(database.db, TEST_ENCRYPTION, credentials),
    topic: TOPIC,
    urls: { production: peer.url, sandbox: other.url }
  })
}

const open = (provider: Provider<ApnMessage>) => {
  const renderer = createRenderer(config)
  return { channel: createApnChannel({ config, provider, renderer, types }) as Channel<unknown>, renderer }
}

conformance(
  'push over APNs',
  async () => {
    const peer = await apnsPeer()
    return overPeer(open(openProvider(peer)), peer, {
      arrived: () =>
        peer.received.map(({ payload, token }) => ({
          reference: String(payload['messageId']),
          text: (payload.aps['alert'] as { body: string }).body,
          to: token
        })),
      breakDown(down) {
        peer.down = down ? [503, 'Shutdown'] : undefined
      }
    })
  },
  buildSubject('apn')
)

conformance(
  'push to Apple devices in the sandbox',
  async db =>
    intoSandbox(db, open(openApnSandbox(db)), raw => String((raw as { messageId: unknown }).messageId)),
  buildSubject('apn')
)

const buildDelivery = (to: string, send: Record<string, unknown>, info: Partial<DeviceInfo> = {}): Delivery =>
  buildPush('apn', to, send, info)

async function make(delivery: Delivery, settings = config): Promise<ApnMessage> {
  const renderer = createRenderer(settings)
  try {
    const built = await createApnChannel({
      config: settings,
      provider: NO_PROVIDER,
      renderer,
      types
    }).buildMessage(delivery)
    assert.ok(built.ok, built.ok ? '' : built.detail)
    return built.message
  } finally {
    await renderer.close()
  }
}

const call = (milliseconds = 5000) => ({ number: 1, signal: AbortSignal.timeout(milliseconds) })

describe('a push to an Apple device', { timeout: 30_000 }, () => {
  test('contains every option in its place', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    const apn = {
      badge: 0,
      collapseId: 'trip-4',
      contentAvailable: true,
      expiry: 1_900_000_000,
      priority: 5,
      sound: 'horn.caf',
      threadId: 'trips'
    }
    const delivery = buildDelivery('token-1', {
      options: { apn, push: { customData: { screen: 'gate', aps: 'x' } } }
    })
    const outcome = await provider.send(await make(delivery), delivery, call())
    assert.deepEqual(outcome, { kind: 'sent', ref: delivery.id })
    const [{ headers, payload }] = peer.received as [(typeof peer.received)[number]]
    assert.deepEqual(payload, {
      aps: {
        alert: { body: 'Gate 4', title: 'Boarding' },
        badge: 0,
        'content-available': 1,
        sound: 'horn.caf',
        'thread-id': 'trips'
      },
      messageId: delivery.sendId,
      screen: 'gate'
    })
    assert.deepEqual(
      ['apns-collapse-id', 'apns-expiration', 'apns-id', 'apns-priority', 'apns-push-type', 'apns-topic'].map(
        name => headers[name]
      ),
      ['trip-4', '1900000000', delivery.id, '5', 'alert', TOPIC]
    )
    await provider.close()
  })

  test('contains no options that are not given, and a repeated push replaces the first', async () => {
    const delivery = buildDelivery('token-1', {})
    const { headers, payload } = await make(delivery)
    assert.deepEqual(headers, { 'apns-collapse-id': delivery.sendId, 'apns-push-type': 'alert' })
    assert.deepEqual(JSON.parse(payload).aps, { alert: { body: 'Gate 4', title: 'Boarding' } })
    const now = await make(buildDelivery('token-1', { options: { apn: { expiry: 0, priority: 10 } } }))
    assert.deepEqual([now.headers['apns-expiration'], now.headers['apns-priority']], ['0', '10'])
  })

  test('is a background push without text, which never has priority 10', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    for (const [priority, expected] of [
      [10, '5'],
      [undefined, '5'],
      [1, '1']
    ] as const) {
      const apn = { contentAvailable: true, ...(priority !== undefined && { priority }) }
      const delivery = buildDelivery('token-1', {
        mobile_push: { message: '{{ nothing }}', title: '{{ nothing }}' },
        options: { apn }
      })
      assert.equal((await provider.send(await make(delivery), delivery, call())).kind, 'sent')
      const { headers, payload } = peer.received.at(-1)!
      assert.deepEqual([headers['apns-push-type'], headers['apns-priority']], ['background', expected])
      assert.deepEqual(payload.aps, { 'content-available': 1 })
    }
    await provider.close()
  })

  test('cuts the text to a payload of 2,048 bytes', async () => {
    const long = { mobile_push: { message: '日本'.repeat(3000), title: 'Long' } }
    const { payload } = await make(buildDelivery('t', long))
    const size = Buffer.byteLength(payload)
    assert.ok(size <= 2048 && size > 2040, `${size}`)
    assert.match(JSON.parse(payload).aps.alert.body, /^[日本]+…$/)
  })
})

describe('the APNs provider', { timeout: 60_000 }, () => {
  const sendAndReadOutcome = async (
    provider: Provider<ApnMessage>,
    to: string,
    info: Partial<DeviceInfo> = {}
  ) => {
    const delivery = buildDelivery(to, {}, info)
    return provider.send(await make(delivery), delivery, call(to.startsWith('hang') ? 300 : 5000))
  }

  test('maps each answer to its outcome', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    const expected: Record<string, [string, string]> = {
      bad: ['gone', 'BadDeviceToken'],
      bug: ['retry', 'InternalServerError'],
      busy: ['pause', 'ServiceUnavailable'],
      cut: ['uncertain', 'no-answer'],
      expired: ['gone', 'ExpiredToken'],
      forbidden: ['pause', 'InvalidProviderToken'],
      gone: ['gone', 'Unregistered'],
      hang: ['uncertain', 'no-answer'],
      html: ['retry', '502'],
      other: ['dead', 'DeviceTokenNotForTopic'],
      rate: ['retry', 'TooManyRequests'],
      reset: ['uncertain', 'no-answer'],
      topic: ['pause', 'TopicDisallowed'],
      updates: ['pause', 'TooManyProviderTokenUpdates']
    }
    for (const [word, [kind, code]] of Object.entries(expected)) {
      const outcome = await sendAndReadOutcome(provider, `${word}-1`)
      assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], [kind, code], word)
      if (word === 'busy') assert.equal('retryAfterMs' in outcome && outcome.retryAfterMs, 7000)
      if (word === 'gone') assert.deepEqual('asOf' in outcome && outcome.asOf, new Date(GONE_AT))
    }
    assert.equal((await sendAndReadOutcome(provider, 'fine-1')).kind, 'sent')
    await provider.close()
  })

  test('finds a development build that its app did not register as one', async () => {
    await using production = await apnsPeer()
    const sandbox = await apnsPeer()
    try {
      const shared = { ...production, url: sandbox.url }
      // Both environments have the same key, like Apple's.
      const provider = openProvider(production, Date.now, shared)
      assert.equal((await sendAndReadOutcome(provider, 'fine-1')).kind, 'sent')
      assert.deepEqual([production.received.length, sandbox.received.length], [1, 0])
      const elsewhere = await sendAndReadOutcome(provider, 'fine-2', { environment: 'sandbox' })
      // Another peer has another key, so only the request counts.
      assert.deepEqual([elsewhere.kind, production.received.length], ['pause', 1])
      assert.equal(sandbox.sessions, 1)
      await sendAndReadOutcome(provider, 'bad-1')
      assert.equal(sandbox.sessions, 1)
      await provider.close()
    } finally {
      await sandbox[Symbol.asyncDispose]()
    }
  })

  test('sends the first request of a connection alone, and loses none if the server closes it', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    const tokens = Array.from({ length: 101 }, (_, n) => (n === 50 ? 'leave-now' : `fine-${n}`))
    const outcomes = await Promise.all(tokens.map(token => sendAndReadOutcome(provider, token)))
    assert.deepEqual(
      outcomes.filter(({ kind }) => kind !== 'sent'),
      []
    )
    assert.deepEqual(peer.received.map(({ token }) => token).sort(), tokens.sort())
    assert.equal(peer.early, 1)
    assert.equal(peer.sessions, 2)
    assert.equal(peer.bearers.size, 1)
    await provider.close()
  })

  test('sends no request whose attempt ended while it waited for the first answer', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    const [first, second] = [buildDelivery('hang-1', {}), buildDelivery('fine-1', {})]
    const over = new AbortController()
    const hanging = provider.send(await make(first), first, { number: 1, signal: over.signal })
    const waiting = provider.send(await make(second), second, { number: 1, signal: over.signal })
    await until(() => peer.early === 1, 'the first stands alone')
    over.abort()
    const kinds = [(await hanging).kind, (await waiting).kind]
    assert.deepEqual(kinds, ['uncertain', 'pause'])
    const next = buildDelivery('fine-2', {})
    assert.equal((await provider.send(await make(next), next, call(5000))).kind, 'sent')
    assert.deepEqual(
      peer.received.map(({ token }) => token),
      ['fine-2']
    )
    await provider.close()
  })

  test('shares one token between all nodes for 50 minutes', async () => {
    await using peer = await apnsPeer()
    let now = Date.now() - 55 * 60_000
    const nodes = [1, 2, 3].map(() => openProvider(peer, () => now))
    const all = (name: string) =>
      Promise.all(nodes.map((node, n) => sendAndReadOutcome(node, `${name}-${n}`)))
    await all('together')
    assert.equal(peer.bearers.size, 1)
    now += 50 * 60_000 - 1
    await all('late')
    assert.equal(peer.bearers.size, 1)
    now += 1
    const outcomes = await all('over')
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['sent', 'sent', 'sent']
    )
    assert.equal(peer.bearers.size, 2)
    const stored = JSON.stringify(await database.db.control`select value from instance`)
    for (const bearer of peer.bearers) assert.ok(!stored.includes(bearer.replace('bearer ', '')))
    await Promise.all(nodes.map(node => node.close()))
  })

  test('renews an expired token on one node, at most every 20 minutes', async () => {
    await using peer = await apnsPeer()
    let now = Date.now() - 25 * 60_000
    const [one, other] = [openProvider(peer, () => now), openProvider(peer, () => now)]
    for (const node of [one, other]) await sendAndReadOutcome(node, 'fine-1')
    now += 20 * 60_000
    for (const node of [one, other]) {
      peer.expireOnce = true
      assert.equal((await sendAndReadOutcome(node, 'fine-2')).kind, 'sent')
    }
    assert.equal(peer.bearers.size, 2, 'the second took what the first had signed')
    now += 20 * 60_000 - 1
    peer.expireOnce = true
    assert.equal((await sendAndReadOutcome(one, 'fine-3')).kind, 'sent')
    assert.equal(peer.bearers.size, 2, 'Apple would refuse a third')
    await Promise.all([one.close(), other.close()])
  })

  test('does not share the token of a node whose clock is days ahead', async () => {
    await using peer = await apnsPeer()
    const [wrong, right] = [openProvider(peer, () => Date.now() + 3 * 86_400_000), openProvider(peer)]
    await sendAndReadOutcome(wrong, 'fine-1')
    await sendAndReadOutcome(right, 'fine-2')
    assert.equal(peer.bearers.size, 2)
    await Promise.all([wrong.close(), right.close()])
  })

  test('pauses the queue without a server, and connects again when the server is back', async () => {
    const peer = await apnsPeer()
    const provider = openProvider(peer)
    assert.equal((await sendAndReadOutcome(provider, 'fine-1')).kind, 'sent')
    await peer[Symbol.asyncDispose]()
    const away = await sendAndReadOutcome(provider, 'fine-2')
    assert.deepEqual([away.kind, 'code' in away && away.code], ['pause', 'connect'])
    await provider.close()
  })

  test('encodes a device token in the path', async () => {
    await using peer = await apnsPeer()
    const provider = openProvider(peer)
    assert.equal((await sendAndReadOutcome(provider, '../../x?y#z-1')).kind, 'sent')
    assert.equal(peer.received[0]!.headers[':path'], '/3/device/..%2F..%2Fx%3Fy%23z-1')
    await provider.close()
  })
})
