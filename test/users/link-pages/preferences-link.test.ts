// The preferences link in an email: it shows and changes the preferences of its user only.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { bucketOf } from '../../../server/core/id.ts'
import { createEncryption } from '../../../server/environments/encryption/encryption.ts'
import {
  readPreferencesToken,
  createPreferencesToken,
  createUnsubscribeToken
} from '../../../server/users/link-pages/link-token.ts'
import { fieldName } from '../../../server/users/link-pages/preferences-page.ts'
import { MAX_PREFERENCES } from '../../../server/users/preferences/schema.ts'
import { kitClient } from '../../inbox/live/test-node.ts'
import { asBackEnd, CLIENT, hashOf, OTHER, startApp, type TestApp } from '../../security/app.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'

const TYPE = 'report'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const EMAIL = fieldName({ channel: 'EMAIL', notificationId: TYPE })
const INBOX = fieldName({ channel: 'INAPP_WEB', notificationId: TYPE })

async function world(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const app = await startApp({ NOTIF_PUBLIC_URL: 'https://n.example/base', ...env })
  const put = await app.ask(`/${CLIENT}/notifications/${TYPE}`, {
    body: JSON.stringify({
      options: { EMAIL: { daily: { enabled: true } } },
      templates: {
        email: {
          html: '<a href="{{ preferencesLink }}">choose</a> <a href="{{ unsubscribeLink }}">end</a>',
          subject: 'Report'
        },
        inapp: { title: 'Report' }
      },
      title: '<b>Reports</b>'
    }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.equal(put.status, 201, put.text)
  for (const id of ['amara', 'ben']) {
    const body = JSON.stringify({ to: { email: `${id}@x.test`, id }, type: TYPE })
    await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  }
  await app.queues.idle('EMAIL')
  return app
}

const chosen = async (app: TestApp, id: string) => {
  const rows = await app.db.control`
    select channel, delivery from preferences
    where bucket >= 0 and env_id = ${CLIENT} and user_id = ${id} order by channel`
  return rows.map(({ channel, delivery }) => `${channel} ${delivery}`)
}

const post = (app: TestApp, token: string, fields: Readonly<Record<string, string>>) =>
  app.ask(`/preferences/${token}`, {
    body: String(new URLSearchParams(fields)),
    headers: form,
    method: 'POST'
  })

describe('the link to the preferences', { timeout: 60_000 }, () => {
  test('shows titles, groups and locked channels, and turns off a whole channel', async () => {
    await using app = await world()
    const templates = { email: { html: 'x', subject: 'x' }, sms: { message: 'x' } }
    const type = { group: 'Safety <1>', locked: ['EMAIL'], templates }
    const body = JSON.stringify(type)
    await app.ask(`/${CLIENT}/notifications/fire_alarm`, { body, headers: asBackEnd, method: 'PUT' })
    const send = JSON.stringify({ to: { email: 'amara@x.test', id: 'amara' }, type: 'fire_alarm' })
    await app.ask(`/${CLIENT}/sender`, { body: send, headers: asBackEnd, method: 'POST' })
    const token = createPreferencesToken(TEST_ENCRYPTION, {
      envId: CLIENT,
      userId: 'amara'
    })
    const page = await app.ask(`/preferences/${token}`)
    assert.match(page.text, /<h2>Safety &lt;1&gt;<\/h2>\s*<fieldset><legend>Fire alarm<\/legend>/)
    assert.match(page.text, /<label>Email <span>Always on<\/span><\/label>/)
    assert.ok(!page.text.includes('fire_alarm</'))
    const locked = fieldName({ channel: 'EMAIL', notificationId: 'fire_alarm' })
    const saved = await post(app, token, { 'channel:EMAIL': 'off', [EMAIL]: 'instant', [locked]: 'off' })
    assert.match(saved.text, /<select name="channel:EMAIL">.*<option value="off" selected>Off/)
    assert.deepEqual(await chosen(app, 'amara'), [])
    const [user] = await app.db.control`select delivery_settings from users where id = 'amara'`
    assert.deepEqual(user!['delivery_settings'], { channelsOff: ['EMAIL'] })
    await post(app, token, { 'channel:EMAIL': 'on' })
    const [after] = await app.db.control`select delivery_settings from users where id = 'amara'`
    assert.equal(after!['delivery_settings'], null)
  })

  test('is in the email, and its page stores only the fields that differ', async () => {
    await using app = await world()
    const { json } = await app.ask(`/${CLIENT}/sandbox/messages?user=amara`, { headers: asBackEnd })
    const [mail] = json['messages'] as { html: string; headers?: unknown }[]
    const [, token = ''] = /href="https:\/\/n\.example\/base\/preferences\/([\w-]+)">/.exec(mail!.html) ?? []
    const [, end = ''] = /href="https:\/\/n\.example\/base\/unsubscribe\/([\w-]+)">/.exec(mail!.html) ?? []
    assert.ok(token && end)
    // RFC 8058, section 3.1: the header contains the one-click address only.
    assert.ok(!JSON.stringify(mail).includes(`preferences/${token}>`))

    const page = await app.ask(`/preferences/${token}`)
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*form-action 'self'/)
    assert.ok(page.text.includes('&lt;b&gt;Reports&lt;/b&gt;') && !/<b>|<script|amara/.test(page.text))
    assert.match(page.text, /<option value="instant" selected>Instant<\/option><option value="daily">/)
    assert.deepEqual(await chosen(app, 'amara'), [])

    const pages = kitClient(app, 'amara', { clientId: CLIENT, userHash: hashOf('amara') })
    await pages.frames.route('inbox/head')
    const saved = await post(app, token, { [EMAIL]: 'daily', [INBOX]: 'instant', other: 'x' })
    await pages.frames.route('inbox/preferences')
    pages.close()
    assert.match(saved.text, /role="status">Your preferences are saved[^]*value="daily" selected/)
    assert.deepEqual(await chosen(app, 'amara'), ['EMAIL daily'])
    assert.deepEqual(await chosen(app, 'ben'), [])
    const german = await app.ask(`/preferences/${token}`, { headers: { 'accept-language': 'de' } })
    assert.match(german.text, /lang="de"[^]*Täglich/)

    const bad = await post(app, token, { [EMAIL]: 'hourly', [INBOX]: 'off' })
    assert.equal(bad.status, 422)
    assert.match(bad.text, /<main>[^]*role="alert">Your preferences were not saved[^]*value="daily" selected/)
    assert.deepEqual(await chosen(app, 'amara'), ['EMAIL daily'])

    // A frequency that is no longer offered stays until the user chooses another one.
    const less = JSON.stringify({ templates: { email: { html: 'x', subject: 'Report' } } })
    await app.ask(`/${CLIENT}/notifications/${TYPE}`, { body: less, headers: asBackEnd, method: 'PUT' })
    assert.match((await app.ask(`/preferences/${token}`)).text, /value="daily" selected/)
    assert.equal((await post(app, token, { [EMAIL]: 'daily' })).status, 200)

    const unsubscribe = await app.ask(`/unsubscribe/${end}`)
    const [, next = ''] = /href="\.\.(\/preferences\/[\w-]+)"/.exec(unsubscribe.text) ?? []
    assert.equal((await app.ask(next)).status, 200)
  })

  test('is not valid for another user, if shortened, with an old key or for another purpose', async () => {
    await using app = await world()
    const holder = { envId: CLIENT, userId: 'amara' }
    const good = createPreferencesToken(TEST_ENCRYPTION, holder)
    const bytes = Buffer.from(good, 'base64url')
    const altered = [...bytes.keys()].map(i => {
      const copy = Buffer.from(bytes)
      copy[i]! ^= 1
      return copy.toString('base64url')
    })
    const older = createPreferencesToken(
      createEncryption('the key of before the change, long enough'),
      holder
    )
    const end = createUnsubscribeToken(TEST_ENCRYPTION, {
      ...holder,
      notificationId: TYPE,
      subNotificationId: ''
    })
    const nowhere = createPreferencesToken(TEST_ENCRYPTION, { ...holder, envId: 'deleted' })
    for (const token of [...altered, good.slice(0, -4), older, end, nowhere, 'x']) {
      for (const method of ['GET', 'POST']) {
        const body = String(new URLSearchParams({ [EMAIL]: 'off' }))
        const write = method === 'POST' ? { body, headers: form } : {}
        const { status, text } = await app.ask(`/preferences/${token}`, { method, ...write })
        assert.equal(status, 404, token)
        assert.ok(!text.includes('Reports'))
      }
    }
    // The same id in another environment belongs to another user.
    assert.equal(
      (
        await post(app, createPreferencesToken(TEST_ENCRYPTION, { envId: OTHER, userId: 'amara' }), {
          [EMAIL]: 'off'
        })
      ).status,
      200
    )
    assert.equal(
      (
        await post(app, createPreferencesToken(TEST_ENCRYPTION, { envId: CLIENT, userId: 'ben' }), {
          [EMAIL]: 'off'
        })
      ).status,
      200
    )
    assert.deepEqual(await chosen(app, 'amara'), [])
    assert.deepEqual(await chosen(app, 'ben'), ['EMAIL off'])
  })

  test('does not exceed the limit of preferences', async () => {
    await using app = await world()
    const token = createPreferencesToken(TEST_ENCRYPTION, { envId: CLIENT, userId: 'amara' })
    await app.db.control`
      insert into preferences (bucket, env_id, user_id, key, notification_id, channel, delivery)
      select ${bucketOf(CLIENT, 'amara')}, ${CLIENT}, 'amara', int4send(n), 'other ' || n, 'SMS', 'off'
      from generate_series(1, ${MAX_PREFERENCES - 1}) n`
    assert.equal((await post(app, token, { [EMAIL]: 'daily', [INBOX]: 'off' })).status, 422)
    assert.equal((await chosen(app, 'amara')).length, MAX_PREFERENCES - 1)
    assert.equal((await post(app, token, { [EMAIL]: 'daily' })).status, 200)
  })

  test('stays valid while the previous key is configured', async () => {
    const renewed = createEncryption(
      'a new key of the installation, long enough',
      'the key of before the change, long enough'
    )
    const holder = { envId: CLIENT, userId: 'amara' }
    const token = createPreferencesToken(
      createEncryption('the key of before the change, long enough'),
      holder
    )
    assert.deepEqual(readPreferencesToken(renewed, token), holder)
  })
})
