// Web push: encryption and VAPID, the conformance tests with a TLS push service and the sandbox, and the outcome of each answer.

import assert from 'node:assert/strict'
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, test } from 'node:test'

import * as fc from 'fast-check'

import type { Channel, Delivery, Provider } from '../../../server/channels/channel.ts'
import { truncateText } from '../../../server/channels/push/truncate.ts'
import { buildDeclarativePush } from '../../../server/channels/push/web/declarative.ts'
import { createWebPushChannel, type WebPushMessage } from '../../../server/channels/push/web/message.ts'
import { openWebPushProvider } from '../../../server/channels/push/web/provider.ts'
import { createPushRequests, MAX_PAYLOAD_BYTES } from '../../../server/channels/push/web/request.ts'
import { openWebPushSandbox } from '../../../server/channels/sandbox/push-provider.ts'
import { readMessages } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { parseRetryAfter } from '../../../server/core/retry-after.ts'
import type { VapidKeys } from '../../../server/environments/encryption/keys.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import type { Device } from '../../../server/users/device.ts'
import { testConfig } from '../../http/serve.ts'
import { ENV } from '../../queue/test-queue.ts'
import { checkProperty } from '../../support/generated.ts'
import { conformance } from '../conformance.ts'
import { decryptPush } from './decrypt.ts'
import { pushService, type PushService } from './push-service.ts'
import { typesFor } from './push-type.ts'

const config = testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8' })

function vapidKeys(): VapidKeys {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  return {
    privateKey: Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    publicKey: curve.getPublicKey('base64url')
  }
}

const openProvider = (clock = Date.now, settings = config): Provider<WebPushMessage> =>
  openWebPushProvider({
    clock,
    keys: vapidKeys(),
    outbound: openOutbound({ config: settings }),
    subject: 'mailto:ops@company.test'
  })

const types = typesFor('WEB_PUSH')

const open = (provider: Provider<WebPushMessage>) => {
  const renderer = createRenderer(config)
  return {
    channel: createWebPushChannel({ config, provider, renderer, types }) as Channel<unknown>,
    renderer
  }
}

const inline = (text: string) => ({ web_push: { message: text, title: 'Hello' } })

/** The service of the current test, whose port is in every address. */
let service: PushService
conformance(
  'web push over TLS',
  async () => {
    service = await pushService()
    const { channel, renderer } = open(openProvider())
    return {
      arrived: async () =>
        service.received.map(({ path, text }) => {
          const { message, tag } = JSON.parse(text) as { message: string; tag: string }
          return { reference: tag, text: message, to: path }
        }),
      channel,
      async close() {
        await renderer.close()
        await service[Symbol.asyncDispose]()
      }
    }
  },
  {
    address: n => `/u${n}`,
    device: n => {
      const { endpoint, keys } = service.subscription(`/u${n}`)
      return { keys, kind: 'web', to: endpoint }
    },
    inline
  }
)

conformance(
  'web push in the sandbox',
  async db => {
    const { channel, renderer } = open(openWebPushSandbox(db))
    return {
      arrived: async () =>
        (await readMessages(db, { envId: ENV, limit: 200 })).messages.map(({ message }) => {
          const raw = JSON.parse(String(message['raw'])) as { message: string; tag: string }
          return { reference: raw.tag, text: raw.message, to: String(message['to']) }
        }),
      channel,
      close: () => renderer.close()
    }
  },
  {
    address: n => `https://push.example/u${n}`,
    device: n => ({ keys: { auth: 'a', p256dh: 'p' }, kind: 'web', to: `https://push.example/u${n}` }),
    inline
  }
)

