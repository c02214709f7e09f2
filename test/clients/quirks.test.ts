// Requests as clients in other languages send them, byte by byte. The server accepts each of them.

import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import { createAdminClient, type NotifClient } from '../../server/client/index.ts'
import { ADMIN_TOKEN } from '../client/server.ts'
import { DAY_AHEAD } from '../support/fixtures.ts'
import { request } from './raw.ts'
import { OPEN, SECURE, startTwoModes, type Mode, type TwoModes } from './two-modes.ts'

let site: TwoModes
let ours: NotifClient
before(async () => {
  site = await startTwoModes()
  ours = site.ours(SECURE)
})
after(() => site[Symbol.asyncDispose]())

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hashOf = (userId: string, { secret }: Mode = SECURE): string =>
  createHmac('sha256', secret).update(userId).digest('base64')
const backEnd = `Basic ${base64(`${SECURE.clientId}:${SECURE.secret}`)}`
const user = (id: string): string => `Basic ${base64(`${SECURE.clientId}:${id}:${hashOf(id)}`)}`
const HOUR = 3_600_000
const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
  request(site.base, { body, headers, method, path })
const app = `/${SECURE.clientId}`

async function scheduled(userId: string): Promise<string> {
  const sent = await ours.send({
    inapp: { title: 'Later' },
    schedule: at(HOUR),
    to: { id: userId },
    type: 'later'
  })
  return sent.trackingId
}

describe('PHP', () => {
  const headers = { authorization: backEnd, 'content-type': 'application/x-www-form-urlencoded' }

  test('send: JSON under the content type of forms, empty maps as empty lists', async () => {
    const body = {
      inapp: { title: 'PHP' },
      mergeTags: [],
      forceChannels: [],
      notificationId: 'php',
      options: [],
      replace: [],
      user: { email: '', id: 'php' }
    }
    const answer = await ask('POST', `${app}/sender`, headers, JSON.stringify(body))
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ours.listInApp('php')).items[0]!.title, 'PHP')
    // As json_encode writes empty arrays, and DATE_ISO8601.
    const inner = { ...body, options: { apn: [], email: [], fcm: { android: [] }, push: { customData: [] } } }
    const later = { ...inner, schedule: `${DAY_AHEAD}T08:00:00+0100` }
    for (const more of [inner, later]) {
      const again = await ask('POST', `${app}/sender`, headers, JSON.stringify(more))
      assert.equal(again.status, 200, again.text)
      assert.deepEqual(again.json['messages'], [])
    }
    const [schedule] = (await ours.listSchedules({ userId: 'php' })).schedules
    assert.equal(schedule!.schedule, `${DAY_AHEAD}T07:00:00.000Z`)
  })

  test('identify without properties, or without anything', async () => {
    for (const body of ['{"properties":[]}', '[]']) {
      const answer = await ask('POST', `${app}/users/php`, headers, body)
      assert.equal(answer.status, 200, answer.text)
    }
  })

  test('an empty list as the whole body of a log query, and of a deletion with a query', async () => {
    const found = await ask('POST', `${app}/logs/query`, headers, '[]')
    assert.equal(found.status, 200, found.text)
    const path = `${app}/users/php/preferences?notificationId=php`
    const gone = await ask('DELETE', path, headers, '[]')
    assert.equal(gone.status, 200, gone.text)
    const nothing = await ask('DELETE', path, headers, 'null')
    assert.equal(nothing.status, 200, nothing.text)
  })

  test('updateSchedule: the change is wrapped', async () => {
    const id = await scheduled('php')
    const schedule = at(2 * HOUR)
    const answer = await ask(
      'PATCH',
      `${app}/schedule/${id}`,
      headers,
      JSON.stringify({ sendRequest: { schedule } })
    )
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ours.getSchedule(id)).schedule, schedule)
  })

  test('setUserPreferences: an empty list is no body at all', async () => {
    await ours.setUserPreferences('php', [{ channel: 'EMAIL', delivery: 'off', notificationId: 'php' }])
    const answer = await ask('POST', `${app}/user_preferences/php`, headers)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json['count'], 0)
  })

  test('identify: the user id as forms encode it', async () => {
    const id = 'php user'
    const form = { ...headers, authorization: user(id) }
    const answer = await ask('POST', `${app}/users/php+user`, form, '{"email":"php@example.com"}')
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ours.getUser(id)).email, 'php@example.com')
  })
})

