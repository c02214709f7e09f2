// Simulated sends: they are decided like real sends, at any time, and write nothing.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { asBackEnd, CLIENT, startApp, type TestApp } from '../../security/app.ts'

interface Simulated {
  readonly wouldAnswer: number
  readonly status: string
  readonly now: string
  readonly messages: readonly string[]
  readonly channels: readonly {
    readonly channel: string
    readonly state: string
    readonly decision: string
    readonly deliveries: readonly unknown[]
    readonly explanation: string
    readonly at?: string
    readonly to?: readonly string[]
    readonly content?: Readonly<Record<string, string>>
  }[]
  readonly errors?: readonly { readonly pointer: string }[]
}

const TEMPLATES = { email: { html: '<p>{{ n }}</p>', subject: 'No {{ n }}' }, inapp: { title: 'T {{ n }}' } }
const NOW = '2026-03-07T15:00:00Z'
const to = { email: 'ada@example.com', id: 'ada' }

async function asking(app: TestApp) {
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await app.ask(`/${CLIENT}${path}`, {
      body: JSON.stringify(body),
      headers: asBackEnd,
      method
    })
    return { json: answer.json, status: answer.status }
  }
  await ask('PUT', '/notifications/news', { templates: TEMPLATES })
  return {
    ask,
    async simulate(body: object): Promise<Simulated> {
      const { json, status } = await ask('POST', '/simulate', body)
      assert.equal(status, 200, JSON.stringify(json))
      return json as unknown as Simulated
    }
  }
}

/** Rows of every table. */
async function counts({ db }: TestApp): Promise<Record<string, number>> {
  const tables = await db.control<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db.control<{ n: number }[]>`select count(*)::int as n from ${db.control(name)}`
      return [name, row!.n] as const
    })
  )
  return Object.fromEntries(found)
}

const brief = ({ channels }: Simulated) =>
  Object.fromEntries(channels.map(({ at, channel, decision }) => [channel, [decision, at]]))

test('returns what would be delivered, when and why', async () => {
  await using app = await startApp()
  const { simulate } = await asking(app)
  const send = { parameters: { n: 7 }, to, type: 'news' }
  const at = new Date(NOW).toISOString()
  const plain = await simulate({ now: NOW, render: true, send })
  assert.deepEqual(brief(plain), { EMAIL: ['sent', at], INAPP_WEB: ['sent', at] })
  assert.deepEqual([plain.wouldAnswer, plain.now], [200, at])
  const mail = plain.channels.find(({ channel }) => channel === 'EMAIL')!
  assert.deepEqual([mail.to, mail.content], [['ada@example.com'], { html: '<p>7</p>', subject: 'No 7' }])
  assert.equal(plain.channels.find(({ channel }) => channel === 'INAPP_WEB')!.content!['title'], 'T 7')

  // The night in which summer time begins in New York.
  const digest = await simulate({
    now: NOW,
    preferences: [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }],
    send,
    user: { timezone: 'America/New_York' }
  })
  assert.deepEqual(brief(digest)['EMAIL'], ['digest', '2026-03-08T13:00:00.000Z'])
  assert.match(
    digest.channels[1]!.explanation + digest.channels[0]!.explanation,
    /digest of 2026-03-08T13:00:00.000Z/
  )

  const later = await simulate({ now: NOW, send: { ...send, schedule: '2026-03-09T00:00:00Z' } })
  assert.deepEqual(brief(later)['EMAIL'], ['scheduled', '2026-03-09T00:00:00.000Z'])

  const off = await simulate({ preferences: [{ delivery: 'off', notificationId: 'news' }], send })
  assert.deepEqual(brief(off), {
    EMAIL: ['preference-off', undefined],
    INAPP_WEB: ['preference-off', undefined]
  })
  assert.equal(off.wouldAnswer, 202)
  const nowhere = await simulate({ send: { ...send, to: { id: 'ada' } } })
  assert.equal(brief(nowhere)['EMAIL']![0], 'no-address')
  const simulated = await simulate({ send: { ...send, to: { id: 'ada' } }, user: { email: 'x@example.com' } })
  assert.equal(brief(simulated)['EMAIL']![0], 'sent')
})

