// Pushes by Firebase, with a fake of its HTTP v1 API and of Google's OAuth.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'

import type { Channel, Delivery, Provider } from '../../../server/channels/channel.ts'
import { createFcmChannel, type FcmMessage } from '../../../server/channels/push/fcm/message.ts'
import { openFcmProvider } from '../../../server/channels/push/fcm/provider.ts'
import { openFcmSandbox } from '../../../server/channels/sandbox/push-provider.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { testConfig } from '../../http/serve.ts'
import { TLS } from '../../support/tls.ts'
import { conformance } from '../conformance.ts'
import { fcmPeer, type FcmPeer } from './fcm-peer.ts'
import { intoSandbox, NO_PROVIDER, overPeer, buildPush, buildSubject } from './push-server.ts'
import { typesFor } from './push-type.ts'

const types = typesFor('PUSH')

const openProvider = ({ account, url }: FcmPeer, clock = Date.now): Provider<FcmMessage> =>
  openFcmProvider({ account, clock, outbound: openOutbound({ config: testConfig(), trusted: true }), url })

const open = (provider: Provider<FcmMessage>) => {
  const config = testConfig()
  const renderer = createRenderer(config)
  return { channel: createFcmChannel({ config, provider, renderer, types }) as Channel<unknown>, renderer }
}

conformance(
  'push over FCM',
  async () => {
    const peer = await fcmPeer()
    return overPeer(open(openProvider(peer)), peer, {
      arrived: () =>
        peer.received.map(({ data, notification, token }) => ({
          reference: data['messageId']!,
          text: notification.body,
          to: token
        })),
      breakDown(down) {
        peer.down = down ? [503, 'UNAVAILABLE'] : undefined
      }
    })
  },
  buildSubject('fcm')
)

conformance(
  'push by Firebase in the sandbox',
  async db =>
    intoSandbox(
      db,
      open(openFcmSandbox(db)),
      raw => (raw as { message: { data: { messageId: string } } }).message.data.messageId
    ),
  buildSubject('fcm')
)

const buildDelivery = (to: string, send: Record<string, unknown> = {}): Delivery => buildPush('fcm', to, send)

async function make(delivery: Delivery): Promise<FcmMessage | string> {
  const { channel, renderer } = open(NO_PROVIDER)
  try {
    const built = await channel.buildMessage(delivery)
    return built.ok ? (built.message as FcmMessage) : built.code
  } finally {
    await renderer.close()
  }
}

const pushTo = async (provider: Provider<FcmMessage>, to: string, send = {}) => {
  const delivery = buildDelivery(to, send)
  const signal = AbortSignal.timeout(to.startsWith('hang') ? 300 : 5000)
  return provider.send((await make(delivery)) as FcmMessage, delivery, { number: 1, signal })
}

describe('a push by Firebase', { timeout: 30_000 }, () => {
  test('contains every option in its place', async () => {
    await using peer = await fcmPeer()
    const android = { collapseKey: 'trip', priority: 'high', restrictedPackageName: 'com.company', ttl: 3600 }
    const delivery = buildDelivery('token-1', {
      options: { fcm: { android }, push: { customData: { screen: 'gate', title: 'not this' } } }
    })
    const message = (await make(delivery)) as FcmMessage
    const call = { number: 1, signal: AbortSignal.timeout(5000) }
    assert.deepEqual(await openProvider(peer).send(message, delivery, call), {
      kind: 'sent',
      ref: 'projects/ferry/messages/1'
    })
    assert.deepEqual(peer.received, [
      {
        android: {
          collapse_key: 'trip',
          notification: { tag: delivery.sendId },
          priority: 'HIGH',
          restricted_package_name: 'com.company',
          ttl: '3600s'
        },
        data: { body: 'Gate 4', messageId: delivery.sendId, screen: 'gate', title: 'Boarding' },
        notification: { body: 'Gate 4', title: 'Boarding' },
        token: 'token-1'
      }
    ])
  })

  test('is truncated if it is too long, and rejected if it has a reserved key', async () => {
    const long = (await make(
      buildDelivery('t', { mobile_push: { message: 'ü'.repeat(9000), title: 'x' } })
    )) as FcmMessage
    const { data, notification } = long.body as { data: object; notification: { body: string } }
    const bytes = Buffer.byteLength(JSON.stringify({ data, notification }))
    assert.ok(bytes <= 4096 && bytes > 4080, `${bytes}`)
    assert.match(notification.body, /^ü+…$/)
    for (const key of ['from', 'google.x', 'gcm', 'message_type']) {
      const options = { push: { customData: { [key]: 'x' } } }
      assert.equal(await make(buildDelivery('t', { options })), 'reserved-key', key)
    }
  })
})

