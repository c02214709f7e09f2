// API keys: made once, valid in their scopes and their environment alone, and refused after they are revoked or expired.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { openApiKeys } from '../../server/environments/api-keys/api-keys.ts'
import { readKeyHash } from '../../server/http/api-key.ts'
import type { Route } from '../../server/http/route.ts'
import { scopesOf, SCOPES, type Scope } from '../../server/http/scopes.ts'
import {
  asAdmin,
  asBackEnd,
  basic,
  CLIENT,
  hashOf,
  OTHER,
  startApp,
  type Answer,
  type TestApp
} from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

interface Created {
  readonly id: string
  readonly key: string
}

const post = (body: unknown, headers = {}): Promise<Answer> =>
  app.ask(`/environments/${CLIENT}/keys`, {
    body: JSON.stringify(body),
    headers: { ...asAdmin, ...headers },
    method: 'POST'
  })

async function create(scopes: readonly Scope[], more: object = {}): Promise<Created> {
  const { json, status, text } = await post({ name: 'Billing', scopes, ...more })
  assert.equal(status, 201, text)
  return { id: json['id'] as string, key: json['key'] as string }
}

const bearer = ({ key }: Pick<Created, 'key'>) => ({ authorization: `Bearer ${key}` })

const send = (headers: Readonly<Record<string, string>>, clientId = CLIENT): Promise<Answer> =>
  app.ask(`/${clientId}/sender`, {
    body: JSON.stringify({ inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 'greeting' }),
    headers,
    method: 'POST'
  })

const listed = async (): Promise<Record<string, unknown>[]> =>
  (await app.ask(`/environments/${CLIENT}/keys?count=200`, { headers: asAdmin })).json['keys'] as never

test('a key sends as a bearer token and in place of the client secret', async () => {
  const created = await create(['send'])
  assert.equal((await send(bearer(created))).status, 200)
  assert.equal((await send(basic(`${CLIENT}:${created.key}`))).status, 200)
})