describe('a push request', () => {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const subscriptionKeys = {
    auth: randomBytes(16).toString('base64url'),
    p256dh: browser.getPublicKey('base64url')
  }
  const open = (clock = Date.now, keys = vapidKeys()) => {
    const subject = 'https://company.test'
    const build = createPushRequests({ clock, keys, subject })
    return {
      authorization: (endpoint: string) =>
        build({ endpoint, keys: subscriptionKeys }, 'hello', 'topic').headers['authorization']!,
      build: (payload: string, endpoint = 'https://push.example/a') =>
        build({ endpoint, keys: subscriptionKeys }, payload, 'topic')
    }
  }

  test('is decrypted correctly by the fixture, checked with RFC 8291, appendix A', () => {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
    assert.equal(
      decryptPush(Buffer.from(body, 'base64url'), curve, 'BTBZMqHH6r4Tts7J_aSIgg'),
      'When I grow up, I want to be a watermelon'
    )
  })

  test('is encrypted for the browser, with the headers of RFC 8030, and web-push sees no path', t => {
    const warn = t.mock.method(console, 'warn', () => {})
    // The address of Google's former service, for which web-push has an exception.
    const { body, headers } = open().build('Zürich', 'https://android.googleapis.com/gcm/send/x')
    assert.equal(decryptPush(body, browser, subscriptionKeys.auth), 'Zürich')
    const { authorization, ...others } = headers
    assert.match(authorization!, /^vapid t=/)
    assert.deepEqual(others, {
      'content-encoding': 'aes128gcm',
      'content-length': String(body.length),
      'content-type': 'application/notification+json',
      topic: 'topic',
      ttl: '2419200',
      urgency: 'normal'
    })
    assert.equal(warn.mock.callCount(), 0)
  })

  test('has 4,096 bytes for a payload of 3,993, and rejects a larger one', () => {
    const { build } = open()
    assert.equal(MAX_PAYLOAD_BYTES, 3993)
    assert.equal(build('x'.repeat(MAX_PAYLOAD_BYTES)).body.length, 4096)
    assert.throws(() => build(`${'x'.repeat(MAX_PAYLOAD_BYTES - 1)}é`), {
      message: 'A push message has at most 3993 bytes.',
      name: 'RangeError'
    })
  })

  test('does not reuse a VAPID token that was signed while the clock was days ahead', () => {
    let now = Date.UTC(2026, 10, 23)
    const { authorization } = open(() => now)
    const earlyToken = authorization('https://push.example/a')
    now -= 3 * 86_400_000
    assert.notEqual(authorization('https://push.example/a'), earlyToken, 'push services accept a day at most')
  })

  test('uses one VAPID token per origin until its last hour', () => {
    let now = Date.UTC(2026, 10, 20)
    const keys = vapidKeys()
    const { authorization } = open(() => now, keys)
    const first = authorization('https://push.example/a')
    now += 10.9 * 3_600_000
    assert.equal(authorization('https://push.example/b'), first)
    assert.notEqual(authorization('https://other.example/b'), first)
    now += 0.2 * 3_600_000
    assert.notEqual(authorization('https://push.example/a'), first)
    const [head, claims, signature] = first.slice('vapid t='.length).split(', ')[0]!.split('.')
    const point = Buffer.from(keys.publicKey, 'base64url')
    const key = createPublicKey({
      format: 'jwk',
      key: {
        crv: 'P-256',
        kty: 'EC',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url')
      }
    })
    const content = Buffer.from(`${head}.${claims}`)
    const bytes = Buffer.from(signature!, 'base64url')
    assert.ok(verify('sha256', content, { dsaEncoding: 'ieee-p1363', key }, bytes))
    assert.equal(JSON.parse(Buffer.from(claims!, 'base64url').toString()).aud, 'https://push.example')
  })
})

const buildDelivery = (device: Device, send: Record<string, unknown>): Delivery => {
  const { to, ...info } = device
  return {
    body: { device: info, notificationId: 'hello', template: null, to },
    bucket: 1,
    envId: ENV,
    id: 'row',
    send: { to: { id: 'mei' }, type: 'hello', ...send },
    sendId: '01920000-0000-7000-8000-000000000001',
    userId: 'mei'
  } as Delivery
}

const make = async (
  web_push: Record<string, string>,
  inbox?: Delivery['inbox']
): Promise<string | WebPushMessage> => {
  const { channel, renderer } = open(openProvider())
  try {
    const device: Device = { keys: { auth: 'a', p256dh: 'p' }, kind: 'web', to: 'https://push.example/1' }
    const built = await channel.buildMessage({ ...buildDelivery(device, { web_push }), inbox })
    return built.ok ? (built.message as WebPushMessage) : built.code
  } finally {
    await renderer.close()
  }
}

