// An environment can take contact details from back ends only: a page cannot change them, and everything else of it works.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openStore } from '../../components/live/open-store.ts'
import { asAdmin, asBackEnd, basic, CLIENT, hashOf, SECRET, startApp, type TestApp } from '../security/app.ts'
import { until } from '../support/process.ts'

let app: TestApp
before(async () => {
  app = await startApp({ NOTIF_WEB_PUSH_HOSTS: 'push.example' })
})
after(() => app[Symbol.asyncDispose]())

type User = Record<string, unknown>

const STORED = { email: 'ada@example.com', number: '+12025550123', slackChannel: '#ada' }

const asPage = (userId: string) => basic(`${CLIENT}:${userId}:${hashOf(userId, SECRET)}`)
const identify = (userId: string, body: unknown, headers: Record<string, string>) =>
  app.ask(`/${CLIENT}/users/${userId}`, { body: JSON.stringify(body), headers, method: 'POST' })
const read = async (userId: string): Promise<User> =>
  (await app.ask(`/${CLIENT}/users/${userId}`, { headers: asBackEnd })).json
const setSwitch = async (contactsFromBackEndOnly: boolean | null): Promise<void> => {
  const body = JSON.stringify({ contactsFromBackEndOnly })
  const answer = await app.ask(`/environments/${CLIENT}`, { body, headers: asAdmin, method: 'PATCH' })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json['contactsFromBackEndOnly'], contactsFromBackEndOnly ?? false)
}

test('a page changes contact details unless the environment forbids it', async () => {
  await setSwitch(null)
  assert.equal((await identify('free', { email: 'free@example.com' }, asPage('free'))).status, 200)
  await setSwitch(true)
  assert.equal((await identify('ada', { ...STORED, email: 'old@example.com' }, asBackEnd)).status, 200)
  // An operator acts as a back end.
  assert.equal((await identify('ada', STORED, asAdmin)).status, 200)
  const changes: readonly [User, readonly string[]][] = [
    [{ email: 'eve@example.com', timezone: 'UTC' }, ['#/email']],
    [{ email: null, number: '+12025550199' }, ['#/email', '#/number']],
    [{ slackChannel: '#eve' }, ['#/slackChannel']],
    [{ slackToken: { access_token: 'xoxb-1' } }, ['#/slackToken']]
  ]
  for (const path of [`/${CLIENT}/users/ada`, '/users/ada']) {
    for (const [body, pointers] of changes) {
      const answer = await app.ask(path, {
        body: JSON.stringify(body),
        headers: asPage('ada'),
        method: 'POST'
      })
      assert.equal(answer.status, 403, answer.text)
      const errors = answer.json['errors'] as { pointer: string }[]
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        pointers
      )
      assert.match(String(answer.json['detail']), /only a back end.*contactsFromBackEndOnly/)
    }
  }
  const { email, number, slackChannel, slackToken, timezone } = await read('ada')
  assert.deepEqual({ email, number, slackChannel }, STORED)
  assert.deepEqual([slackToken, timezone], [undefined, undefined])
})

test('a page registers devices, changes its time zone, and repeats the stored contact details', async () => {
  await setSwitch(true)
  await identify('bo', STORED, asBackEnd)
  const keys = {
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  }
  const body = {
    ...STORED,
    pushTokens: [{ device: {}, token: 't', type: 'apn' }],
    timezone: 'Europe/Oslo',
    webPushTokens: [{ sub: { endpoint: 'https://push.example/1', keys } }]
  }
  const answer = await identify('bo', body, asPage('bo'))
  assert.equal(answer.status, 200, answer.text)
  const { email, pushTokens, timezone, webPushTokens } = await read('bo')
  assert.deepEqual([email, timezone], [STORED.email, 'Europe/Oslo'])
  assert.deepEqual(
    [pushTokens, webPushTokens].map(list => (list as unknown[]).length),
    [1, 1]
  )
})

test('a page of the kit with an email address in its user shows its inbox, and stores the time zone', async () => {
  await setSwitch(true)
  const send = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title: 'Hello' }, to: { id: 'cleo' }, type: 'greeting' }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(send.status, 200, send.text)
  const user = { email: 'cleo@example.com', id: 'cleo', timezone: 'Asia/Tokyo' }
  const store = openStore({ apiUrl: app.url, clientId: CLIENT, user, userHash: hashOf('cleo', SECRET) }, '')
  await store.reload()
  assert.equal(store.$unopened.get(), 1)
  await until(async () => (await read('cleo'))['timezone'] === 'Asia/Tokyo', 'the time zone is stored')
  assert.equal((await read('cleo'))['email'], undefined)
  store.destroy()
})