describe('Go', () => {
  test('send: no content type, empty texts, numbers as texts', async () => {
    const body = {
      inapp: { title: 'Go' },
      notificationId: 'go',
      options: { apn: { expiry: '1900000000' }, fcm: { android: { ttl: '3600' } } },
      schedule: null,
      user: { email: '', id: 'go', number: '' }
    }
    const answer = await ask('POST', `${app}/sender`, { authorization: backEnd }, JSON.stringify(body))
    assert.equal(answer.status, 200, answer.text)
  })

  test('identifyUser: empty texts mean absent', async () => {
    await ours.identifyUser({ email: 'go@example.com', id: 'go' })
    const body = '{"email":"","number":"+12025550123"}'
    const answer = await ask('POST', `${app}/users/go`, { authorization: user('go') }, body)
    assert.equal(answer.status, 200, answer.text)
    const { email, number } = await ours.getUser('go')
    assert.deepEqual({ email, number }, { email: 'go@example.com', number: '+12025550123' })
  })

  test('deleteUserPreferences: the query is in the body', async () => {
    await ours.setUserPreferences('go', [{ channel: 'EMAIL', delivery: 'off', notificationId: 'go' }])
    const body = '{"notificationId":"go"}'
    const answer = await ask('DELETE', `${app}/users/go/preferences`, { authorization: user('go') }, body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json['count'], 0)
  })
})

describe('Python', () => {
  test('deleteUserPreferences: the query has further keys of its argument', async () => {
    await ours.setUserPreferences('py', [{ channel: 'EMAIL', delivery: 'off', notificationId: 'py' }])
    const path = `${app}/users/py/preferences?userId=py&notificationId=py`
    const answer = await ask('DELETE', path, { authorization: user('py') })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json['count'], 0)
  })

  const plainHash = ({ secret }: Mode): string => createHash('sha256').update(`${secret}py`).digest('base64')
  const signed = ({ clientId }: Mode, hash: string) =>
    ask('POST', `/${clientId}/users/py`, { authorization: `Basic ${base64(`${clientId}:py:${hash}`)}` }, '{}')

  test('its plain hash counts as no hash without secure mode', async () => {
    assert.equal((await signed(OPEN, plainHash(OPEN))).status, 200)
    assert.equal((await signed(OPEN, plainHash(SECURE))).status, 401)
  })

  test('in secure mode the plain hash counts if the environment allows it', async () => {
    const identify = () => signed(SECURE, plainHash(SECURE))
    assert.equal((await identify()).status, 401)
    const admin = createAdminClient({ adminToken: ADMIN_TOKEN, baseURL: site.base })
    await admin.updateEnvironment(SECURE.clientId, { legacyUserHash: true })
    assert.equal((await identify()).status, 200)
    await admin.updateEnvironment(SECURE.clientId, { legacyUserHash: false })
    assert.equal((await identify()).status, 401)
  })
})

describe('.NET', () => {
  const headers = { authorization: backEnd, 'content-type': 'application/json; charset=utf-8' }

  test('updateSchedule: PUT, with seven digits of a second', async () => {
    const id = await scheduled('net')
    const time = at(2 * HOUR)
    const schedule = time.replace('Z', '1234Z')
    const answer = await ask('PUT', `${app}/schedule/${id}`, headers, JSON.stringify({ schedule }))
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ours.getSchedule(id)).schedule, time)
  })

  test('setUserPreferences: on or off as boolean', async () => {
    await ours.putType('net', {
      templates: { EMAIL: { html: 'x', subject: 'x' }, INAPP_WEB: { title: 'x' } }
    })
    const body = [
      { channel: 'EMAIL', notificationId: 'net', state: false },
      { channel: 'INAPP_WEB', notificationId: 'net', state: true }
    ]
    const answer = await ask('POST', `${app}/user_preferences/net`, headers, JSON.stringify(body))
    assert.equal(answer.status, 200, answer.text)
    const { preferences } = await ours.getUserPreferences('net')
    assert.deepEqual(
      preferences.map(({ channel, delivery }) => `${channel} ${delivery}`),
      ['EMAIL off', 'INAPP_WEB instant']
    )
  })

  test('a token of two parts is accepted only without secure mode', async () => {
    const open = { ...headers, authorization: `Basic ${base64(`${OPEN.clientId}:net`)}` }
    assert.equal((await ask('POST', `/${OPEN.clientId}/users/net`, open, '{}')).status, 200)
    const secure = { ...headers, authorization: `Basic ${base64(`${SECURE.clientId}:net`)}` }
    assert.equal((await ask('POST', `${app}/users/net`, secure, '{}')).status, 401)
  })

  test('attachments and tokens under its own names', async () => {
    const attachments = [{ fileName: 'a.txt', url: 'https://example.com/a.txt' }]
    const body = {
      email: { html: '<p>x</p>', subject: 'x' },
      notificationId: 'net-mail',
      options: { email: { attachments }, fcm: { android: { ttl: '60' } } },
      user: { email: 'net@example.com', id: 'net' }
    }
    const sent = await ask('POST', `${app}/sender`, headers, JSON.stringify(body))
    assert.ok([200, 202].includes(sent.status), sent.text)
    const token = { device: { device_id: 'd' }, token: 'net-token', type: 'APM' }
    const named = JSON.stringify({ pushTokens: [token] })
    const answer = await ask('POST', `${app}/users/net`, { ...headers, authorization: user('net') }, named)
    assert.equal(answer.status, 200, answer.text)
    assert.match(String((await ours.getUser('net')).pushTokens![0]!.type), /^apn$/i)
  })
})

