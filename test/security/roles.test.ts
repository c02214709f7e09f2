// Every route with every role: who may call it with a session, and that a session without the proof of its page may write nowhere.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { ROLES, rolesOf, type Role } from '../../server/http/roles.ts'
import type { Route } from '../../server/http/route.ts'
import { asAdmin, CLIENT, contents, startApp, WITH_OIDC, type Answer, type TestApp } from './app.ts'

type Headers = Readonly<Record<string, string>>

const ID = '01937f6e-0000-7000-8000-000000000000'

const PARAMS: Headers = {
  ':channel': 'INAPP_WEB',
  ':clientId': CLIENT,
  ':id': 'comment',
  ':memberId': ID,
  ':partialId': 'brand',
  ':sessionId': ID,
  ':subId': 'project-1',
  ':trackingId': ID,
  ':userId': 'u1'
}

/** What each role may write beside `admin`; everything else that it may call only reads. A new route stands here before it may exist. */
const WRITES: Readonly<Record<Exclude<Role, 'admin'>, readonly string[]>> = {
  viewer: [],
  support: [
    'DELETE /:clientId/topics/:topicId',
    'DELETE /:clientId/users/:userId',
    'DELETE /:clientId/users/:userId/preferences',
    'DELETE /:clientId/users/:userId/topics/:topicId',
    'PATCH /:clientId/users/:userId',
    'PATCH /:clientId/users/:userId/inbox',
    'PATCH /:clientId/users/:userId/inbox/:trackingId',
    'PATCH /:clientId/users/:userId/notifications/INAPP_WEB',
    'PATCH /:clientId/users/:userId/preferences',
    'POST /:clientId/logs/:trackingId/resend',
    'POST /:clientId/sender/retract',
    'POST /:clientId/user_preferences/:userId',
    'POST /:clientId/users/:userId',
    'POST /:clientId/users/:userId/inbox/:trackingId/actions/:actionId',
    'POST /:clientId/users/:userId/preferences',
    'POST /:clientId/users/:userId/tasks',
    'POST /:clientId/users/:userId/tasks/:taskId/stop',
    'PUT /:clientId/topics/:topicId',
    'PUT /:clientId/topics/:topicId/members',
    'PUT /:clientId/users/:userId/topics/:topicId'
  ],
  editor: [
    'DELETE /:clientId/layouts/:partialId',
    'DELETE /:clientId/notifications/:id',
    'DELETE /:clientId/notifications/:id/subNotifications/:subId',
    'DELETE /:clientId/notifications/:id/templates/:channel',
    'DELETE /:clientId/notifications/:id/templates/:channel/:templateId',
    'DELETE /:clientId/partials/:partialId',
    'POST /:clientId/broadcasts',
    'POST /:clientId/broadcasts/:broadcastId/pause',
    'POST /:clientId/broadcasts/:broadcastId/resume',
    'POST /:clientId/broadcasts/:broadcastId/retract',
    'POST /:clientId/broadcasts/:broadcastId/stop',
    'PUT /:clientId/layouts/:partialId',
    'POST /:clientId/notifications/:id/publish',
    'PUT /:clientId/notifications/:id',
    'PUT /:clientId/notifications/:id/draft',
    'PUT /:clientId/notifications/:id/subNotifications/:subId',
    'PUT /:clientId/notifications/:id/templates/:channel',
    'PUT /:clientId/notifications/:id/templates/:channel/:templateId',
    'PUT /:clientId/partials/:partialId'
  ]
}

/** Routes of operators that a role may call beside `admin`. */
const OPERATORS = new Set(['GET /queues'])

/** Of the own session, so for every role. */
const OWN = new Set([
  'DELETE /operators/session',
  'DELETE /operators/sessions',
  'DELETE /operators/sessions/:sessionId'
])

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const isReading = ({ doc, method }: Route): boolean => method === 'GET' || doc?.reads === true

let app: TestApp
before(async () => {
  app = await startApp(WITH_OIDC)
})
after(() => app[Symbol.asyncDispose]())

