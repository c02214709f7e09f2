// SMS and calls through their queues, with every provider and the sandbox.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Delivery } from '../../../server/channels/channel.ts'
import { readMessages } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { readCallText } from '../../../server/channels/sms-call/sms-call.sql.ts'
import { PHONE_PROVIDERS, type PhoneProviderName } from '../../../server/config/phone.ts'
import { bucketOfId } from '../../../server/core/id.ts'
import type { Json } from '../../../server/db/db.ts'
import type { Outcome } from '../../../server/queue/outcome.ts'
import { ENV, onlyGroup } from '../../queue/test-queue.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { conformance, type Subject } from '../conformance.ts'
import { openPhoneChannel } from './phone-channel.ts'
import { phonePeer } from './phone-peer.ts'

const subjects = (kind: 'sms' | 'call') => ({
  address: (n: number) => `+1202555${1000 + n}`,
  inline: (text: string): Record<string, Json> => ({ [kind]: { message: text } })
})

for (const name of PHONE_PROVIDERS) {
  for (const kind of ['sms', 'call'] as const) {
    conformance(
      `${kind} over ${name}`,
      async (db): Promise<Subject> => {
        const peer = await phonePeer(name)
        const { channel, renderer } = openPhoneChannel(peer, kind, db)
        return {
          async arrived() {
            assert.deepEqual(peer.faults, [])
            return Promise.all(
              peer.accepted.map(async ({ answerUrl, statusUrl, text, to }) => {
                const id = answerUrl?.slice(answerUrl.lastIndexOf('/') + 1)
                const callText =
                  id === undefined ? undefined : await readCallText(onlyGroup(db), bucketOfId(id), id)
                return { reference: String(statusUrl), text: callText?.text ?? text, to }
              })
            )
          },
          breakDown(down) {
            peer.down = down
          },
          channel,
          async close() {
            await renderer.close()
            await peer[Symbol.asyncDispose]()
          }
        }
      },
      subjects(kind)
    )
  }
}

for (const kind of ['sms', 'call'] as const) {
  conformance(
    `${kind} in the sandbox`,
    async (db): Promise<Subject> => {
      const { channel, renderer } = openPhoneChannel({ env: {} }, kind, db)
      return {
        async arrived() {
          const { messages: kept } = await readMessages(db, { envId: ENV, limit: 200 })
          return kept.map(({ message, sendId }) => ({
            reference: sendId,
            text: String(message['text']),
            to: String(message['to'])
          }))
        },
        channel,
        close: () => renderer.close()
      }
    },
    subjects(kind)
  )
}

let t: TestDb
before(async () => {
  t = await testDb()
})
after(() => t[Symbol.asyncDispose]())

const delivery = (to: string, send: object): Delivery => ({
  body: { notificationId: 'hello', template: null, to },
  bucket: 1,
  envId: ENV,
  id: '01937f6e-0000-7000-8000-000000000000',
  send: { to: { id: 'u' }, type: 'hello', ...send },
  sendId: '01937f6e-0000-7000-8000-000000000001',
  userId: 'u'
})

async function outcomeFor(
  name: PhoneProviderName,
  kind: 'sms' | 'call',
  digits: string,
  milliseconds = 5000
): Promise<Outcome> {
  await using peer = await phonePeer(name)
  const { channel, renderer } = openPhoneChannel(peer, kind, t.db)
  try {
    const one = delivery(`+1202555${digits}`, { [kind]: { message: 'Hello' } })
    const built = await channel.buildMessage(one)
    assert.ok(built.ok)
    return await channel.provider.send(built.message, one, {
      number: 1,
      signal: AbortSignal.timeout(milliseconds)
    })
  } finally {
    await renderer.close()
  }
}