test('Node: a base address that ends with a slash', async () => {
  const body = JSON.stringify({ inapp: { title: 'Slash' }, to: { id: 'slash' }, type: 'slash' })
  const headers = { authorization: backEnd, 'content-type': 'application/json' }
  const answer = await ask('POST', `/${app}/sender`, headers, body)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await ask('POST', '//sender', headers, body)).status, 404)
})

test('Java: send with former names', async () => {
  const headers = { authorization: backEnd, 'content-type': 'application/json' }
  const body = {
    forceChannels: ['INAPP_WEB'],
    inapp: { title: 'Java {{ n }}' },
    mergeTags: { n: 1 },
    notificationId: 'java',
    secondaryId: 's',
    user: { id: 'java', slackChannelName: '#java' }
  }
  const answer = await ask('POST', `${app}/sender`, headers, JSON.stringify(body))
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await ours.listInApp('java')).items[0]!.title, 'Java 1')
  assert.deepEqual(answer.json['messages'], [])
  // OffsetDateTime.toString() of a whole minute.
  const later = { ...body, schedule: `${DAY_AHEAD}T08:00Z` }
  const scheduledAt = await ask('POST', `${app}/sender`, headers, JSON.stringify(later))
  assert.equal(scheduledAt.status, 200, scheduledAt.text)
  const { request } = await ours.getLog(String(answer.json['trackingId']))
  assert.equal(JSON.parse(request).to.slackChannel, '#java')
})

describe('iOS and Android', () => {
  const body = JSON.stringify({
    pushTokens: [
      {
        device: {
          ad_id: '',
          app_id: 'app',
          device_id: null,
          manufactuer: 'Heron',
          model: 'x',
          platform: 'ios'
        },
        token: 'phone',
        type: 'FCM'
      }
    ]
  })
  const token = (mode: Mode, id: string, hash: string): Record<string, string> => ({
    authorization: `BASIC ${base64(`${mode.clientId}:${id}:${hash}`)}`,
    'content-type': 'application/json',
    'user-agent': 'NotificationApi_iOS_SDK/1.0.0'
  })

  test('the scheme in capitals, and the hash in the query as well, unencoded', async () => {
    // A hash with a plus sign, which arrives as a space.
    const id = Array.from({ length: 500 }, (_, i) => `phone${i}`).find(one => hashOf(one).includes('+'))!
    const path = `${app}/users/${id}?hashedUserId=${hashOf(id)}`
    const answer = await ask('POST', path, token(SECURE, id, hashOf(id)), body)
    assert.equal(answer.status, 200, answer.text)
    const [stored] = (await ours.getUser(id)).pushTokens!
    assert.equal(stored!.token, 'phone')
    assert.equal(stored!.device.manufacturer, 'Heron')
  })

  test('the text undefined instead of a hash is accepted only without secure mode', async () => {
    const path = (mode: Mode) => `/${mode.clientId}/users/phone`
    assert.equal((await ask('POST', path(OPEN), token(OPEN, 'phone', 'undefined'), body)).status, 200)
    assert.equal((await ask('POST', path(SECURE), token(SECURE, 'phone', 'undefined'), body)).status, 401)
  })

  test('a second device is added to the first', async () => {
    const other = body.replace('"phone"', '"tablet"')
    for (const one of [body, other, body]) {
      const answer = await ask(
        'POST',
        `${app}/users/two-devices`,
        token(SECURE, 'two-devices', hashOf('two-devices')),
        one
      )
      assert.equal(answer.status, 200, answer.text)
    }
    const { pushTokens } = await ours.getUser('two-devices')
    assert.deepEqual(pushTokens!.map(({ token }) => token).toSorted(), ['phone', 'tablet'])
  })
})

