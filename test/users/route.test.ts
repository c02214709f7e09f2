// Users over HTTP: identify merges fields, names wrong ones, writes all or nothing, and readers get the stored user.

import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import { bucketOf } from '../../server/core/id.ts'
import { changePreferences, insertReceivedTopics } from '../../server/users/preferences/preferences.sql.ts'
import { MAX_DEVICES, userRoutes } from '../../server/users/route.ts'
import { readContacts } from '../../server/users/users.sql.ts'
import { asBackEnd, asUser, basic, CLIENT, OTHER, serve, testConfig, type Served } from '../http/serve.ts'
import { failFirstTwoInserts } from '../support/fixtures.ts'
import { userIdInSameBucket } from '../support/fixtures.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const VAPID = 'BPublicKey'

let server: Served
before(async () => {
  server = await serve(db =>
    userRoutes(
      { config: testConfig({ NOTIF_WEB_PUSH_HOSTS: 'push.example' }), db },
      { encryption: TEST_ENCRYPTION, vapidPublicKey: VAPID }
    )
  )
})
after(() => server[Symbol.asyncDispose]())

type User = Record<string, unknown>

const path = (id: string, slash = false) => `/${CLIENT}/users/${encodeURIComponent(id)}${slash ? '/' : ''}`
const post = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  server.fetch(path(id), {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...asUser(id), ...headers },
    method: 'POST'
  })
const identify = async (id: string, body: unknown): Promise<User> => {
  const response = await post(id, body)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as User
}
const read = async (id: string): Promise<User> =>
  (await (await server.fetch(path(id, true), { headers: asUser(id) })).json()) as User

const browser = createECDH('prime256v1')
const p256dh = browser.generateKeys('base64url')
/** A point of the right length that is not on the curve. */
const nowhere = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
const auth = randomBytes(16).toString('base64url')
const subscription = (endpoint: string) => ({ sub: { endpoint, keys: { auth, p256dh } } })

