// What is not about one type: the switch of a whole channel, locked channels, and how pause and quiet hours are stored.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Preferences } from '#protocol'

import { bucketOf } from '../../../server/core/id.ts'
import { typeRoutes } from '../../../server/types/route.ts'
import { legacyPatch, fromLegacy } from '../../../server/users/preferences/legacy.ts'
import { preferenceRoutes } from '../../../server/users/preferences/route.ts'
import { asBackEnd, asUser, CLIENT, serve, type Served } from '../../http/serve.ts'
import { testKit, testSender, type TestKit } from '../../send/test-context.ts'

let server: Served
let context: TestKit
before(async () => {
  server = await serve(db => {
    context = testKit(db)
    const { renderer, types } = context
    return [...preferenceRoutes(context), ...typeRoutes({ renderer, types }), ...testSender(context).routes]
  })
  await putType('comment', {})
  await putType('fire', { description: 'Leave the house', group: 'Safety', locked: ['EMAIL'], urgent: true })
})
after(() => server[Symbol.asyncDispose]())

type Json = Record<string, unknown>

async function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const answer = await server.fetch(`/${CLIENT}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return { json: (await answer.json()) as Json, status: answer.status }
}

async function putType(id: string, more: object): Promise<void> {
  const templates = { email: { html: 'x', subject: 'x' }, inapp: { title: 'x' } }
  const { status } = await call('PUT', `notifications/${id}`, asBackEnd, { templates, ...more })
  assert.ok(status < 300)
}

const patch = (user: string, body: unknown) => call('PATCH', `users/${user}/preferences`, asUser(user), body)
const choose = (user: string, body: unknown) => call('POST', `users/${user}/preferences`, asUser(user), body)
const read = async (user: string): Promise<Preferences> =>
  (await call('GET', `users/${user}/preferences`, asUser(user))).json as unknown as Preferences

async function decisions(user: string, type: string): Promise<unknown> {
  const body = { to: { email: 'a@example.com', id: user }, type }
  const { json } = await call('POST', 'sender', asBackEnd, body)
  const [row] = await context.db.control`select decisions from sends where id = ${String(json['trackingId'])}`
  return row!['decisions']
}

const pointers = ({ json, status }: { readonly json: Json; readonly status: number }): readonly unknown[] => {
  assert.equal(status, 422)
  return (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)
}

test('a type is stored and shown with its description, group, urgency and locked channels', async () => {
  const { json } = await call('GET', 'notifications/fire', asBackEnd)
  const { description, group, locked, urgent } = json
  const expected = { description: 'Leave the house', group: 'Safety', locked: ['EMAIL'], urgent: true }
  assert.deepEqual({ description, group, locked, urgent }, expected)
  await decisions('shown', 'fire')
  await decisions('shown', 'comment')
  const { notifications } = await read('shown')
  const both = { channels: ['EMAIL', 'INAPP_WEB'], options: notifications[0]!.options }
  assert.deepEqual(notifications, [
    { ...both, notificationId: 'comment', title: 'Comment' },
    { ...both, ...expected, notificationId: 'fire', title: 'Fire' }
  ])
})

test('a channel that is off sends nothing, and its choices stay', async () => {
  await choose('master', [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'comment' }])
  await decisions('master', 'comment')
  const before = (await read('master')).preferences
  context.chosen.length = 0
  context.woken.clear()
  const { json, status } = await patch('master', { channels: { EMAIL: { on: false } } })
  assert.equal(status, 200)
  assert.deepEqual(json['channels'], { EMAIL: { on: false } })
  assert.deepEqual(context.chosen, ['master'])
  assert.ok(context.woken.has('DIGEST'))
  assert.deepEqual(await decisions('master', 'comment'), { EMAIL: 'preference-off', INAPP_WEB: 'sent' })
  const after = await read('master')
  assert.deepEqual(after.preferences, before)
  assert.deepEqual(after.channels, { EMAIL: { on: false }, INAPP_WEB: { on: true } })
  // A type that locks the channel is sent nevertheless.
  assert.deepEqual(await decisions('master', 'fire'), { EMAIL: 'sent', INAPP_WEB: 'sent' })
  await patch('master', { channels: { EMAIL: { on: true } } })
  assert.deepEqual(await decisions('master', 'comment'), { EMAIL: 'digest', INAPP_WEB: 'sent' })
  const [user] = await context.db.control`select delivery_settings from users where id = 'master'`
  assert.equal(user!['delivery_settings'], null)
})

test('a locked channel cannot be turned off, and stored preferences of it do not apply', async () => {
  const off = { channel: 'EMAIL', delivery: 'off', notificationId: 'fire' }
  assert.deepEqual(pointers(await choose('lock', [{ ...off, notificationId: 'comment' }, off])), [
    '#/1/channel'
  ])
  assert.deepEqual(pointers(await choose('lock', { preferences: [off] })), ['#/preferences/0/channel'])
  assert.deepEqual((await read('lock')).preferences, [])
  // "None of these any more" is allowed: it turns off the other channels.
  assert.equal((await choose('lock', [{ delivery: 'off', notificationId: 'fire' }])).status, 200)
  assert.deepEqual(await decisions('lock', 'fire'), { EMAIL: 'sent', INAPP_WEB: 'preference-off' })
  // Rows of a back end, or from before the lock.
  assert.equal((await call('POST', 'user_preferences/lock', asBackEnd, [off])).status, 200)
  assert.deepEqual(await decisions('lock', 'fire'), { EMAIL: 'sent', INAPP_WEB: 'sent' })
  const preferences = await read('lock')
  const rows = preferences.preferences.map(({ channel, delivery }) => `${channel} ${delivery}`)
  assert.deepEqual(rows, ['EMAIL instant', 'INAPP_WEB instant'])
  // A row of a locked channel can be deleted.
  assert.equal((await choose('lock', [{ ...off, delivery: null }])).status, 200)
  const legacy = legacyPatch(10).parse([
    {
      channelPreferences: [
        { channel: 'EMAIL', state: false },
        { channel: 'INAPP_WEB', state: false }
      ],
      notificationId: 'fire'
    }
  ])
  assert.deepEqual(
    fromLegacy(legacy, preferences).map(({ channel }) => channel),
    ['INAPP_WEB']
  )
})

test('a channel that the network stopped is off, says so, and cannot be turned on here', async () => {
  await patch('stop', { pause: { isOn: false } })
  await context.db.control`
    insert into preferences (bucket, env_id, user_id, key, notification_id, sub_id, channel, delivery)
    values (${bucketOf(CLIENT, 'stop')}, ${CLIENT}, 'stop', 'x', '', '', 'SMS', 'off')`
  const blocked = { SMS: { on: false, state: 'blocked' } }
  assert.deepEqual((await read('stop')).channels, blocked)
  assert.deepEqual(pointers(await patch('stop', { channels: { SMS: { on: true } } })), ['#/channels/SMS/on'])
  const both = await patch('stop', { channels: { EMAIL: { on: false }, SMS: { on: false } } })
  assert.deepEqual(both.json['channels'], { EMAIL: { on: false }, ...blocked })
})

test('keeps the fields of pause and quiet hours that a change does not name', async () => {
  await call('POST', 'user_preferences/quiet', asBackEnd, [])
  const first = await patch('quiet', { quiet: { days: [7, 1, 1], from: '21:30', on: true, to: '06:00' } })
  const quiet = { days: [1, 7], from: '21:30', on: true, to: '06:00', urgentPasses: true, zone: 'UTC' }
  assert.deepEqual(first.json, { channels: {}, pause: { isOn: false, until: null }, quiet })
  const zoned = await patch('quiet', { quiet: { urgentPasses: false, zone: 'europe/amsterdam' } })
  assert.deepEqual(zoned.json['quiet'], { ...quiet, urgentPasses: false, zone: 'Europe/Amsterdam' })
  const own = await patch('quiet', { pause: { isOn: true }, quiet: { zone: null } })
  assert.deepEqual(own.json['quiet'], { ...quiet, urgentPasses: false })
  assert.deepEqual(own.json['pause'], { isOn: true, until: null })
  const until = new Date(context.clock() + 3_600_000).toISOString()
  await patch('quiet', { pause: { isOn: true, until } })
  assert.deepEqual((await read('quiet')).pause, { isOn: true, until })
  await patch('quiet', { pause: { isOn: false } })
  assert.deepEqual((await read('quiet')).pause, { isOn: false, until: null })
})

test('names each wrong field', async () => {
  const wrong: readonly (readonly [object, readonly string[]])[] = [
    [{ quiet: { from: '24:00', to: '7:00' } }, ['#/quiet/from', '#/quiet/to']],
    [{ quiet: { days: [] } }, ['#/quiet/days']],
    [{ quiet: { days: [0, 8] } }, ['#/quiet/days/0', '#/quiet/days/1']],
    [{ quiet: { zone: 'Amsterdam' } }, ['#/quiet/zone']],
    [{ pause: {} }, ['#/pause/isOn']],
    [{ pause: { isOn: true, until: 'tomorrow' } }, ['#/pause/until']],
    [{ pause: { isOn: true, until: '2020-01-01T00:00:00Z' } }, ['#/pause/until']],
    [{ channels: { FAX: { on: true } } }, ['#/channels/FAX']],
    [{ channels: { EMAIL: true } }, ['#/channels/EMAIL']]
  ]
  for (const [body, expected] of wrong) {
    assert.deepEqual(pointers(await patch('wrong', body)), expected, JSON.stringify(body))
  }
})