test('each channel has content, targets and time', async () => {
  await using app = await startApp({ NOTIF_WEB_PUSH_HOSTS: 'push.example' })
  const { ask, simulate } = await asking(app)
  const sub = {
    endpoint: 'https://push.example/1',
    keys: {
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    }
  }
  const { status } = await ask('POST', '/users/ada', {
    email: 'ada@example.com',
    number: '+12025550100',
    pushTokens: [{ device: { device_id: 'd1' }, token: 'tok-1234567890', type: 'FCM' }],
    slackChannel: '#general',
    slackToken: { access_token: 'xoxb-1', team: { id: 'T1' } },
    webPushTokens: [{ sub }]
  })
  assert.equal(status, 200)
  const send = {
    call: { message: 'call {{ n }}' },
    email: { html: '<p>{{ n }}</p>', subject: 'mail {{ n }}' },
    forceChannels: ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK'],
    inapp: { title: 'inbox {{ n }}' },
    mobile_push: { message: 'm', title: 'push {{ n }}' },
    parameters: { n: 7 },
    slack: { text: 'slack {{ n }}' },
    sms: { message: 'sms {{ n }}' },
    to: { id: 'ada' },
    type: 'all'
  }
  const web_push = { message: 'm', title: 'web {{ n }}', url: 'https://site.example/' }
  const preferences = [{ channel: 'SMS', delivery: 'monthly', notificationId: 'all' }]
  const { channels, wouldAnswer } = await simulate({
    now: '2026-01-30T10:00:00Z',
    preferences,
    render: true,
    send: { ...send, web_push },
    user: { timezone: 'Asia/Kolkata' }
  })
  const results = channels.map(({ at, channel, content = {}, decision, to: where }) => [
    channel,
    decision,
    at,
    where,
    content['title'] ?? content['subject'] ?? content['text'] ?? content['message']
  ])
  const now = '2026-01-30T10:00:00.000Z'
  assert.deepEqual(results, [
    ['EMAIL', 'sent', now, ['ada@example.com'], 'mail 7'],
    ['INAPP_WEB', 'sent', now, [], 'inbox 7'],
    ['SMS', 'digest', '2026-02-01T03:30:00.000Z', [], 'sms 7'],
    ['CALL', 'sent', now, ['+12025550100'], 'call 7'],
    ['PUSH', 'sent', now, ['tok-1234567890'], 'push 7'],
    ['WEB_PUSH', 'sent', now, ['https://push.example/1'], 'web 7'],
    ['SLACK', 'sent', now, ['#general'], 'slack 7']
  ])
  assert.equal(wouldAnswer, 200)
})

