// Any text can be a user id, and every route and socket keeps it distinct from other ids.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { plainClient, socketIoClient, type Frames } from '../inbox/live/test-node.ts'
import { asBackEnd, asUser, CLIENT, contents, hashOf, startApp, type Answer, type TestApp } from './app.ts'

const IDS = [
  'a:b',
  'a:b:c',
  ':',
  'a/b',
  '/',
  'a/../b',
  '..',
  '.',
  '100%',
  '%2F',
  '%25',
  'a b',
  'a+b',
  '+4915112345678',
  'a@example.com',
  '?x=1',
  'a#b',
  'a&b=c;d',
  String.raw`a\b`,
  `a"b'c`,
  '<b>',
  '{{ a }}',
  'ü',
  'u\u0308',
  '用户',
  '😀',
  '👩‍👩‍👧‍👦',
  'a\nb',
  '\u202Eabc',
  'undefined',
  'null',
  'inbox',
  '*',
  "'; drop table users; --",
  'x'.repeat(255),
  '😀'.repeat(255)
]
const TOO_LONG = ['x'.repeat(256), '😀'.repeat(256)]

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const send = (id: string): Promise<Answer> =>
  app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title: 'For {{ user.id }}' }, to: { id }, type: 'greeting' }),
    headers: asBackEnd,
    method: 'POST'
  })

const BODIES: Readonly<Record<string, string | undefined>> = {
  PATCH: '{"trackingIds":[],"opened":null}',
  POST: '{}'
}
/** By method and pattern without the client id, which some addresses leave to the token. */
const OWN_BODIES: Readonly<Record<string, string>> = {
  'PATCH /users/:userId/preferences': '{}',
  'POST /users/:userId/preferences': '[]'
}
const QUERIES: Readonly<Record<string, string>> = {
  'DELETE /users/:userId/preferences': '?notificationId=greeting',
  'GET /users/:userId/inbox/changes': '?since=0'
}

/** Answers of every route of a user, by method and pattern. */
async function askAll(id: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const { method, path, access } of app.routes) {
    // One notification needs its id.
    if (access !== 'user' || path.includes(':trackingId')) continue
    const name = `${method} ${path}`
    const short = name.replace('/:clientId', '')
    const body = OWN_BODIES[short] ?? BODIES[method]
    const address = path
      .replace(':clientId', CLIENT)
      .replace(':userId', encodeURIComponent(id))
      .replace(':topicId', TOPIC)
    const answer = await app.ask(`${address}${QUERIES[short] ?? ''}`, {
      headers: asUser(id),
      method,
      ...(body !== undefined && { body })
    })
    answers.set(name, answer)
  }
  assert.ok(answers.size >= 8)
  return answers
}

/** All of them are members at the beginning. */
const TOPIC = 'everybody'

const titles = (of: unknown): string[] => (of as { title: string }[]).map(({ title }) => title)

test('serves every route of a user for every id', { timeout: 60_000 }, async () => {
  const members = { body: JSON.stringify({ add: IDS }), headers: asBackEnd, method: 'PUT' }
  const added = await app.ask(`/${CLIENT}/topics/${TOPIC}/members`, members)
  assert.equal(added.json['added'], IDS.length, added.text)
  for (const id of IDS) {
    const sent = await send(id)
    assert.equal(sent.status, 200, `${id}: ${sent.text}`)
    const connected = await app.ask(`/${CLIENT}/users/${encodeURIComponent(id)}`, {
      body: JSON.stringify({ slackToken: { access_token: 'xoxb-1' } }),
      headers: asBackEnd,
      method: 'POST'
    })
    assert.equal(connected.status, 200, `${id}: ${connected.text}`)
  }
  for (const id of IDS) {
    const what = JSON.stringify(id)
    const answers = await askAll(id)
    // Joining a topic again makes a member.
    for (const [name, { status, text }] of answers)
      assert.equal(status, name.startsWith('PUT ') ? 201 : 200, `${name} ${what}: ${text}`)
    const { json: user } = answers.get('GET /:clientId/users/:userId')!
    assert.equal(user['id'], id)
    // Nobody else's, and exactly one.
    const { json: page } = answers.get('GET /:clientId/users/:userId/inbox')!
    assert.deepEqual(titles(page['items']), [`For ${id}`], what)
    const { json: changes } = answers.get('GET /:clientId/users/:userId/inbox/changes')!
    assert.deepEqual(titles(changes['items']), [`For ${id}`], what)
  }
})