test('the key stands in one answer, and nowhere else', async () => {
  const headers = { 'idempotency-key': 'one key' }
  const body = { name: 'Once', scopes: ['send'] }
  const first = await post(body, headers)
  const again = await post(body, headers)
  const key = first.json['key'] as string
  assert.match(key, /^nk_[\w-]{43}$/)
  assert.equal(again.json['id'], first.json['id'])
  assert.ok(!again.text.includes(key))
  assert.equal(first.json['start'], key.slice(0, 8))
  await send(bearer({ key }))
  assert.ok(!JSON.stringify(await listed()).includes(key))
  assert.ok(!app.log().includes(key))
  const tables = await app.db.control<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`
  for (const { name } of tables) {
    const [row] = await app.db.control<{ found: boolean }[]>`
      select exists (select 1 from ${app.db.control(name)} t where t::text like ${`%${key}%`}) as found`
    assert.equal(row?.found, false, name)
  }
})

describe('scopes', () => {
  const EXAMPLES: Readonly<Record<string, string>> = {
    ':actionId': 'approve',
    ':channel': 'INAPP_WEB',
    ':clientId': CLIENT,
    ':erasureId': '01937f6e-0000-7000-8000-000000000000',
    ':letterId': '01937f6e-0000-7000-8000-000000000000',
    ':partialId': 'brand',
    ':subId': 'project-1',
    ':templateId': 'short',
    ':trackingId': '01937f6e-0000-7000-8000-000000000000',
    ':userId': 'u1'
  }
  const nameOf = ({ method, path }: Route): string => `${method} ${path}`

  /** Routes on which an environment's credentials count, without the aliases, whose token names the environment. */
  const routes = (): readonly Route[] =>
    app.routes.filter(
      ({ access, aliasOf, path }) =>
        (access === 'back-end' || access === 'user') && aliasOf === undefined && path.startsWith('/:clientId')
    )

  /** A body that no route takes, so that an allowed call writes nothing. */
  async function allowed(scope: Scope): Promise<string[]> {
    const headers = bearer(await create([scope]))
    const names: string[] = []
    for (const route of routes()) {
      const path = route.path.replaceAll(/:\w+/g, name => EXAMPLES[name] ?? 'x')
      const { status, text } = await app.ask(path, {
        headers,
        method: route.method,
        ...(route.method !== 'GET' && { body: '"no body"' })
      })
      assert.notEqual(status, 401, nameOf(route))
      assert.ok(status < 500, `${nameOf(route)}: ${status} ${text}`)
      if (status !== 403) names.push(nameOf(route))
      else assert.match(text, new RegExp(`has the scope ${scope}\\. This call needs `))
    }
    return names
  }

  test('send: sends, retracts and schedules, and refuses everything else', async () => {
    assert.deepEqual((await allowed('send')).toSorted(), [
      'DELETE /:clientId/schedule/:trackingId',
      'PATCH /:clientId/schedule/:trackingId',
      'POST /:clientId/broadcasts',
      'POST /:clientId/broadcasts/:broadcastId/pause',
      'POST /:clientId/broadcasts/:broadcastId/resume',
      'POST /:clientId/broadcasts/:broadcastId/retract',
      'POST /:clientId/broadcasts/:broadcastId/stop',
      'POST /:clientId/logs/:trackingId/resend',
      'POST /:clientId/sender',
      'POST /:clientId/sender/retract',
      'PUT /:clientId/schedule/:trackingId'
    ])
  })

  test('read: every GET, and the five that only ask', async () => {
    const reading = routes().filter(({ method }) => method === 'GET')
    assert.ok(reading.length > 20)
    const expected = [
      ...reading.map(nameOf),
      'POST /:clientId/broadcasts/estimate',
      'POST /:clientId/logs/live',
      'POST /:clientId/logs/query',
      'POST /:clientId/notifications/:id/preview',
      'POST /:clientId/simulate'
    ]
    assert.deepEqual((await allowed('read')).toSorted(), expected.toSorted())
  })

  test('types and users: read and write their own', async () => {
    const types = await allowed('types')
    assert.ok(types.includes('PUT /:clientId/notifications/:id'))
    assert.ok(types.includes('GET /:clientId/layouts'))
    const users = await allowed('users')
    assert.ok(users.includes('PATCH /:clientId/users/:userId/inbox'))
    assert.ok(users.includes('GET /:clientId/users/:userId/export'))
    for (const name of [
      'POST /:clientId/sender',
      'POST /:clientId/logs/query',
      'GET /:clientId/dead-letters'
    ]) {
      assert.ok(!types.includes(name) && !users.includes(name), name)
    }
    assert.deepEqual(
      types.filter(name => users.includes(name)),
      []
    )
  })

  test('all: every route of the environment', async () => {
    assert.deepEqual(await allowed('all'), routes().map(nameOf))
  })

  test('no scope opens routes of operators, and none signs a user hash', async () => {
    const headers = bearer(await create(['all']))
    for (const path of ['/environments', `/environments/${CLIENT}/keys`, '/audit', '/queues']) {
      assert.equal((await app.ask(path, { headers })).status, 401, path)
    }
    const { key } = await create(['all'])
    const forged = basic(`${CLIENT}:u1:${key}`)
    assert.equal((await app.ask(`/${CLIENT}/users/u1/inbox`, { headers: forged })).status, 401)
  })

  test('a route that writes and is not in the reference needs all', () => {
    assert.deepEqual(scopesOf({ method: 'POST' }), ['all'])
    assert.deepEqual(scopesOf({ method: 'GET' }), ['read', 'all'])
  })
})

describe('refuses', () => {
  test('the key of another environment, as a wrong secret', async () => {
    const created = await create([...SCOPES])
    for (const headers of [bearer(created), basic(`${OTHER}:${created.key}`)]) {
      assert.equal((await send(headers, OTHER)).status, 401)
    }
    assert.equal((await send(bearer(created), 'unknown')).status, 401)
  })

  test('a revoked key immediately, and shows who made it and when it was used', async () => {
    const created = await create(['send'])
    assert.equal((await send(bearer(created))).status, 200)
    const gone = await app.ask(`/environments/${CLIENT}/keys/${created.id}`, {
      headers: asAdmin,
      method: 'DELETE'
    })
    assert.equal(gone.status, 204)
    assert.equal((await send(bearer(created))).status, 401)
    const row = (await listed()).find(({ id }) => id === created.id)
    assert.match(String(row?.['createdBy']), /^admin:[0-9a-f]{8}$/)
    assert.ok(row?.['revokedAt'] !== undefined && row['lastUsedAt'] !== undefined)
  })

  test('a revoked key on other nodes within seconds', async () => {
    let now = Date.now()
    const elsewhere = openApiKeys(app.db, () => now)
    const created = await create(['send'])
    const keyHash = readKeyHash(bearer(created).authorization)!
    assert.equal((await elsewhere.find(keyHash))?.name, 'Billing')
    await app.ask(`/environments/${CLIENT}/keys/${created.id}`, { headers: asAdmin, method: 'DELETE' })
    assert.equal((await elsewhere.find(keyHash))?.name, 'Billing', 'from the cache')
    now += 10_001
    assert.equal(await elsewhere.find(keyHash), undefined)
  })

  test('an expired key, also if the cache has it', async () => {
    let now = Date.now()
    const created = await create(['send'], { expiresInDays: 1 })
    const here = openApiKeys(app.db, () => now)
    const keyHash = readKeyHash(bearer(created).authorization)!
    assert.equal((await here.find(keyHash))?.name, 'Billing')
    now += 2 * 86_400_000
    assert.equal(await here.find(keyHash), undefined)
    await app.db
      .control`update api_keys set expires_at = now() - interval '1 second' where id = ${created.id}`
    assert.equal((await send(bearer(created))).status, 401)
  })

  test('keys that are wrong in one character, or no keys', async () => {
    const { key } = await create(['all'])
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    for (const text of [wrong, key.slice(0, -1), `${key}A`, key.toLowerCase(), 'nk_', '']) {
      assert.equal((await send({ authorization: `Bearer ${text}` })).status, 401, text)
      assert.equal((await send(basic(`${CLIENT}:${text}`))).status, 401, text)
    }
  })

  test('wrong fields, by their name, and more than 200 keys', async () => {
    const { json, status } = await post({ name: '', scopes: ['write'], colour: 'red' })
    assert.equal(status, 422)
    const pointers = (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)
    assert.deepEqual(pointers.toSorted(), ['#/colour', '#/name', '#/scopes/0'])
    await app.db.control`
      insert into api_keys (id, env_id, name, scopes, hash, start, created_by)
      select gen_random_uuid(), ${OTHER}, 'x', '{send}', decode(md5(n::text), 'hex'), 'nk_', 'x'
      from generate_series(1, 200) as n`
    const full = await app.ask(`/environments/${OTHER}/keys`, {
      body: JSON.stringify({ name: 'x', scopes: ['send'] }),
      headers: asAdmin,
      method: 'POST'
    })
    assert.equal(full.status, 409)
    assert.equal((await app.ask(`/environments/unknown/keys`, { headers: asAdmin })).status, 404)
  })

  test('back ends and users that ask for keys', async () => {
    for (const headers of [asBackEnd, basic(`${CLIENT}:u1:${hashOf('u1')}`), {}]) {
      assert.equal((await app.ask(`/environments/${CLIENT}/keys`, { headers })).status, 401)
    }
  })
})

test('guessed keys cost one statement for all that wait', async () => {
  const keys = openApiKeys(app.db, Date.now)
  const hashes = Array.from({ length: 500 }, (_, n) => Buffer.alloc(32, n))
  const found = await Promise.all(hashes.map(hash => keys.find(hash)))
  assert.ok(found.every(key => key === undefined))
})
