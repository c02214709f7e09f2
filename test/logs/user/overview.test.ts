// The overview of a user: effective preferences with their sources, devices, what waits, and the last faults.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { UserOverview } from '../../../server/client/user-overview.ts'
import {
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = asBackEnd
) {
  const answer = await app.ask(`/${CLIENT}${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.json
}

const overview = async (userId: string) =>
  (await ask('GET', `/users/${userId}/overview`)) as unknown as UserOverview

test('says of each effective preference where it comes from, and who changed it', async () => {
  await ask('PUT', '/notifications/plain', {
    channels: ['INAPP_WEB', 'EMAIL', 'SMS', 'PUSH', 'CALL'],
    locked: ['PUSH'],
    options: { SMS: { daily: {}, defaultDeliveryOption: 'daily' } },
    templates: { inapp: { title: 'x' } }
  })
  const admin = await app.ask(`/environments/${CLIENT}`, {
    body: JSON.stringify({ defaults: { INAPP_WEB: 'instant' }, disabledChannels: ['CALL'] }),
    headers: { authorization: `Bearer ${'token-of-the-operator-77aa'}` },
    method: 'PATCH'
  })
  assert.equal(admin.status, 200, admin.text)
  const choose = (delivery: string, headers: Record<string, string>) =>
    ask('POST', '/users/ann/preferences', [{ channel: 'EMAIL', delivery, notificationId: 'plain' }], headers)
  await choose('weekly', asUser('ann'))
  const sources = async () => {
    const { preferences } = await overview('ann')
    assert.deepEqual(
      preferences.map(({ id, title }) => [id, title]),
      [['plain', 'Plain']]
    )
    return Object.fromEntries(preferences[0]!.channels.map(one => [one.channel, one]))
  }
  const found = await sources()
  const { EMAIL, ...others } = found
  const { changedAt, ...email } = EMAIL!
  assert.deepEqual(email, { changedBy: 'user', channel: 'EMAIL', delivery: 'weekly', source: 'user' })
  assert.ok(Math.abs(Date.parse(changedAt!) - Date.now()) < 60_000)
  assert.deepEqual(
    Object.values(others)
      .map(({ channel, delivery, source }) => [channel, delivery, source])
      .toSorted(),
    [
      ['CALL', 'off', 'environment'],
      ['INAPP_WEB', 'instant', 'environment-default'],
      ['PUSH', 'instant', 'locked'],
      ['SMS', 'daily', 'type']
    ]
  )
  // The same value again is no change.
  await choose('weekly', asBackEnd)
  assert.deepEqual((await sources())['EMAIL'], EMAIL)
  await choose('off', asBackEnd)
  assert.equal((await sources())['EMAIL']!.changedBy, 'back-end')
  await ask('PATCH', '/users/ann/preferences', { channels: { SMS: { on: false } } })
  assert.equal((await sources())['SMS']!.source, 'channel-off')
})

test('shows what waits for the user, the pause, devices and open connections', async () => {
  const token = 'a'.repeat(64)
  await ask('POST', '/users/bob', {
    email: 'bob@example.com',
    pushTokens: [{ device: { model: 'Phone' }, token, type: 'APN' }]
  })
  await ask('POST', '/users/bob/preferences', [
    { channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }
  ])
  await ask('PUT', '/notifications/news', {
    options: { EMAIL: { daily: {} } },
    templates: { email: { html: 'x', subject: 's' } }
  })
  const send = (more: object = {}) => ask('POST', '/sender', { to: { id: 'bob' }, type: 'news', ...more })
  await send()
  await send()
  await send({ schedule: new Date(Date.now() + 86_400_000).toISOString() })
  await ask('PATCH', '/users/bob/preferences', { pause: { isOn: true } })
  await ask('PUT', '/notifications/other', { templates: { email: { html: 'x', subject: 's' } } })
  await ask('POST', '/sender', { to: { id: 'bob' }, type: 'other' })
  const { devices, faults, hasMoreWaiting, hold, pause, sockets, user, waiting } = await overview('bob')
  assert.equal(user.email, 'bob@example.com')
  assert.deepEqual(
    devices.map(({ device, kind, token: shown }) => [kind, device.model, shown]),
    [['apn', 'Phone', 'aaaaaaaa…aaaa']]
  )
  assert.deepEqual(waiting.map(({ channel, count, kind, type }) => [kind, channel, type, count]).toSorted(), [
    ['digest', 'EMAIL', 'news', 2],
    ['held', 'EMAIL', 'other', undefined],
    ['schedule', undefined, 'news', undefined]
  ])
  assert.equal(waiting.find(({ kind }) => kind === 'held')!.at, null)
  assert.deepEqual(
    [hasMoreWaiting, hold, pause.isOn, sockets, faults],
    [false, { reason: 'pause', until: null }, true, 0, []]
  )
})

test('shows the last deliveries that failed, and nothing of another environment', async () => {
  const { trackingId } = await ask('POST', '/sender', {
    email: { html: 'x', subject: 's' },
    to: { email: 'eve@example.com', id: 'eve' },
    type: 'plain'
  })
  await app.queues.idle('EMAIL')
  await app.db.groups[0]!.sql`
    update attempts set outcome = 'dead', code = '550', detail = 'No such mailbox'
    where bucket = any(array(select generate_series(0, 1023)::smallint)) and user_id = 'eve'`
  const { faults } = await overview('eve')
  const [fault] = faults
  const { at: _, ...rest } = fault!
  assert.deepEqual(rest, {
    channel: 'EMAIL',
    code: '550',
    detail: 'No such mailbox',
    to: 'eve@example.com',
    trackingId,
    type: 'plain'
  })
  const headers = basic(`${OTHER}:${OTHER_SECRET}`)
  const other = await app.ask(`/${OTHER}/users/eve/overview`, { headers })
  assert.deepEqual([other.json['user'], other.json['faults']], [{ id: 'eve' }, []])
  assert.equal((await app.ask(`/${CLIENT}/users/eve/overview`, { headers })).status, 401)
  assert.equal((await app.ask(`/${CLIENT}/users/eve/overview`, { headers: asUser('eve') })).status, 401)
})

test('a back end corrects the contact of a user without a visit of the user', async () => {
  await ask('PATCH', '/users/cleo', { email: 'cleo@example.com', properties: { plan: 'a' } })
  const patched = await ask('PATCH', '/users/cleo', { email: 'cleo@example.org', number: null })
  assert.deepEqual(
    [patched['email'], patched['properties'], patched['lastSeenTime']],
    ['cleo@example.org', { plan: 'a' }, undefined]
  )
  const seen = await ask('POST', '/users/cleo', {})
  const later = await ask('PATCH', '/users/cleo', { email: 'cleo@example.net' })
  assert.equal(later['lastSeenTime'], seen['lastSeenTime'])
  const refused = await app.ask(`/${CLIENT}/users/cleo`, {
    body: '{}',
    headers: asUser('cleo'),
    method: 'PATCH'
  })
  assert.equal(refused.status, 401)
})