test(
  'without percent-encoding the address is refused or means somebody else, never a 500',
  { timeout: 60_000 },
  async () => {
    for (const id of IDS) {
      if (/[^\x21-\x7e]/.test(id)) continue
      const { status } = await app.ask(`/${CLIENT}/users/${id}/inbox`, { headers: asUser(id) })
      assert.ok(status === 200 || (status >= 400 && status < 500), `${id}: ${status}`)
    }
  }
)

const vendorPath = (id: string): string =>
  `/?userId=${encodeURIComponent(id)}&envId=${CLIENT}&userIdHash=${encodeURIComponent(hashOf(id))}`

test('serves sockets of every kind for every id', { timeout: 60_000 }, async () => {
  for (const id of IDS) {
    const hello = { clientId: CLIENT, protocol: 1, userHash: hashOf(id), userId: id }
    const client = plainClient(app, '/ws?kit=1')
    client.socket.once('open', () => client.send('inbox/hello', hello))
    const io = socketIoClient(app, '', {}, { auth: hello })
    const vendor = plainClient(app, vendorPath(id))
    vendor.socket.once('open', () => vendor.send('inapp_web/unread_count'))
    await Promise.all([client.frames.route('inbox/head'), io.frames.route('inbox/head')])
    await vendor.frames.route('inapp_web/unread_count')
    assert.equal((await send(id)).status, 200)
    const heard = async (frames: Frames, route: string, key: string) =>
      titles((await frames.route(route)).payload[key])
    assert.deepEqual(await heard(client.frames, 'inbox/change', 'items'), [`For ${id}`])
    assert.deepEqual(await heard(io.frames, 'inbox/change', 'items'), [`For ${id}`])
    assert.equal((await heard(vendor.frames, 'inapp_web/new_notifications', 'notifications')).length, 1)
    for (const socket of [client, io, vendor]) socket.close()
  }
})

test(
  'an id of 256 characters is refused everywhere, and nothing is written',
  { timeout: 60_000 },
  async () => {
    const earlier = await contents(app)
    for (const id of TOO_LONG) {
      const sent = await send(id)
      assert.equal(sent.status, 422)
      assert.match(sent.text, /#\/to\/id/)
      for (const [name, { status, headers }] of await askAll(id)) {
        assert.equal(status, 400, name)
        assert.match(headers['content-type']!, /problem\+json/)
      }
      const hello = { clientId: CLIENT, protocol: 1, userHash: hashOf(id), userId: id }
      const client = plainClient(app, '/ws?kit=1')
      client.socket.once('open', () => client.send('inbox/hello', hello))
      const vendor = plainClient(app, vendorPath(id))
      const io = socketIoClient(app, '', {}, { auth: hello })
      assert.equal((await client.closed).code, 4401)
      assert.equal((await vendor.closed).code, 4401)
      assert.match((await io.refused).message, /handshake/)
    }
    assert.deepEqual(await contents(app), earlier)
  }
)

test('refuses ids with NUL and lone surrogates over sockets', { timeout: 60_000 }, async () => {
  for (const id of ['a\0b', 'a\ud800']) {
    const client = plainClient(app, '/ws?kit=1')
    const hello = { clientId: CLIENT, protocol: 1, userHash: hashOf(id), userId: id }
    client.socket.once('open', () => client.send('inbox/hello', hello))
    assert.equal((await client.closed).code, 4401)
    const { status } = await app.ask(`/${CLIENT}/users/a%00b/inbox`, { headers: asUser('a\0b') })
    assert.equal(status, 400)
  }
  for (const broken of ['%', '%zz', '%ff', '%ed%a0%80', '%c0%80']) {
    const { status, headers } = await app.ask(`/${CLIENT}/users/${broken}/inbox`, { headers: asUser(broken) })
    assert.equal(status, 400, broken)
    assert.match(headers['content-type']!, /problem\+json/)
  }
})