/** Routes on which a session counts. */
const routes = (): readonly Route[] =>
  app.routes.filter(({ access, aliasOf }) => access !== 'anyone' && aliasOf === undefined)
const writing = (): readonly Route[] => routes().filter(({ method }) => method !== 'GET')

/** With a body that no route takes, so that an allowed call writes nothing. */
const ask = ({ method, path }: Route, headers: Headers): Promise<Answer> =>
  app.ask(
    path.replaceAll(/:\w+/g, name => PARAMS[name] ?? ID),
    { headers, method, ...(method !== 'GET' && method !== 'DELETE' && { body: '"no body"' }) }
  )

describe('every role may call its routes, and no other', () => {
  for (const role of ROLES) {
    test(role, { timeout: 120_000 }, async () => {
      const allowed: string[] = []
      for (const route of routes()) {
        const { json, status, text } = await ask(route, await app.signIn(role))
        assert.notEqual(status, 401, nameOf(route))
        assert.ok(status < 500, `${nameOf(route)}: ${status} ${text}`)
        const isRefused = status === 403
        assert.equal(!isRefused, rolesOf(route).includes(role), nameOf(route))
        if (!isRefused) allowed.push(nameOf(route))
        else
          assert.match(
            String(json['detail']),
            new RegExp(`^Your role is ${role}\\. This call needs the role`)
          )
      }
      if (role === 'admin') return assert.deepEqual(allowed, routes().map(nameOf))
      const expected = routes().filter(
        route =>
          (isReading(route) && (route.access !== 'admin' || OPERATORS.has(nameOf(route)))) ||
          OWN.has(nameOf(route)) ||
          WRITES[role].includes(nameOf(route))
      )
      assert.deepEqual(allowed, expected.map(nameOf))
      assert.deepEqual(
        WRITES[role].filter(name => !allowed.includes(name)),
        []
      )
    })
  }
})

test('addresses in the log are masked for viewers and keys that only read', async () => {
  const body = JSON.stringify({
    email: { html: 'x', subject: 'x' },
    to: { email: 'amara@heron.example', id: 'u1' },
    type: 'x'
  })
  const sent = await app.ask(`/${CLIENT}/sender`, { body, headers: asAdmin, method: 'POST' })
  const id = String(sent.json['trackingId'])
  await app.queues.idle('EMAIL')
  const key = async (scopes: readonly string[]): Promise<Headers> => {
    const asked = { body: JSON.stringify({ name: 'x', scopes }), headers: asAdmin, method: 'POST' }
    const { json } = await app.ask(`/environments/${CLIENT}/keys`, asked)
    return { authorization: `Bearer ${String(json['key'])}` }
  }
  const callers: readonly (readonly [Headers, boolean])[] = [
    [await app.signIn('viewer'), true],
    [await key(['read']), true],
    [await app.signIn('support'), false],
    [await app.signIn('editor'), false],
    [await key(['all']), false],
    [asAdmin, false]
  ]
  for (const [headers, isMasked] of callers) {
    for (const path of [`logs/${id}`, `logs/${id}/explain`, 'logs/query']) {
      const asked = path.endsWith('query') ? { body: '{}', method: 'POST' } : {}
      const { status, text } = await app.ask(`/${CLIENT}/${path}`, { ...asked, headers })
      assert.equal(status, 200, text)
      assert.equal(text.includes('amara@heron.example'), !isMasked, path)
      assert.equal(text.includes('a…@heron.example'), isMasked, path)
    }
  }
})