describe('identify', () => {
  test('answers an unknown user with the id only; an empty body creates the user', async () => {
    assert.deepEqual(await read('new'), { id: 'new' })
    const response = await server.fetch(path('new', true), { headers: asUser('new'), method: 'POST' })
    assert.equal(response.status, 200)
    const { createdAt, updatedAt, lastSeenTime, ...rest } = await read('new')
    assert.deepEqual(rest, { id: 'new' })
    for (const time of [createdAt, updatedAt, lastSeenTime]) assert.match(String(time), /^\d{4}-.*\.\d{3}Z$/)
  })

  const skip = plainPostgresOnly('a trigger makes its first inserts fail')
  test('repeats a request after a serialization failure', { skip }, async () => {
    const { control } = server.db
    await failFirstTwoInserts(control, 'users')
    assert.equal((await identify('late', { timezone: 'UTC' })).timezone, 'UTC')
    await control`drop trigger lose on users`
  })

  test('keeps absent and empty fields, and clears null fields', async () => {
    await identify('m', {
      email: 'a@example.com',
      id: 'm',
      number: '(202) 555-0123',
      timezone: 'america/new_york'
    })
    await identify('m', { email: '', number: '', timezone: '' })
    await identify('m', {})
    const kept = await identify('m', { number: '+44 (0)20 7183-8750' })
    assert.equal(kept['email'], 'a@example.com')
    assert.equal(kept['number'], '+442071838750')
    assert.equal(kept['timezone'], 'America/New_York')
    const cleared = await identify('m', { email: null, timezone: null })
    assert.equal(cleared['email'], undefined)
    assert.equal(cleared['timezone'], undefined)
    assert.equal(cleared['number'], '+442071838750')
  })

  test('adds, renews and clears tokens', async () => {
    const about = { device_id: 'd1', manufactuer: 'Acme', model: 'X' }
    const phone = { device: about, environment: 'sandbox', token: 'tok1', type: 'APN' }
    await identify('d', { pushTokens: [phone] })
    await identify('d', { pushTokens: [{ device: { device: 'd2' }, token: 'tok2', type: 'fcm' }] })
    await identify('d', { webPushTokens: [subscription('https://push.example/1')] })
    await identify('d', {
      webPushTokens: [subscription('https://push.example/1'), subscription('https://push.example/2')]
    })
    await identify('d', { pushTokens: [{ ...phone, device: { device_id: 'd1', model: 'Y' } }] })
    const user = await read('d')
    const pushTokens = user['pushTokens'] as {
      token: string
      type: string
      device: Record<string, string>
      environment?: string
    }[]
    assert.deepEqual(
      pushTokens
        .map(({ device, environment, token, type }) => [
          token,
          type,
          device['device_id'],
          device['model'],
          environment
        ])
        .toSorted(),
      [
        ['tok1', 'APN', 'd1', 'Y', 'sandbox'],
        ['tok2', 'FCM', 'd2', undefined, undefined]
      ]
    )
    assert.deepEqual(
      (user['webPushTokens'] as { sub: unknown }[]).map(({ sub }) => sub),
      [subscription('https://push.example/1').sub, subscription('https://push.example/2').sub]
    )
    const { pushTokens: none, webPushTokens } = await identify('d', { pushTokens: null })
    assert.equal(none, undefined)
    assert.equal((webPushTokens as unknown[]).length, 2)
  })

  test('merges properties, and deletes one with null', async () => {
    await identify('p', { properties: { level: 3, plan: 'pro', vip: true } })
    const { properties } = await identify('p', { properties: { level: null, plan: 'free' } })
    assert.deepEqual(properties, { plan: 'free', vip: true })
  })

  test('accepts a Slack token whose absent fields are null', async () => {
    const slackToken = { access_token: 'xoxb', authed_user: null, incoming_webhook: null, team: null }
    assert.deepEqual((await identify('s', { slackToken }))['slackToken'], { ok: true })
    const hook = { channel: null, channel_id: 'C1', url: 'https://hooks.slack.com/x' }
    const byHook = { access_token: null, authed_user: { id: null }, incoming_webhook: hook }
    assert.deepEqual((await identify('s', { slackToken: byHook }))['slackToken'], {
      incoming_webhook: { channel_id: 'C1' },
      ok: true
    })
  })

  test('ignores other fields that clients send', async () => {
    const { email, ...rest } = await identify('i', {
      bucket: 3,
      createdAt: '2020-01-01',
      email: 'a@example.com',
      env_id: OTHER,
      lastSeenTime: 'x',
      slackToken: null
    })
    assert.equal(email, 'a@example.com')
    assert.deepEqual(Object.keys(rest).toSorted(), ['createdAt', 'id', 'lastSeenTime', 'updatedAt'])
  })

  test('names each wrong field and writes nothing', async () => {
    await identify('w', { email: 'old@example.com' })
    const wrong: [unknown, string[]][] = [
      [{ email: 5 }, ['#/email']],
      [{ email: 'a@b', number: '911', timezone: '+05:30' }, ['#/email', '#/number', '#/timezone']],
      [{ timezone: 'BST' }, ['#/timezone']],
      [{ timezone: 'Mars/Base' }, ['#/timezone']],
      [{ email: 'new@example.com', id: 'x' }, ['#/id']],
      [
        { email: 'new@example.com', pushTokens: [{ device: {}, token: 't', type: 'sms' }] },
        ['#/pushTokens/0/type']
      ],
      [{ pushTokens: [{ token: 't', type: 'apn' }] }, ['#/pushTokens/0/device']],
      [{ pushTokens: [{ device: {}, token: '', type: 'apn' }] }, ['#/pushTokens/0/token']],
      [{ pushTokens: {} }, ['#/pushTokens']],
      [{ webPushTokens: [subscription('http://push.example')] }, ['#/webPushTokens/0/sub/endpoint']],
      [{ webPushTokens: [subscription('javascript:alert(1)')] }, ['#/webPushTokens/0/sub/endpoint']],
      [{ webPushTokens: [subscription('https://u:p@push.example')] }, ['#/webPushTokens/0/sub/endpoint']],
      [
        {
          webPushTokens: [{ sub: { endpoint: 'https://push.example', keys: { auth: 'AAAA', p256dh: auth } } }]
        },
        ['#/webPushTokens/0/sub/keys/auth', '#/webPushTokens/0/sub/keys/p256dh']
      ],
      [
        {
          webPushTokens: [{ sub: { endpoint: 'https://push.example', keys: { auth, p256dh: nowhere } } }]
        },
        ['#/webPushTokens/0/sub/keys/p256dh']
      ],
      [{ webPushTokens: [{ endpoint: 'https://push.example' }] }, ['#/webPushTokens/0/sub']],
      [[1], ['#']],
      ['"text"', ['#']],
      ['null', ['#']],
      [
        { properties: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, 1])) },
        ['#/properties']
      ]
    ]
    for (const [body, pointers] of wrong) {
      const response = await post('w', body)
      const problem = (await response.json()) as { errors: { pointer: string; detail: string }[] }
      if (body === 'null') {
        // An empty object equals an empty body.
        assert.equal(response.status, 200)
        continue
      }
      assert.equal(response.status, 422, JSON.stringify(body))
      assert.deepEqual(
        problem.errors.map(({ pointer }) => pointer).toSorted(),
        pointers,
        JSON.stringify(problem)
      )
      for (const { detail } of problem.errors) assert.match(detail, /^[A-Z].*\.$/)
    }
    assert.equal((await read('w'))['email'], 'old@example.com')
  })

  test('keeps users with unusual ids apart', async () => {
    for (const id of ['a:b', 'a/b', '100%', '😀'.repeat(255), 'é']) {
      await identify(id, { email: 'x@example.com' })
      assert.equal((await read(id))['id'], id)
    }
    assert.equal((await read('a'))['email'], undefined)
  })

  test('applies a request with an idempotency key once', async () => {
    const key = { 'idempotency-key': 'same' }
    const first = await post('k', { email: 'a@example.com' }, key)
    await identify('k', { email: 'b@example.com' })
    const again = await post('k', { email: 'a@example.com' }, key)
    assert.equal(await again.text(), await first.text())
    assert.equal((await read('k'))['email'], 'b@example.com')
    assert.equal((await post('k', { email: 'c@example.com' }, key)).status, 422)
  })

  test('creates one user from concurrent requests', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        identify('c', { pushTokens: [{ device: {}, token: `t${i % 5}`, type: 'fcm' }] })
      )
    )
    assert.equal(((await read('c'))['pushTokens'] as unknown[]).length, 5)
  })

  test('allows the back end, and rejects other users and environments', async () => {
    assert.equal(
      (await server.fetch(path('b'), { body: '{}', headers: asBackEnd, method: 'POST' })).status,
      200
    )
    assert.equal(
      (await server.fetch(path('b'), { body: '{}', headers: asUser('x'), method: 'POST' })).status,
      401
    )
    const other = await server.fetch(`/${OTHER}/users/m`, { headers: basic(`${OTHER}:m`) })
    assert.deepEqual(await other.json(), { id: 'm' })
  })
})