describe('a web push message', () => {
  test('has the fields that service workers of existing sites read, beside its declarative part', async () => {
    const full = { icon: 'https://a.example/i.png', message: 'Gate 4', title: 'Boarding', url: '/trips/4' }
    const message = (await make(full)) as WebPushMessage
    const tag = '01920000-0000-7000-8000-000000000001'
    const { icon, message: body, title, url: navigate } = full
    assert.deepEqual(JSON.parse(message.payload), {
      ...full,
      notification: { body, icon, navigate, tag, title },
      tag,
      web_push: 8030
    })
    const bare = (await make({ message: 'x', title: 'y' })) as WebPushMessage
    assert.deepEqual(JSON.parse(bare.payload), {
      message: 'x',
      notification: { body: 'x', navigate: '/', tag, title: 'y' },
      tag,
      title: 'y',
      web_push: 8030
    })
  })

  test('has the number for the icon of an installed app, and what to close', async () => {
    const own = '01920000-0000-7000-8000-000000000001'
    const message = (await make(
      { message: 'x', title: 'y' },
      { read: [own, 'other'], unseen: 3 }
    )) as WebPushMessage
    const { app_badge, close } = JSON.parse(message.payload) as { app_badge: number; close: string[] }
    assert.deepEqual({ app_badge, close }, { app_badge: 3, close: ['other'] })
  })

  test('navigates only to pages, never to code or to an address in disguise', () => {
    const navigate = (url: string) =>
      buildDeclarativePush({ message: 'x', tag: 't', title: 'y', url })?.notification.navigate
    assert.equal(navigate('https://a.example/b?c#d'), 'https://a.example/b?c#d')
    assert.equal(navigate('trips/4'), 'trips/4')
    const odd = [
      'javascript:alert(1)',
      'java\tscript:alert(1)',
      'https://bank.example@evil.example',
      'http://:'
    ]
    for (const url of odd) assert.equal(navigate(url), '/', url)
  })

  test('is only for the worker if its title leaves no space, and shows the beginning of a long text', async () => {
    const long = (await make({ message: 'ü'.repeat(3000), title: 'Long' })) as WebPushMessage
    const { message, notification } = JSON.parse(long.payload)
    assert.equal(Buffer.byteLength(notification.body), 599, '298 letters and the ellipsis')
    assert.ok(message.length > 1500, 'the worker has the rest')
    const titled = (await make({ message: 'x', title: 'ü'.repeat(1200) })) as WebPushMessage
    assert.deepEqual(Object.keys(JSON.parse(titled.payload)), ['message', 'tag', 'title'])
  })

  test('is truncated at a character, or rejected if it is too large without its text', async () => {
    const flag = '🏳️‍🌈'
    const message = (await make({ message: flag.repeat(2000), title: 'Long' })) as WebPushMessage
    const bytes = Buffer.byteLength(message.payload)
    assert.ok(bytes <= MAX_PAYLOAD_BYTES && bytes > MAX_PAYLOAD_BYTES - 30, `${bytes}`)
    assert.match(message.content.message, new RegExp(`^(?:${flag})+…$`, 'u'))
    assert.equal(await make({ message: 'x', title: 'ü'.repeat(2000) }), 'too-large')
  })

  test('keeps the longest beginning that fits', async () => {
    await checkProperty(
      fc.property(
        fc.string({ maxLength: 300, unit: 'grapheme' }),
        fc.integer({ max: 400, min: 5 }),
        (text, limit) => {
          const size = (one: string): number => Buffer.byteLength(JSON.stringify(one))
          const truncated = truncateText(text, limit, size)
          assert.ok(truncated.ok)
          const { message, note } = truncated
          assert.ok(size(message) <= limit)
          assert.equal(note === undefined, message === text)
          if (size(text) <= limit) assert.equal(message, text)
          else if (message !== '') assert.ok(message.endsWith('…') && text.startsWith(message.slice(0, -1)))
          assert.ok(message.isWellFormed() || !text.isWellFormed())
        }
      )
    )
    const truncate = (text: string, measure = (one: string) => Buffer.byteLength(one)) => {
      const truncated = truncateText(text, 6, measure)
      return truncated.ok ? truncated.message : truncated.code
    }
    assert.equal(truncate('abcdef'), 'abcdef')
    assert.equal(truncate('abcdefg'), 'abc…')
    assert.equal(
      truncate('abcdefg', text => text.length + 7),
      'too-large'
    )
  })
})

