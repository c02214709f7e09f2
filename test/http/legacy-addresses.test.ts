// Aliases without a client id: the token names the environment, and gives no more access than the full address.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  hashOf,
  OTHER,
  OTHER_SECRET,
  PAGE,
  SECRET,
  startApp,
  type TestApp
} from '../security/app.ts'

const EVIL = 'https://evil.example'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

async function send(id: string, title: string, clientId: string = CLIENT): Promise<string> {
  const body = JSON.stringify({ inapp: { title }, to: { id }, type: 'note' })
  const headers = clientId === CLIENT ? asBackEnd : asOther
  const { json, text } = await app.ask(`/${clientId}/sender`, { body, headers, method: 'POST' })
  assert.ok(json['trackingId'], text)
  return String(json['trackingId'])
}

const now = (): string => encodeURIComponent(new Date(Date.now() + 1000).toISOString())

async function titles(headers: Readonly<Record<string, string>>): Promise<string[]> {
  const { json, status, text } = await app.ask(`/user/inapp?count=10&before=${now()}`, { headers })
  assert.equal(status, 200, text)
  return (json['notifications'] as { title: string }[]).map(({ title }) => title)
}

test('lists and marks notifications of any user id, in either encoding', async () => {
  for (const id of ['amara', 'a:b', 'a:', ':', 'é', 'Ã©', '用户', 'a/b', 'x'.repeat(255)]) {
    const trackingId = await send(id, `For ${id.length}`)
    const hash = hashOf(id)
    const tokens = [Buffer.from(`${CLIENT}:${id}:${hash}`)]
    const latin = Buffer.from(id, 'latin1')
    if (latin.toString('latin1') === id) tokens.push(Buffer.from(`${CLIENT}:${id}:${hash}`, 'latin1'))
    for (const token of tokens) {
      const headers = { authorization: `Basic ${token.toString('base64')}` }
      assert.deepEqual(await titles(headers), [`For ${id.length}`], id)
    }
    const body = JSON.stringify({ opened: '2026-11-20T04:34:37.557Z', trackingIds: [trackingId] })
    const marked = await app.ask('/user/inapp', { body, headers: asUser(id), method: 'PATCH' })
    assert.equal(marked.status, 200, marked.text)
    const inbox = await app.ask(`/${CLIENT}/users/${encodeURIComponent(id)}/inbox`, { headers: asUser(id) })
    assert.equal((inbox.json['counts'] as { unopened: number }).unopened, 0, id)
  }
})

test('reads the environment and user of the token', async () => {
  await send('same', 'of one')
  await send('same', 'of the other', OTHER)
  await send('neighbour', 'of a neighbour')
  assert.deepEqual(await titles(asUser('same')), ['of one'])
  assert.deepEqual(await titles(basic(`${OTHER}:same:`)), ['of the other'])
  assert.deepEqual(await titles(basic(`${OTHER}:same:${hashOf('same', OTHER_SECRET)}`)), ['of the other'])
  assert.deepEqual(await titles(asUser('neighbour')), ['of a neighbour'])
})

test('serves user, preferences and account at aliases', async () => {
  const headers = asUser('settler')
  const said = await app.ask('/users/settler', {
    body: JSON.stringify({ email: 'settler@example.com' }),
    headers,
    method: 'POST'
  })
  assert.equal(said.status, 200, said.text)
  assert.equal((await app.ask('/users/settler', { headers })).json['email'], 'settler@example.com')
  const body = JSON.stringify([{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'note' }])
  const chosen = await app.ask('/users/settler/preferences', { body, headers, method: 'POST' })
  assert.equal(chosen.status, 200, chosen.text)
  const whole = await app.ask(`/${CLIENT}/users/settler/preferences`, { headers })
  const short = await app.ask('/users/settler/preferences', { headers })
  assert.deepEqual(short.json, whole.json)
  assert.match(short.text, /"delivery":"off"/)
  const account = await app.ask('/users/account-metadata', { headers })
  const { json } = await app.ask(`/${CLIENT}/users/settler/account_metadata`, { headers })
  assert.deepEqual(account.json, json)
})