test('keeps users with the same id in two environments apart, also in one bucket', async () => {
  const id = userIdInSameBucket('twin', CLIENT, OTHER)
  const ask = async (client: string, body?: object): Promise<User> => {
    const headers = client === CLIENT ? asUser(id) : basic(`${OTHER}:${id}`)
    const init = body ? { body: JSON.stringify(body), headers, method: 'POST' } : { headers }
    return (await (await server.fetch(`/${client}/users/${id}`, init)).json()) as User
  }
  const devices = (client: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ device: {}, token: `${client} ${from + i}`, type: 'FCM' }))
  const own = (client: string) => ({
    email: `${client}@example.com`,
    pushTokens: devices(client, 0, 2),
    webPushTokens: [subscription(`https://push.example/${client}`)]
  })
  const shown = ({ email, pushTokens, webPushTokens }: User) => ({
    email,
    pushTokens: (pushTokens as { token: string }[]).toSorted((a, b) => (a.token < b.token ? -1 : 1)),
    webPushTokens
  })
  for (const client of [CLIENT, OTHER]) await ask(client, own(client))
  for (const client of [CLIENT, OTHER]) {
    assert.deepEqual(shown(await ask(client)), own(client))
    assert.deepEqual(shown(await ask(client, { timezone: 'UTC' })), own(client), 'in one statement')
  }

  const key = (envId: string) => ({ bucket: bucketOf(CLIENT, id), envId, userId: id })
  const topic = { notificationId: 't', subNotificationId: '' }
  const { sql } = server.db.groups[0]!
  const off = { ...topic, channel: 'EMAIL', delivery: 'off' } as const
  await sql.begin(tx => changePreferences(tx, key(OTHER), { choices: [off], kind: 'merge' }))
  await insertReceivedTopics(sql, [{ ...key(OTHER), ...topic }])
  const [mine, theirs] = await readContacts(sql, [
    { ...key(CLIENT), ...topic },
    { ...key(OTHER), ...topic }
  ])
  assert.deepEqual([mine!.email, mine!.preferences, mine!.received], [`${CLIENT}@example.com`, [], false])
  assert.deepEqual(
    [theirs!.email, theirs!.preferences, theirs!.received],
    [`${OTHER}@example.com`, [off], true]
  )

  // The limit of devices applies to each user.
  await ask(CLIENT, { pushTokens: devices(CLIENT, 0, 100) })
  await ask(OTHER, own(OTHER))
  await ask(CLIENT, { pushTokens: devices(CLIENT, 100, 199) })
  assert.equal(((await ask(CLIENT))['pushTokens'] as unknown[]).length, 199)
  await ask(CLIENT, { pushTokens: null, webPushTokens: null })
  assert.deepEqual(shown(await ask(OTHER)), own(OTHER))
})