describe('delays of a type', () => {
  const ESCALATE = [
    { after: '10m', channel: 'EMAIL', unless: 'read' },
    { after: '2h', channel: 'SMS' }
  ]
  const sms = { message: 'Invoice {{ n }}' }
  const send = { parameters: { n: 7 }, to: { ...to, number: '+12025550100' }, type: 'invoice' }
  let app: TestApp
  let asked: Awaited<ReturnType<typeof asking>>
  before(async () => {
    app = await startApp()
    asked = await asking(app)
    const { status } = await asked.ask('PUT', '/notifications/invoice', {
      escalate: ESCALATE,
      templates: { ...TEMPLATES, sms }
    })
    assert.ok(status < 300)
  })
  after(() => app[Symbol.asyncDispose]())

  test('each channel waits for its own time, which needs no worker to be known', async () => {
    const found = await asked.simulate({ now: NOW, render: true, send })
    assert.deepEqual(brief(found), {
      EMAIL: ['delayed', '2026-03-07T15:10:00.000Z'],
      INAPP_WEB: ['sent', '2026-03-07T15:00:00.000Z'],
      SMS: ['delayed', '2026-03-07T17:00:00.000Z']
    })
    assert.deepEqual([found.wouldAnswer, found.status], [200, 'received'])
    const of = (name: string) => found.channels.find(({ channel }) => channel === name)!
    assert.equal(
      of('EMAIL').explanation,
      'EMAIL: It would be decided again and sent at 2026-03-07T15:10:00.000Z, unless the in-app notification is read by then.'
    )
    assert.equal(
      of('SMS').explanation,
      'SMS: It would be decided again and sent at 2026-03-07T17:00:00.000Z.'
    )
    assert.equal(of('EMAIL').content!['subject'], 'No 7')
  })

  test('a night in which the clocks change makes no delay longer', async () => {
    // In New York, 2026-03-08 has no 02:00.
    const found = await asked.simulate({
      now: '2026-03-08T06:30:00Z',
      send,
      user: { timezone: 'America/New_York' }
    })
    assert.deepEqual(brief(found)['SMS'], ['delayed', '2026-03-08T08:30:00.000Z'])
  })

  test('a schedule comes first, and the delay begins at its time', async () => {
    const found = await asked.simulate({ now: NOW, send: { ...send, schedule: '2026-03-09T00:00:00Z' } })
    assert.deepEqual(brief(found)['EMAIL'], ['delayed', '2026-03-09T00:10:00.000Z'])
  })

  test('a channel that is off is discarded at once, and one with a digest waits for its delay first', async () => {
    const choices = [
      { channel: 'EMAIL', delivery: 'off', notificationId: 'invoice' },
      { channel: 'SMS', delivery: 'daily', notificationId: 'invoice' }
    ]
    const found = brief(await asked.simulate({ now: NOW, preferences: choices, send }))
    assert.deepEqual(found['EMAIL'], ['preference-off', undefined])
    assert.deepEqual(found['SMS'], ['delayed', '2026-03-07T17:00:00.000Z'])
  })

  test('the real send says the same', async () => {
    const simulated = await asked.simulate({ send })
    const { json } = await asked.ask('POST', '/sender', send)
    const toPattern = (messages: unknown) =>
      (messages as string[]).map(text => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'))
    assert.deepEqual(toPattern(json['messages']), toPattern(simulated.messages))
    const { json: told } = await app.ask(`/${CLIENT}/logs/${json['trackingId']}/explain`, {
      headers: asBackEnd
    })
    const decisions = (channels: readonly { channel: string; decision: string }[]) =>
      Object.fromEntries(channels.map(({ channel, decision }) => [channel, decision]))
    assert.deepEqual(decisions(told['channels'] as Simulated['channels']), decisions(simulated.channels))
  })
})

test('predicts the real send, including throttling', async () => {
  await using app = await startApp()
  const { ask, simulate } = await asking(app)
  await ask('PUT', '/notifications/once', {
    templates: TEMPLATES,
    throttling: { max: 1, period: 1, unit: 'days' }
  })
  const send = { parameters: { n: 1 }, to, type: 'once' }
  assert.equal(brief(await simulate({ send }))['EMAIL']![0], 'sent')
  const { json } = await ask('POST', '/sender', send)
  assert.deepEqual(json['messages'], [])
  const throttled = await simulate({ send })
  assert.equal(brief(throttled)['EMAIL']![0], 'throttled')
  assert.equal(throttled.wouldAnswer, 202)
  const tomorrow = new Date(Date.now() + 90_000_000).toISOString()
  assert.equal(brief(await simulate({ now: tomorrow, send }))['EMAIL']![0], 'sent')
  const second = await ask('POST', '/sender', send)
  assert.deepEqual(second.json['messages'], throttled.messages)
})

test('warns of variables without a value as the send and its explanation do', async () => {
  await using app = await startApp()
  const { ask, simulate } = await asking(app)
  await ask('POST', '/users/ada/preferences', [
    { channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }
  ])
  const send = { parameters: { n: null }, to, type: 'news' }
  const { messages, wouldAnswer } = await simulate({ send })
  assert.equal(wouldAnswer, 200)
  assert.deepEqual(
    messages.filter(message => message.includes('{{ n }} has no value')).map(text => text.split(':')[0]),
    ['INAPP_WEB', 'EMAIL']
  )
  const { json } = await ask('POST', '/sender', send)
  assert.deepEqual(json['messages'], messages)
  const explained = await app.ask(`/${CLIENT}/logs/${json['trackingId']}/explain`, { headers: asBackEnd })
  assert.deepEqual(explained.json['messages'], messages)
})

test('says what would happen, and names no delivery that does not exist', async () => {
  await using app = await startApp()
  const { simulate } = await asking(app)
  const answers = [
    await simulate({ now: NOW, send: { parameters: { n: 1 }, to, type: 'news' } }),
    await simulate({
      now: NOW,
      preferences: [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }],
      send: { parameters: { n: 1 }, schedule: '2026-03-08T08:00:00Z', to, type: 'news' }
    })
  ]
  for (const { channels } of answers) {
    for (const { channel, deliveries, explanation } of channels) {
      assert.deepEqual(deliveries, [], channel)
      assert.match(explanation, /^\w+: It would (?:be|wait) /)
    }
  }
})