test('lets a back end act for the user of the address, and gives it no inbox of its own', async () => {
  await send('served', 'x')
  assert.equal((await app.ask('/users/served', { headers: asBackEnd })).status, 200)
  for (const headers of [asBackEnd, asOther]) {
    assert.equal((await app.ask('/user/inapp', { headers })).status, 401)
  }
})

test('reads a secret that ends with a colon as a secret', async () => {
  const clientId = 'colons'
  const clientSecret = 'sixteen-characters:'
  const body = JSON.stringify({ clientId, clientSecret, secureMode: false })
  const made = await app.ask('/environments', { body, headers: asAdmin, method: 'POST' })
  assert.equal(made.status, 201, made.text)
  const token = basic(`${clientId}:${clientSecret}`)
  assert.equal((await app.ask(`/${clientId}/users/anybody`, { headers: token })).status, 200)
  assert.equal((await app.ask('/user/inapp', { headers: token })).status, 401)
})

test('refuses an unproven token, and logs nothing of it', async () => {
  for (const token of [
    '',
    CLIENT,
    `${CLIENT}:`,
    `${CLIENT}::`,
    `${CLIENT}:amara`,
    `${CLIENT}:amara:`,
    `${CLIENT}:amara:wrong`,
    `${CLIENT}:amara:${hashOf('same')}`,
    `${OTHER}:amara`,
    `${OTHER}:amara:${hashOf('amara')}`,
    `${SECRET}:${CLIENT}:`,
    `nobody:amara:`,
    'nobody\0:amara:',
    `${'n'.repeat(5_000)}:amara:`,
    `${CLIENT}:a\0:`,
    '\ufffd:amara:',
    '__proto__:amara:'
  ]) {
    const { status } = await app.ask('/user/inapp', { headers: basic(token) })
    assert.equal(status, 401, token)
  }
  assert.ok(!app.log().includes(SECRET))
})

test('allows every preflight, and refuses a page that is not listed before the request is executed', async () => {
  const preflight = await app.ask('/users/visitor', { headers: { origin: EVIL }, method: 'OPTIONS' })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], '*')
  assert.match(preflight.headers['access-control-allow-headers']!, /authorization/)
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST, GET')
  const identify = (more: Readonly<Record<string, string>>, email: string) =>
    app.ask('/users/visitor', {
      body: JSON.stringify({ email }),
      headers: { ...asUser('visitor'), ...more },
      method: 'POST'
    })
  const refused = await identify({ origin: EVIL }, 'evil@example.com')
  assert.equal(refused.status, 403, refused.text)
  assert.equal(refused.headers['access-control-allow-origin'], undefined)
  const unknown = await app.ask('/users/visitor', { headers: asUser('visitor') })
  assert.deepEqual(unknown.json, { id: 'visitor' })
  const listed = await identify({ origin: PAGE }, 'a@example.com')
  assert.equal(listed.status, 200)
  assert.equal(listed.headers['access-control-allow-origin'], PAGE)
  const own = await identify({ origin: app.url, 'sec-fetch-site': 'same-origin' }, 'b@example.com')
  assert.equal(own.status, 200)
})

test('refuses client ids that an alias would hide', async () => {
  for (const clientId of ['user', 'users', 'Users', 'unsubscribe']) {
    const { status, text } = await app.ask('/environments', {
      body: JSON.stringify({ clientId }),
      headers: asAdmin,
      method: 'POST'
    })
    assert.equal(status, 422, text)
    assert.match(text, /clientId/)
  }
})

test('lists aliases in the reference', async () => {
  const { json } = await app.ask('/openapi.json')
  const paths = json['paths'] as Record<string, Record<string, { description: string }>>
  const list = paths['/{clientId}/users/{userId}/notifications/INAPP_WEB']!
  assert.match(list['get']!.description, /`\/user\/inapp`/)
  assert.match(list['patch']!.description, /`\/user\/inapp`/)
})
