// The condition of an email: its syntax check, its evaluation, and what the answer and the log say about it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { asBackEnd, CLIENT, startApp, type TestApp } from '../security/app.ts'
import { until } from '../support/process.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const PARAMETERS = {
  'a-b': 1,
  count: 5,
  hollow: '',
  evil: "' or true or '",
  list: ['x', 'y'],
  no: false,
  order: { items: [{ name: 'anchor' }], total: 12.5 },
  plan: 'pro',
  Größe: 3
}

const ask = (path: string, body: object) =>
  app.ask(`/${CLIENT}${path}`, { body: JSON.stringify(body), headers: asBackEnd, method: 'POST' })

const sendOf = (condition: unknown, more: object = {}): object => ({
  email: { html: '<p>x</p>', subject: 'x' },
  inapp: { title: 'x' },
  options: { email: { condition } },
  parameters: PARAMETERS,
  to: { email: 'u1@example.com', id: 'u1' },
  type: 'conditional',
  ...more
})

/** The decision about the email. */
async function decided(condition: unknown, more: object = {}): Promise<string> {
  const { json, status, text } = await ask('/simulate', { send: sendOf(condition, more) })
  assert.equal(status, 200, `${String(condition)}: ${text}`)
  const channels = json['channels'] as { channel: string; decision: string }[]
  return channels.find(({ channel }) => channel === 'EMAIL')!.decision
}

test('evaluates an expression with parameters bare or in braces', async () => {
  for (const condition of [
    'plan',
    'plan == "pro"',
    "{{ plan }} == 'pro'",
    '{{plan}}=="pro"',
    'parameters.plan == "pro"',
    'count > 4 and count <= 5',
    'count >= 9 or plan contains "r"',
    'order.items[0].name == "anchor"',
    'order["total"] < 13',
    'list contains "y"',
    'not no',
    'nobody == nil',
    'hollow == blank',
    'a-b == 1',
    'Größe == 3',
    'user.id == "u1"',
    '-1 < 0',
    'true',
    '{% if plan == "pro" %}yes{% endif %}',
    '{% assign n = count | plus: 1 %}{{ n }}',
    '',
    '  ',
    null
  ]) {
    assert.equal(await decided(condition), 'sent', String(condition))
  }
  for (const condition of [
    'plan == "free"',
    'nobody',
    'count > 5',
    'no',
    'false',
    'nil',
    'not plan',
    'evil == "x"',
    'order.constructor',
    '__proto__',
    '{% if count > 5 %}yes{% endif %}',
    '{% if no %}{% endif %} false '
  ]) {
    assert.equal(await decided(condition), 'condition-false', condition)
  }
})

test('refuses a condition that cannot be parsed, with its position', async () => {
  for (const condition of [
    'plan =',
    'plan = "pro"',
    'plan == ',
    '== 3',
    "'a",
    'plan == pro foo',
    'a && b',
    '!a',
    '(a or b) and c',
    'plan | size > 2',
    '{{ plan }}{{ count }}',
    'a %}{{ b',
    'andy orx',
    '1.2.3',
    '}}',
    'not',
    '{% if a %}',
    '{% include "x" %}',
    'x'.repeat(1001),
    7,
    {}
  ]) {
    for (const path of ['/sender', '/simulate']) {
      const send = sendOf(condition)
      const { json, status } = await ask(path, path === '/sender' ? send : { send })
      assert.equal(status, 422, `${path} ${String(condition)}`)
      const [{ pointer } = { pointer: '' }] = json['errors'] as { pointer: string }[]
      const inside = path === '/sender' ? '#' : '#/send'
      assert.equal(pointer, `${inside}/options/email/condition`, String(condition))
    }
  }
})

test('parses or refuses any text quickly', async () => {
  const words = [
    'plan',
    "'a'",
    '"',
    "'",
    '==',
    'and',
    'not',
    '{{',
    '}}',
    '{%',
    '%}',
    '.',
    '[',
    '0',
    ' ',
    '|',
    '\n'
  ]
  let seed = 7
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let i = 0; i < 100; i++) {
    const condition = Array.from({ length: 1 + next(40) }, () => words[next(words.length)]).join('')
    const { status, text } = await ask('/simulate', { send: sendOf(condition) })
    assert.ok([200, 422].includes(status), `${condition}: ${status} ${text}`)
  }
})

test('a discarded email is not queued, and the log gives the reason', async () => {
  const discarded = await ask('/sender', sendOf('plan == "free"'))
  assert.equal(discarded.status, 202)
  assert.deepEqual(discarded.json['messages'], ['EMAIL was discarded: its condition is not met.'])
  const sent = await ask('/sender', sendOf('plan == "pro"'))
  assert.equal(sent.status, 200, sent.text)
  await app.queues.idle('EMAIL')
  const kept = await app.ask(`/${CLIENT}/sandbox/messages`, { headers: asBackEnd })
  const ids = (kept.json['messages'] as { trackingId: string }[]).map(({ trackingId }) => trackingId)
  assert.deepEqual(ids, [sent.json['trackingId']])
  const path = `/${CLIENT}/logs/${String(discarded.json['trackingId'])}/explain`
  const { json } = await app.ask(path, { headers: asBackEnd })
  const channels = json['channels'] as { channel: string; decision: string; state: string }[]
  assert.deepEqual(channels.map(({ channel, decision, state }) => [channel, decision, state]).toSorted(), [
    ['EMAIL', 'condition-false', 'discarded'],
    ['INAPP_WEB', 'sent', 'sent']
  ])
})

test('a discarded email is not added to a digest', async () => {
  const preferences = [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'gathered' }]
  await ask('/user_preferences/u2', preferences)
  const to = { email: 'u2@example.com', id: 'u2' }
  const discarded = await ask('/sender', sendOf('no', { to, type: 'gathered' }))
  assert.deepEqual(discarded.json['messages'], ['EMAIL was discarded: its condition is not met.'])
  const [none] = await app.db.control`select count(*)::int as n from digest_items`
  assert.equal(none!['n'], 0)
  await ask('/sender', sendOf('plan', { to, type: 'gathered' }))
  const [one] = await app.db.control`select count(*)::int as n from digest_items`
  assert.equal(one!['n'], 1)
})

test('a schedule evaluates the condition at its time', async () => {
  const schedule = new Date(Date.now() + 3_600_000).toISOString()
  const later = await ask('/sender', sendOf('plan == "free"', { schedule }))
  assert.deepEqual([later.status, later.json['messages']], [200, []])
  const trackingId = String(later.json['trackingId'])
  const path = `/${CLIENT}/schedule/${trackingId}`
  const change = (body: object) =>
    app.ask(path, { body: JSON.stringify(body), headers: asBackEnd, method: 'PATCH' })
  const wrong = await change({ options: { email: { condition: 'plan =' } } })
  assert.equal(wrong.status, 422)
  const soon = new Date(Date.now() + 300).toISOString()
  assert.equal((await change({ schedule: soon })).status, 200)
  const outcome = async (): Promise<unknown> => {
    const { json } = await app.ask(`/${CLIENT}/logs/${trackingId}/explain`, { headers: asBackEnd })
    return (json['channels'] as { channel: string; decision: string }[]).find(
      ({ channel }) => channel === 'EMAIL'
    )?.decision
  }
  await until(async () => (await outcome()) === 'condition-false', 'the email is discarded')
})