describe('a page without the proof that it is of this server', () => {
  const wrong: Readonly<Record<string, (right: Headers) => Headers>> = {
    'no token': ({ cookie, origin }) => ({ cookie: cookie!, origin: origin! }),
    'an empty token': right => ({ ...right, 'x-csrf-token': '' }),
    'a wrong token': right => ({ ...right, 'x-csrf-token': 'A'.repeat(43) }),
    'no origin': ({ cookie, 'x-csrf-token': token }) => ({ cookie: cookie!, 'x-csrf-token': token! }),
    'a foreign origin': right => ({ ...right, origin: 'https://evil.example' }),
    'the origin null': right => ({ ...right, origin: 'null' }),
    'the own origin as a part': right => ({ ...right, origin: `${right['origin']}.evil.example` }),
    'a request from another site': right => ({ ...right, 'sec-fetch-site': 'cross-site' }),
    'a request from another host of the site': right => ({ ...right, 'sec-fetch-site': 'same-site' })
  }

  for (const [name, spoil] of Object.entries(wrong)) {
    test(`writes nowhere: ${name}`, { timeout: 120_000 }, async () => {
      const right = await app.signIn('admin')
      const earlier = await contents(app)
      for (const route of writing()) {
        const { json, status } = await ask(route, spoil(right))
        assert.equal(status, 403, nameOf(route))
        assert.match(String(json['detail']), /^(?:X-CSRF-Token is|With a session, only pages)/, nameOf(route))
      }
      assert.deepEqual(await contents(app), earlier)
    })
  }

  test('the token of another session counts as wrong', async () => {
    const [one, other] = [await app.signIn('admin'), await app.signIn('editor')]
    const mixed = { ...one, 'x-csrf-token': other['x-csrf-token']! }
    for (const route of writing()) assert.equal((await ask(route, mixed)).status, 403, nameOf(route))
  })

  test('reads with the cookie alone, but not from other sites', async () => {
    const { cookie } = await app.signIn('viewer')
    const read = (more: Headers) => app.ask(`/${CLIENT}/users`, { headers: { cookie: cookie!, ...more } })
    assert.equal((await read({})).status, 200)
    assert.equal((await read({ 'sec-fetch-site': 'same-origin' })).status, 200)
    assert.equal((await read({ 'sec-fetch-site': 'none' })).status, 200)
    for (const site of ['cross-site', 'same-site']) {
      assert.equal((await read({ 'sec-fetch-site': site })).status, 403)
    }
    assert.equal((await read({ origin: 'https://evil.example' })).status, 403)
  })
})

describe('a session that counts nowhere', () => {
  const refusedEverywhere = async (headers: Headers): Promise<void> => {
    for (const route of routes()) assert.equal((await ask(route, headers)).status, 401, nameOf(route))
  }
  const session = async (headers: Headers) => (await app.ask('/operators/session', { headers })).json

  test('signed out', { timeout: 60_000 }, async () => {
    const headers = await app.signIn('support')
    assert.equal((await app.ask('/operators/session', { headers, method: 'DELETE' })).status, 204)
    await refusedEverywhere(headers)
  })

  test('of a blocked member', { timeout: 60_000 }, async () => {
    const headers = await app.signIn('editor')
    const { id } = (await session(headers))['member'] as { id: string }
    const asked = { body: '{"blocked":true}', headers: asAdmin, method: 'PATCH' }
    assert.equal((await app.ask(`/operators/members/${id}`, asked)).status, 200)
    await refusedEverywhere(headers)
    await assert.rejects(app.signIn('editor'), 'signs in again')
    const allowed = { ...asked, body: '{"blocked":false}' }
    assert.equal((await app.ask(`/operators/members/${id}`, allowed)).status, 200)
    assert.equal((await app.ask('/operators/session', { headers })).status, 401)
    assert.equal((await app.ask('/operators/session', { headers: await app.signIn('editor') })).status, 200)
  })

  test('beside another credential, which wins', async () => {
    const headers = await app.signIn('admin')
    for (const authorization of ['', 'Bearer wrong', 'Basic eA==']) {
      await assert.doesNotReject(async () => {
        const { status } = await app.ask('/audit', { headers: { ...headers, authorization } })
        assert.equal(status, 401)
      })
    }
    assert.equal((await app.ask('/operators/session', { headers: { ...headers, ...asAdmin } })).status, 401)
    assert.equal((await app.ask('/audit', { headers: { ...headers, ...asAdmin } })).status, 200)
  })
})