describe('providers of SMS and calls', { timeout: 120_000 }, () => {
  const expected: Readonly<Record<string, Outcome['kind']>> = {
    // JSON of the provider, with this status.
    '0400': 'dead',
    '0401': 'pause',
    '0402': 'pause',
    '0403': 'pause',
    '0404': 'pause',
    '0413': 'dead',
    '0422': 'dead',
    '0429': 'pause',
    '0500': 'retry',
    '0503': 'retry',
    // An HTML page, with this status.
    '9200': 'uncertain',
    '9302': 'pause',
    '9400': 'dead',
    '9500': 'uncertain',
    '9502': 'uncertain',
    '9503': 'retry',
    '9504': 'uncertain',
    // A cut connection, and a larger answer than the server reads.
    '0002': 'uncertain',
    '0004': 'uncertain',
    '1000': 'sent'
  }
  for (const name of PHONE_PROVIDERS) {
    test(`${name}: maps each answer to its outcome`, async () => {
      for (const [digits, kind] of Object.entries(expected)) {
        const outcome = await outcomeFor(name, 'sms', digits)
        assert.equal(outcome.kind, kind, `${digits}: ${JSON.stringify(outcome)}`)
        if (['0429', '0503'].includes(digits))
          assert.equal('retryAfterMs' in outcome && outcome.retryAfterMs, 3000)
      }
    })

    test(`${name}: handles a silent, a slow and a missing server`, async () => {
      assert.equal((await outcomeFor(name, 'sms', '0001', 300)).kind, 'uncertain')
      assert.equal((await outcomeFor(name, 'call', '0003', 300)).kind, 'uncertain')
      const stopped = await phonePeer(name)
      await stopped[Symbol.asyncDispose]()
      const { channel, renderer } = openPhoneChannel(stopped, 'call', t.db)
      const one = delivery('+12025551000', { call: { message: 'Hello' } })
      const built = await channel.buildMessage(one)
      assert.ok(built.ok)
      const outcome = await channel.provider.send(built.message, one, {
        number: 1,
        signal: AbortSignal.timeout(2000)
      })
      assert.equal(outcome.kind, 'pause')
      await renderer.close()
    })
  }

  test('an inactive account pauses the queue, and a refused sending number is retried', async () => {
    assert.equal((await outcomeFor('twilio', 'sms', '0461')).kind, 'pause')
    assert.equal((await outcomeFor('twilio', 'sms', '0462')).kind, 'retry')
  })

  test("includes the provider's own error in the outcome", async () => {
    const codes: Record<string, string> = {
      plivo: 'plivo',
      twilio: '21211',
      vonage: '1150',
      webhook: 'bad-number'
    }
    for (const name of PHONE_PROVIDERS) {
      const outcome = await outcomeFor(name, 'sms', '0400')
      assert.equal('code' in outcome && outcome.code, codes[name])
    }
  })
})

describe('a text message', () => {
  const make = async (send: object, env = {}) => {
    const { channel, renderer } = openPhoneChannel({ env: { NOTIF_SMS_FROM: 'Ferry', ...env } }, 'sms', t.db)
    try {
      return await channel.buildMessage(delivery('+12025550123', send))
    } finally {
      await renderer.close()
    }
  }

  test('contains its sender, its pictures and the address for receipts', async () => {
    const sms = { from: '+12025550199', mediaUrls: ['https://x.test/a.png', '/img/b.png'], message: 'Hi' }
    const built = await make({ sms }, { NOTIF_PUBLIC_URL: 'https://notify.example.com' })
    assert.deepEqual(built.ok && built.message, {
      from: '+12025550199',
      mediaUrls: ['https://x.test/a.png', 'https://notify.example.com/img/b.png'],
      reference: '01937f6e-0000-7000-8000-000000000001',
      text: 'Hi',
      to: '+12025550123'
    })
    const plain = await make({ sms: { message: 'Hi' } })
    assert.equal(plain.ok && (plain.message as { from: string }).from, 'Ferry')
  })

  test('is rejected if it has too many segments or no text', async () => {
    const fits = await make({ sms: { message: 'x'.repeat(1530) } })
    assert.ok(fits.ok)
    const long = await make({ sms: { message: 'x'.repeat(1531) } })
    assert.equal(!long.ok && long.code, 'too-long')
    const empty = await make({ sms: { message: '{{ nothing }}' } })
    assert.equal(!empty.ok && empty.code, 'empty')
  })

  test('arrives with its pictures', async () => {
    const sms = { mediaUrls: ['https://x.test/a.png', 'https://x.test/b.png'], message: 'Look' }
    await using t = await testDb()
    for (const name of PHONE_PROVIDERS) {
      await using peer = await phonePeer(name)
      const { channel, renderer } = openPhoneChannel(peer, 'sms', t.db)
      const one = delivery('+12025551000', { sms })
      const built = await channel.buildMessage(one)
      assert.ok(built.ok)
      await channel.provider.send(built.message, one, { number: 1, signal: AbortSignal.timeout(2000) })
      await renderer.close()
      const [taken] = peer.accepted
      assert.deepEqual(peer.faults, [])
      if (name === 'vonage') assert.equal(taken!.text, `Look\n${sms.mediaUrls.join('\n')}`)
      else assert.deepEqual(taken!.media, sms.mediaUrls)
    }
  })
})