test('given details of a user replace the stored ones', async () => {
  await using app = await startApp()
  const { ask, simulate } = await asking(app)
  await ask('POST', '/users/ada', { email: 'ada@example.com' })
  await ask('POST', '/users/ada/preferences', [
    { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'news' }
  ])
  const send = { to: { id: 'ada' }, type: 'news' }
  const decided = async (body: object) => {
    const { channels } = await simulate({ send, ...body })
    return Object.fromEntries(channels.map(({ channel, decision }) => [channel, decision]))
  }
  assert.deepEqual(await decided({}), { EMAIL: 'sent', INAPP_WEB: 'preference-off' })
  assert.deepEqual(await decided({ preferences: [] }), { EMAIL: 'sent', INAPP_WEB: 'sent' })
  assert.deepEqual(await decided({ user: { email: null } }), {
    EMAIL: 'no-address',
    INAPP_WEB: 'preference-off'
  })
  const preferences = [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }]
  const schedule = '2026-03-09T00:00:00Z'
  assert.deepEqual(await decided({ now: NOW, preferences, send: { ...send, schedule } }), {
    EMAIL: 'digest',
    INAPP_WEB: 'scheduled'
  })
})

test('writes nothing, not even a type', async () => {
  await using app = await startApp()
  const { simulate } = await asking(app)
  const before = await counts(app)
  assert.ok(Object.keys(before).length > 15)
  const send = { email: { subject: 'S', text: 'x' }, inapp: { title: 'T' }, to, type: 'never seen' }
  await simulate({ render: true, send })
  await simulate({ now: NOW, send: { ...send, schedule: '2026-09-01T00:00:00Z' } })
  await simulate({ preferences: [{ delivery: 'weekly', notificationId: 'never seen' }], send })
  assert.deepEqual(await counts(app), before)
})

test('the pointers of faults start with the part of the body', async () => {
  await using app = await startApp()
  const { ask } = await asking(app)
  const pointers = async (body: object): Promise<unknown> => {
    const { json, status } = await ask('POST', '/simulate', body)
    assert.equal(status, 422, JSON.stringify(json))
    return (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)
  }
  const send = { to, type: 'news' }
  assert.deepEqual(await pointers({}), ['#/send'])
  assert.deepEqual(await pointers({ send: { to } }), ['#/send/type'])
  assert.deepEqual(await pointers({ send: { ...send, email: { subject: '{{' } } }), ['#/send/email/html'])
  assert.deepEqual(await pointers({ now: 'soon', send }), ['#/now'])
  assert.deepEqual(await pointers({ send, user: { timezone: 'BST' } }), ['#/user/timezone'])
  assert.deepEqual(await pointers({ preferences: [{ channel: 'X', notificationId: 'n' }], send }), [
    '#/preferences/0/channel'
  ])
  assert.deepEqual(await pointers({ send, x: 1 }), ['#/x'])
  assert.deepEqual(await pointers({ send: { to, type: 'nothing' } }), ['#/send/type'])
  // The same as for the send itself: the misspelt field may have been the content.
  const misspelt = { inap: { title: 'x' }, to, type: 'nothing' }
  const { json } = await ask('POST', '/simulate', { send: misspelt })
  assert.match((json['errors'] as { detail: string }[])[0]!.detail, /Did you mean inapp\?/)
})