describe('Flutter and React Native', () => {
  const headers = (id: string): Record<string, string> => ({
    authorization: user(id),
    'content-type': 'application/json'
  })

  test('preferences are wrapped, and all three lists come back', async () => {
    await ours.putType('phones', { templates: { INAPP_WEB: { title: 'x' } } })
    await ours.send({ to: { id: 'flutter' }, type: 'phones' })
    const path = `${app}/users/flutter/preferences`
    const row = { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'phones' }
    const set = await ask('POST', path, headers('flutter'), JSON.stringify({ preferences: [row] }))
    assert.equal(set.status, 200, set.text)
    const got = await ask('GET', path, headers('flutter'))
    assert.match(String(got.headers['content-type']), /^application\/json/)
    assert.deepEqual(got.json['preferences'], [row])
    for (const key of ['notifications', 'preferences', 'subNotifications']) {
      assert.ok(Array.isArray(got.json[key]), key)
    }
  })

  test('identify and read with a slash at the end', async () => {
    const path = `${app}/users/flutter/`
    const identified = await ask('POST', path, headers('flutter'), '{"id":"flutter","email":"f@example.com"}')
    assert.equal(identified.status, 200, identified.text)
    const got = await ask('GET', path, headers('flutter'))
    assert.equal(got.json['email'], 'f@example.com')
  })

  test('read states as local times without a zone, with microseconds', async () => {
    const { trackingId } = await ours.send({ inapp: { title: 'x' }, to: { id: 'flutter' }, type: 'marks' })
    const body = JSON.stringify({ archived: '2026-11-20T04:34:37.557123', trackingIds: [trackingId] })
    const answer = await ask(
      'PATCH',
      `${app}/users/flutter/notifications/INAPP_WEB`,
      headers('flutter'),
      body
    )
    assert.equal(answer.status, 200, answer.text)
    const [item] = (await ours.listInApp('flutter')).items
    assert.equal(item!.archived, '2026-11-20T04:34:37.557Z')
  })

  test('metadata: the fields that it casts are present', async () => {
    const { json } = await ask('GET', `${app}/users/flutter/account_metadata`, headers('flutter'))
    const { environmentVapidPublicKey, hasWebPushEnabled, logo } = json['userAccountMetadata'] as Record<
      string,
      unknown
    >
    assert.deepEqual(
      [typeof environmentVapidPublicKey, typeof hasWebPushEnabled, typeof logo],
      ['string', 'boolean', 'string']
    )
  })
})

describe('Pages', () => {
  test('old React: before in milliseconds', async () => {
    const { trackingId } = await ours.send({ inapp: { title: 'x' }, to: { id: 'react' }, type: 'old' })
    const list = (before: number | string) =>
      ask('GET', `${app}/users/react/notifications/INAPP_WEB?count=10&before=${before}`, {
        authorization: user('react')
      })
    const ids = ({ json }: Awaited<ReturnType<typeof list>>) =>
      (json['notifications'] as { id: string }[]).map(({ id }) => id)
    assert.deepEqual(ids(await list(Date.now() + HOUR)), [trackingId])
    assert.deepEqual(ids(await list(Date.now() - HOUR)), [])
    // Newer versions send it as text without encoding.
    assert.deepEqual(ids(await list(at(HOUR))), [trackingId])
  })

  test('core: JSON as plain text, under a preflight that names authorization', async () => {
    const path = `${app}/users/page`
    const preflight = await ask('OPTIONS', path, {
      'access-control-request-headers': 'authorization',
      'access-control-request-method': 'POST',
      origin: 'https://page.example'
    })
    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-headers']), /\bauthorization\b/)
    assert.match(String(preflight.headers['access-control-allow-methods']), /\bPOST\b/)
    const headers = { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://page.example' }
    const answer = await ask(
      'POST',
      path,
      { ...headers, authorization: user('page') },
      '{"email":"p@example.com"}'
    )
    assert.equal(answer.json['email'], 'p@example.com')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    const refused = await ask('POST', path, { ...headers, authorization: user('other') }, '{}')
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['access-control-allow-origin'], '*')
  })

  test('btoa: a user id in Latin-1', async () => {
    const id = 'renée'
    const bytes = Buffer.concat([
      Buffer.from(`${SECURE.clientId}:`),
      Buffer.from(id, 'latin1'),
      Buffer.from(`:${hashOf(id)}`)
    ])
    const headers = { authorization: `Basic ${bytes.toString('base64')}` }
    const answer = await ask('GET', `${app}/users/${encodeURIComponent(id)}/`, headers)
    assert.equal(answer.status, 200, answer.text)
  })

  test('Ruby: a hash with a line break at its end', async () => {
    const headers = { authorization: `Basic ${base64(`${SECURE.clientId}:ruby:${hashOf('ruby')}\n`)}` }
    assert.equal((await ask('POST', `${app}/users/ruby`, headers, '{}')).status, 200)
  })
})