test('keeps the most recently seen devices', async () => {
  const others = Array.from({ length: MAX_DEVICES - 2 }, (_, i) => `other ${i}`)
  let kept: readonly { readonly token: string }[] = []
  for (const tokens of [['a'], ['b'], others.slice(0, 99), others.slice(99), ['a'], ['c']]) {
    const pushTokens = tokens.map(token => ({ device: {}, token, type: 'FCM' }))
    kept = (await identify('many', { pushTokens }))['pushTokens'] as typeof kept
  }
  assert.deepEqual(kept.map(({ token }) => token).toSorted(), ['a', 'c', ...others].toSorted())
})

test('limits the properties of a user, not only those of one request', async () => {
  const some = (from: number, value: unknown = 1) => ({
    properties: Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${from + i}`, value]))
  })
  const most = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`k${i}`, i]))
  assert.deepEqual((await identify('limit at once', { properties: most }))['properties'], most)
  await identify('limit', some(0))
  assert.equal((await identify('limit', some(10)))['id'], 'limit')
  const { errors } = (await (await post('limit', some(30))).json()) as { errors: { pointer: string }[] }
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['#/properties']
  )
  assert.equal(Object.keys((await read('limit'))['properties'] as object).length, 25)
  // A rejected request writes nothing, with an Idempotency-Key (in a transaction) and without.
  for (const headers of [{}, { 'idempotency-key': 'limit' }] as Record<string, string>[]) {
    const refused = await post('limit', { email: 'new@example.com', properties: { more: 1 } }, headers)
    assert.equal(refused.status, 422)
    assert.equal((await read('limit'))['email'], undefined)
  }
  const swapped = await identify('limit', { properties: { k0: null, more: 1 } })
  assert.equal(Object.keys(swapped['properties'] as object).length, 25)
  const more = { email: 'new@example.com', properties: { more: null } }
  assert.equal((await identify('limit', more))['email'], 'new@example.com')
  await identify('limit', some(0, null))
  await identify('limit', some(30))
})

test('lists every user of the environment once, for any page size', async () => {
  const ids = Array.from({ length: 25 }, (_, i) => `list \u00e9 ${i}.${i}`)
  await Promise.all(ids.map(id => identify(id, { email: `l${i(id)}@example.com` })))
  const other = basic(`${OTHER}:elsewhere`)
  await server.fetch(`/${OTHER}/users/elsewhere`, { body: '{}', headers: other, method: 'POST' })
  const pageOf = async (query: string) => {
    const answer = await server.fetch(`/${CLIENT}/users?${query}`, { headers: asBackEnd })
    assert.equal(answer.status, 200)
    return (await answer.json()) as { users: User[]; next?: string }
  }
  const seen: unknown[] = []
  for (let query: string | undefined = 'count=7'; query !== undefined;) {
    const { next, users } = await pageOf(query)
    assert.ok(users.length <= 7)
    seen.push(...users.map(({ id }) => id))
    query = next === undefined ? undefined : `count=7&cursor=${next}`
  }
  assert.equal(new Set(seen).size, seen.length)
  assert.ok(ids.every(id => seen.includes(id)))
  assert.ok(!seen.includes('elsewhere'))
  const one = (await pageOf('count=1000')).users.find(({ id }) => id === ids[3])!
  assert.deepEqual(Object.keys(one), ['id', 'email', 'createdAt', 'updatedAt', 'lastSeenTime'])
  for (const query of ['count=0', 'cursor=x', `cursor=${Buffer.from('1.9999.a').toString('base64url')}`]) {
    assert.equal((await server.fetch(`/${CLIENT}/users?${query}`, { headers: asBackEnd })).status, 422)
  }

  function i(id: string): string {
    return id.split('.').at(-1)!
  }
})

test('answers account metadata with the three fields that clients need', async () => {
  const response = await server.fetch(`${path('m')}/account_metadata`, { headers: asUser('m') })
  assert.deepEqual(await response.json(), {
    userAccountMetadata: { environmentVapidPublicKey: VAPID, hasWebPushEnabled: true, logo: '' }
  })
})

test('reads the contacts of many users in order, each with its preferences', async () => {
  const key = (userId: string) => ({
    bucket: bucketOf(CLIENT, userId),
    envId: CLIENT,
    notificationId: 't',
    subNotificationId: '',
    userId
  })
  await identify('r1', { email: 'r1@example.com', timezone: 'Asia/Kolkata' })
  await identify('r2', { number: '+442071838750' })
  const { sql } = server.db.groups[0]!
  await sql`insert into preferences ${sql(
    [
      ['r2', 't', '', 'EMAIL', 'off'],
      ['r2', 't', 's', '', 'daily'],
      ['r3', 't', '', '', 'instant']
    ].map(([user_id, notification_id, sub_id, channel, delivery], i) => ({
      bucket: bucketOf(CLIENT, user_id!),
      channel,
      delivery,
      env_id: CLIENT,
      key: Buffer.from([i]),
      notification_id,
      sub_id,
      user_id
    }))
  )}`
  const [nobody, r2, r1, r3, again] = await readContacts(sql, [
    key('nobody'),
    key('r2'),
    key('r1'),
    key('r3'),
    key('r2')
  ])
  assert.deepEqual(nobody, { erasureEpoch: 0, preferences: [], received: false, version: '' })
  assert.deepEqual(r1, {
    email: 'r1@example.com',
    erasureEpoch: 0,
    preferences: [],
    received: false,
    timezone: 'Asia/Kolkata',
    version: r1!.version
  })
  assert.match(r1!.version, /^\d+$/)
  assert.equal(r2?.number, '+442071838750')
  assert.deepEqual(
    r2?.preferences.toSorted((a, b) => (a.delivery < b.delivery ? -1 : 1)),
    [
      { channel: '', delivery: 'daily', notificationId: 't', subNotificationId: 's' },
      { channel: 'EMAIL', delivery: 'off', notificationId: 't', subNotificationId: '' }
    ]
  )
  assert.deepEqual(again, r2)
  assert.equal(r3?.preferences.length, 1)
  assert.deepEqual(await readContacts(sql, []), [])
})