describe('the web push provider', { timeout: 30_000 }, () => {
  const call = (timeoutMs = 10_000) => ({ number: 1, signal: AbortSignal.timeout(timeoutMs) })
  const messageTo = ({ endpoint, keys }: ReturnType<PushService['subscription']>): WebPushMessage => ({
    content: { message: 'm', tag: 't', title: 't' },
    endpoint,
    keys,
    payload: '{"title":"t"}'
  })
  const delivery = { sendId: '01920000-0000-7000-8000-000000000001' } as Delivery

  test('sends TTL, urgency and a topic that is the same for every attempt', async () => {
    await using peer = await pushService()
    const outcome = await openProvider().send(messageTo(peer.subscription('/1')), delivery, call())
    assert.deepEqual(outcome, { kind: 'sent', ref: `${peer.subscription('/m/1').endpoint}` })
    const [{ headers }] = peer.received as [(typeof peer.received)[number]]
    assert.deepEqual(
      [headers.ttl, headers['urgency'], headers['topic']],
      ['2419200', 'normal', '01920000000070008000000000000001']
    )
  })

  test('maps each answer to its outcome, and only 404 and 410 to a gone subscription', async () => {
    await using peer = await pushService()
    const provider = openProvider()
    const date = new Date(Date.now() + 60_000).toUTCString()
    const expected: [number | 'hang' | 'cut' | [number, Record<string, string>], string, string][] = [
      [200, 'sent', ''],
      [202, 'sent', ''],
      [400, 'dead', '400'],
      [401, 'retry', '401'],
      [403, 'retry', '403'],
      [404, 'gone', '404'],
      [410, 'gone', '410'],
      [413, 'dead', '413'],
      [[429, { 'retry-after': '30' }], 'retry', '429'],
      [[429, { 'retry-after': date }], 'retry', '429'],
      [[503, { 'retry-after': 'soon' }], 'retry', '503'],
      [500, 'retry', '500'],
      [502, 'retry', '502'],
      [301, 'retry', '301'],
      ['hang', 'uncertain', 'timeout'],
      ['cut', 'uncertain', 'cut']
    ]
    for (const [answer, kind, code] of expected) {
      peer.answers.set('/x', answer)
      // Over an open connection, so that only the answer takes time.
      const patience = answer === 'hang' ? 500 : undefined
      const outcome = await provider.send(messageTo(peer.subscription('/x')), delivery, call(patience))
      assert.deepEqual([outcome.kind, 'code' in outcome ? outcome.code : ''], [kind, code], `${answer}`)
      const after = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined
      const answerText = JSON.stringify(answer)
      if (answerText.includes('"30"')) assert.equal(after, 30_000)
      else if (answerText.includes('GMT')) assert.ok(after! > 50_000 && after! <= 60_000)
      else assert.equal(after, undefined)
    }
  })

  test('uses one TLS connection for consecutive messages', async () => {
    await using peer = await pushService()
    const provider = openProvider()
    for (let n = 0; n < 20; n += 1) {
      const { kind } = await provider.send(messageTo(peer.subscription(`/${n}`)), delivery, call())
      assert.equal(kind, 'sent')
    }
    assert.ok(peer.connections <= 3, `${peer.connections} connections`)
  })

  test('refuses private endpoints, and retries a missing server', async () => {
    const peer = await pushService()
    const guarded = openProvider(Date.now, testConfig())
    const inside = await guarded.send(messageTo(peer.subscription('/1')), delivery, call())
    assert.deepEqual([inside.kind, 'code' in inside && inside.code], ['dead', 'forbidden'])
    assert.equal(peer.received.length, 0)
    const unused = peer.subscription('/1')
    await peer[Symbol.asyncDispose]()
    const nobody = await openProvider().send(messageTo(unused), delivery, call())
    assert.deepEqual([nobody.kind, 'code' in nobody && nobody.code], ['retry', 'connect'])
  })

  test('reads Retry-After in seconds and as a date', () => {
    const now = Date.UTC(2026, 0, 1)
    assert.equal(parseRetryAfter('3', now), 3000)
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:10 GMT', now), 10_000)
    assert.equal(parseRetryAfter('Thu, 01 Jan 2025 00:00:10 GMT', now), 0)
    for (const odd of [undefined, null, '', '-1', 'soon', '1e9', randomBytes(40).toString('hex')]) {
      assert.equal(parseRetryAfter(odd, now), undefined)
    }
  })
})