describe('the FCM provider', { timeout: 30_000 }, () => {
  test('maps each answer to its outcome', async () => {
    await using peer = await fcmPeer()
    const provider = openProvider(peer)
    const expected: Record<string, [string, string]> = {
      apple: ['retry', 'THIRD_PARTY_AUTH_ERROR'],
      argument: ['dead', 'INVALID_ARGUMENT'],
      barred: ['pause', 'UNAUTHENTICATED'],
      bug: ['retry', 'INTERNAL'],
      busy: ['pause', 'UNAVAILABLE'],
      cut: ['uncertain', 'no-answer'],
      denied: ['pause', 'PERMISSION_DENIED'],
      // A proxy may refuse the content of one message.
      filtered: ['retry', '403'],
      gone: ['gone', 'UNREGISTERED'],
      hang: ['uncertain', 'no-answer'],
      holes: ['dead', 'INVALID_ARGUMENT'],
      html: ['uncertain', 'no-name'],
      large: ['uncertain', 'no-answer'],
      moved: ['pause', '302'],
      mute: ['uncertain', 'no-name'],
      nobody: ['pause', '404'],
      nonsense: ['gone', 'INVALID_ARGUMENT'],
      other: ['dead', 'SENDER_ID_MISMATCH'],
      project: ['dead', 'NOT_FOUND'],
      quota: ['pause', 'QUOTA_EXCEEDED'],
      wrong: ['gone', 'INVALID_ARGUMENT']
    }
    for (const [word, [kind, code]] of Object.entries(expected)) {
      const outcome = await pushTo(provider, `${word}-1`)
      assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], [kind, code], word)
      if (word === 'busy') assert.equal('retryAfterMs' in outcome && outcome.retryAfterMs, 9000)
    }
  })

  test('shares one token between pushes, and renews it a minute before it expires', async () => {
    await using peer = await fcmPeer()
    let now = Date.now()
    const provider = openProvider(peer, () => now)
    await Promise.all(Array.from({ length: 30 }, (_, n) => pushTo(provider, `fine-${n}`)))
    assert.deepEqual([peer.received.length, peer.grants], [30, 1])
    now += 3539_000
    await pushTo(provider, 'fine-x')
    assert.equal(peer.grants, 1)
    now += 1000
    await pushTo(provider, 'fine-y')
    assert.equal(peer.grants, 2)
  })

  test('renews a token that Google rejects once', async () => {
    await using peer = await fcmPeer()
    const provider = openProvider(peer)
    await pushTo(provider, 'fine-1')
    peer.revoked = true
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => pushTo(provider, `fine-${n}`)))
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['sent']))
    assert.equal(peer.grants, 2)
  })

  test('pauses the queue for an invalid certificate, and uses no attempt', async () => {
    await using peer = await fcmPeer()
    await using server = createServer(TLS).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const outcome = await pushTo(openProvider({ ...peer, url }), 'fine-1')
    assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['pause', 'connect'])
  })

  test('pauses the queue without a token and without a server', async () => {
    const peer = await fcmPeer()
    const provider = openProvider(peer)
    peer.denied = [400, 'invalid_grant']
    const denied = await pushTo(provider, 'fine-1')
    assert.deepEqual([denied.kind, 'code' in denied && denied.code], ['pause', 'no-token'])
    peer.denied = undefined
    assert.equal((await pushTo(provider, 'fine-2')).kind, 'sent')
    await peer[Symbol.asyncDispose]()
    // A kept connection was cut, so the outcome is uncertain. The next request cannot connect.
    await pushTo(provider, 'fine-3')
    assert.equal((await pushTo(provider, 'fine-4')).kind, 'pause')
  })
})
