// Mounted routes on a real server: addresses, methods, credentials, CORS, limits, errors and log lines.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { z } from 'zod'

import { openDb } from '../../server/db/db.ts'
import { userHash } from '../../server/http/auth.ts'
import { Problem } from '../../server/http/problem.ts'
import type { Doc } from '../../server/http/route-doc.ts'
import { route, type Route } from '../../server/http/route.ts'
import {
  ADMIN_TOKEN,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  SECRET,
  serve,
  type Served
} from './serve.ts'

const boom = Object.assign(new Error('secret detail of the inside'), { code: 'XX000' })
const postgresError = (code: string) => Object.assign(new Error('inside'), { code })

const readUserDoc: Doc = {
  examples: [{ name: 'A user', status: 200 }],
  operationId: 'readUser',
  query: z.object({ q: z.string() }),
  summary: 'Read a user',
  tag: 'users'
}

const routes: Route[] = [
  route('GET', '/open', 'anyone', async () => ({ body: { ok: true }, status: 200 })),
  route('GET', '/page', 'anyone', async () => ({
    body: '<!doctype html><p>hello</p>',
    headers: { 'content-type': 'text/html; charset=utf-8' },
    status: 200
  })),
  route('GET', '/operator', 'admin', async () => ({ body: { ok: true }, status: 200 })),
  route('POST', '/:clientId/echo', 'back-end', async ({ body, env }) => ({
    body: { body, env: env.id },
    status: 200
  })),
  route('PUT', '/:clientId/echo', 'back-end', async () => ({ status: 204 })),
  route('POST', '/:clientId/fail/:code', 'back-end', async ({ params }) => {
    if (params['code'] === 'boom') throw boom
    if (params['code'] === 'problem') throw new Problem('conflict', 'Already there.')
    throw postgresError(params['code']!)
  }),
  route('GET', '/:clientId/users/:userId', 'user', readUserDoc, async ({ userId, bucket, query }) => ({
    body: { bucket, q: query.get('q'), userId },
    status: 200
  })),
  route('PATCH', '/:clientId/users/:userId', 'user', async ({ body }) => ({ body: { body }, status: 200 }))
]

let server: Served
before(async () => {
  server = await serve(() => routes)
})
after(() => server[Symbol.asyncDispose]())

const user = (id: string) => `/${CLIENT}/users/${encodeURIComponent(id)}`
const status = async (path: string, init?: RequestInit) => (await server.fetch(path, init)).status

interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  message: string
  messages: string[]
}
const problem = async (response: Response): Promise<ProblemBody> => {
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  return (await response.json()) as ProblemBody
}

describe('addresses', () => {
  test('serves a path with and without a trailing slash', async () => {
    for (const path of ['/open', '/open/', user('u1'), `${user('u1')}/`]) {
      assert.equal(await status(path, { headers: asUser('u1') }), 200, path)
    }
  })

  test('answers an unknown address with a problem that legacy clients can read', async () => {
    const response = await server.fetch('/nowhere/at/all')
    assert.equal(response.status, 404)
    const body = await problem(response)
    assert.equal(body.type, '/problems#not-found')
    assert.equal(body.message, body.detail)
    assert.deepEqual(body.messages, [body.detail])
    assert.match(body.instance, /^\/requests\/[0-9a-f-]{36}$/)
    assert.equal(body.instance, `/requests/${response.headers.get('x-request-id')}`)
  })

  test('lists the methods in the answer to an unknown one', async () => {
    const response = await server.fetch(`/${CLIENT}/echo`, { headers: asBackEnd, method: 'DELETE' })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'POST, PUT, OPTIONS')
    await problem(response)
  })

  test('answers 400 to a malformed percent encoding', async () => {
    for (const path of [
      `/${CLIENT}/users/%`,
      `/${CLIENT}/users/%zz`,
      `/${CLIENT}/users/%ff`,
      `/${CLIENT}/users/%ed%a0%80`
    ]) {
      const response = await server.fetch(path, { headers: asUser('%') })
      assert.equal(response.status, 400, path)
      assert.equal((await problem(response)).type, '/problems#invalid-address')
    }
  })

  test('accepts user ids of 1 to 255 characters', async () => {
    for (const id of [
      'a:b',
      ':',
      'a/b',
      '100%',
      '%41',
      'ünï',
      '日本',
      '😀'.repeat(255),
      'x'.repeat(255),
      'a b',
      'a+b',
      'line\nfeed',
      '__proto__'
    ]) {
      const response = await server.fetch(`${user(id)}?q=%26`, { headers: asUser(id) })
      assert.equal(response.status, 200, id)
      const body = (await response.json()) as { userId: string; q: string }
      assert.equal(body.userId, id)
      assert.equal(body.q, '&')
    }
    for (const id of ['x'.repeat(256), '😀'.repeat(256), 'a\0b', '\0']) {
      assert.equal(await status(user(id), { headers: asUser(id) }), 400, JSON.stringify(id))
      assert.equal(await status(user(id), { headers: asBackEnd }), 400, JSON.stringify(id))
    }
  })
})

describe('credentials', () => {
  const hash = userHash(SECRET, 'u1')
  const tests: [string, string, Record<string, string>, number][] = [
    ['none', user('u1'), {}, 401],
    ['the right hash', user('u1'), basic(`${CLIENT}:u1:${hash}`), 200],
    ['a hash with a line end', user('u1'), basic(`${CLIENT}:u1:${hash}\n`), 200],
    ['BASIC', user('u1'), { authorization: asUser('u1')['authorization']!.replace('Basic', 'BASIC') }, 200],
    ['the secret', user('u1'), asBackEnd, 200],
    ['no hash in secure mode', user('u1'), basic(`${CLIENT}:u1`), 401],
    ['an empty hash in secure mode', user('u1'), basic(`${CLIENT}:u1:`), 401],
    ['the word undefined in secure mode', user('u1'), basic(`${CLIENT}:u1:undefined`), 401],
    ['a truncated hash', user('u1'), basic(`${CLIENT}:u1:${hash.slice(0, -1)}`), 401],
    ['a hash with more', user('u1'), basic(`${CLIENT}:u1:${hash}x`), 401],
    ['a hash in other case', user('u1'), basic(`${CLIENT}:u1:${hash.toLowerCase()}`), 401],
    ["another user's hash", user('u1'), basic(`${CLIENT}:u1:${userHash(SECRET, 'u2')}`), 401],
    ["another user's path", user('u2'), asUser('u1'), 401],
    ['a path that continues the id', user('u1:x'), asUser('u1'), 401],
    ['another environment in the path', `/${OTHER}/users/u1`, asUser('u1'), 401],
    ['another environment in the token', user('u1'), basic(`${OTHER}:${OTHER_SECRET}`), 401],
    ['an unknown environment', '/nobody/users/u1', basic(`nobody:u1:${hash}`), 401],
    ['an unknown environment without hash', '/nobody/users/u1', basic('nobody:u1'), 401],
    ['Latin-1', user('é'), basic(`${CLIENT}:é:${userHash(SECRET, 'é')}`, 'latin1'), 200],
    ['UTF-8', user('é'), basic(`${CLIENT}:é:${userHash(SECRET, 'é')}`), 200],
    [
      'letters that Latin-1 would cut',
      user('ā'),
      basic(`${CLIENT}:\u0001:${userHash(SECRET, 'ā')}`, 'latin1'),
      401
    ],
    ['a colon in the id', user('a:b'), asUser('a:b'), 200],
    ['the id up to its colon', user('a'), asUser('a:b'), 401],
    ['form encoding of a space', `/${CLIENT}/users/a+b`, asUser('a b'), 200],
    ['nothing but a colon', user('u1'), basic(':'), 401],
    ['no colon', user('u1'), basic(CLIENT), 401],
    ['not base64', user('u1'), { authorization: 'Basic ***' }, 401],
    ['a bearer token', user('u1'), { authorization: `Bearer ${SECRET}` }, 401],
    ['secure mode off: no hash', `/${OTHER}/users/u1`, basic(`${OTHER}:u1`), 200],
    ['secure mode off: empty hash', `/${OTHER}/users/u1`, basic(`${OTHER}:u1:`), 200],
    ['secure mode off: undefined', `/${OTHER}/users/u1`, basic(`${OTHER}:u1:undefined`), 200],
    ['secure mode off: wrong hash', `/${OTHER}/users/u1`, basic(`${OTHER}:u1:${hash}`), 401],
    ['secure mode off: a longer id', `/${OTHER}/users/u1`, basic(`${OTHER}:u12`), 401],
    ["secure mode off: another user's path", `/${OTHER}/users/u2`, basic(`${OTHER}:u1`), 401]
  ]
  for (const [name, path, headers, expected] of tests) {
    test(`front end: ${name}`, async () => {
      const response = await server.fetch(path, { headers })
      assert.equal(response.status, expected)
      if (expected === 401) {
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /)
        await problem(response)
      }
    })
  }

  test('back end: accepts only the secret, and the admin token', async () => {
    const path = `/${CLIENT}/echo`
    const ask = (headers: Record<string, string>) => status(path, { body: '{}', headers, method: 'POST' })
    assert.equal(await ask(asBackEnd), 200)
    assert.equal(await ask({ authorization: `Bearer ${ADMIN_TOKEN}` }), 200)
    for (const headers of [
      {},
      asUser('u1'),
      basic(`${CLIENT}:${SECRET}x`),
      basic(`${CLIENT}:${SECRET.slice(1)}`),
      basic(`${CLIENT}:`),
      basic(`${OTHER}:${OTHER_SECRET}`),
      basic(`${CLIENT}:${OTHER_SECRET}`),
      { authorization: `Bearer ${ADMIN_TOKEN}x` }
    ]) {
      assert.equal(await ask(headers), 401, JSON.stringify(headers))
    }
    assert.equal(await status('/nobody/echo', { headers: basic('nobody:x'), method: 'POST' }), 401)
  })

  test('operator: accepts only the token', async () => {
    const ask = (authorization: string) => status('/operator', { headers: { authorization } })
    assert.equal(await ask(`Bearer ${ADMIN_TOKEN}`), 200)
    assert.equal(await ask(`bearer ${ADMIN_TOKEN}`), 200)
    for (const wrong of [
      '',
      'Bearer',
      `Bearer ${ADMIN_TOKEN}x`,
      `Basic ${ADMIN_TOKEN}`,
      asBackEnd['authorization']!
    ]) {
      assert.equal(await ask(wrong), 401, wrong)
    }
  })

  test('answers wrong credentials and unknown environments alike', async () => {
    const read = async (path: string) => {
      const { instance, ...rest } = await problem(await server.fetch(path, { headers: basic(`x:y`) }))
      assert.ok(instance)
      return rest
    }
    assert.deepEqual(await read(`/nobody/users/u1`), await read(user('u1')))
  })
})

describe('pages of other origins', () => {
  const preflight = (path: string, origin: string) =>
    server.fetch(path, {
      headers: {
        'access-control-request-headers': 'authorization',
        'access-control-request-method': 'PATCH',
        origin
      },
      method: 'OPTIONS'
    })

  test('lists methods and authorization in a preflight answer', async () => {
    for (const path of [user('u1'), `${user('u1')}/`]) {
      const response = await preflight(path, 'https://a.example')
      assert.equal(response.status, 204)
      assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example')
      assert.match(response.headers.get('access-control-allow-headers')!, /\bauthorization\b/)
      assert.equal(response.headers.get('access-control-allow-methods'), 'GET, PATCH')
    }
    assert.equal(
      (await preflight(`/${OTHER}/users/u1`, 'https://any.example')).headers.get(
        'access-control-allow-origin'
      ),
      '*'
    )
  })

  test('adds CORS headers to errors', async () => {
    const response = await server.fetch(user('u1'), { headers: { origin: 'https://a.example' } })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example')
    assert.match(response.headers.get('access-control-expose-headers')!, /Retry-After/)
  })

  test('lets a page read that an address is unknown', async () => {
    const response = await server.fetch('/no/such/address', { headers: { origin: 'https://evil.example' } })
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
  })

  test('lets a page read that an address is malformed, with and without a preflight', async () => {
    const path = `/${CLIENT}/users/%`
    const first = await preflight(path, 'https://evil.example')
    assert.equal(first.status, 204)
    assert.match(first.headers.get('access-control-allow-headers')!, /\bauthorization\b/)
    const response = await server.fetch(path, { headers: { origin: 'https://evil.example' } })
    assert.equal(response.status, 400)
    for (const { headers } of [first, response]) assert.equal(headers.get('access-control-allow-origin'), '*')
  })

  test('answers the preflight of an unknown address', async () => {
    const response = await preflight('/no/such/address', 'https://evil.example')
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
    assert.match(response.headers.get('access-control-allow-headers')!, /\bauthorization\b/)
    assert.match(response.headers.get('access-control-allow-methods')!, /\bPATCH\b/)
    // Nobody's preflight: there is nothing to let through.
    assert.equal(await status('/no/such/address', { method: 'OPTIONS' }), 404)
  })

  test('adds no CORS headers for other origins and back-end routes', async () => {
    assert.equal(
      (await preflight(user('u1'), 'https://evil.example')).headers.get('access-control-allow-origin'),
      null
    )
    assert.equal(
      (await preflight(`/${CLIENT}/echo`, 'https://a.example')).headers.get('access-control-allow-origin'),
      null
    )
  })
})

describe('failures', () => {
  const fail = (code: string) =>
    server.fetch(`/${CLIENT}/fail/${code}`, { headers: asBackEnd, method: 'POST' })

  test('shows no internals of an unexpected error', async () => {
    const response = await fail('boom')
    assert.equal(response.status, 500)
    const text = await response.text()
    assert.doesNotMatch(text, /secret detail/)
    assert.match(server.log(), /secret detail/)
  })

  test('turns database errors into problems by their codes', async () => {
    const expected: Record<string, number> = {
      '08006': 503,
      '22003': 422,
      '22P05': 422,
      '25P03': 503,
      '40001': 503,
      '40P01': 503,
      '53100': 507,
      '53300': 503,
      '55P03': 503,
      '57014': 503,
      '57P01': 503,
      '58030': 503,
      CONNECTION_CLOSED: 503,
      EAI_AGAIN: 503,
      ECONNREFUSED: 503,
      EHOSTUNREACH: 503,
      EMFILE: 503,
      ENFILE: 503,
      ENETUNREACH: 503,
      problem: 409
    }
    for (const [code, number] of Object.entries(expected)) {
      const response = await fail(code)
      assert.equal(response.status, number, code)
      if (number >= 503) assert.ok(Number(response.headers.get('retry-after')) > 0, code)
      await problem(response)
    }
  })
})

test('answers 503 while the database is down, and 200 when it is back', async () => {
  const away = openDb({ connections: 1, listenUrl: '', url: 'postgres://nobody@127.0.0.1:9/none' })
  await using broken = await serve(db => [
    route('GET', '/away', 'anyone', async () => ({ body: await away.control`select 1`, status: 200 })),
    route('GET', '/cut', 'anyone', async () => ({
      body: await db.control`select pg_terminate_backend(pg_backend_pid())`,
      status: 200
    })),
    route('GET', '/slow', 'anyone', async () => ({
      body: await db.control.begin(async tx => {
        await tx`set local statement_timeout = 20`
        return tx`select pg_sleep(5)`
      }),
      status: 200
    })),
    route('GET', '/here', 'anyone', async () => ({ body: await db.control`select 1`, status: 200 }))
  ])
  for (const path of ['/away', '/cut', '/slow', '/away']) {
    const response = await broken.fetch(path)
    assert.equal(response.status, 503, path)
    assert.equal(response.headers.get('retry-after'), '5')
    assert.equal((await problem(response)).type, '/problems#unavailable')
    assert.equal((await broken.fetch('/here')).status, 200)
  }
  await away.close()
})

test('sets security headers, and does not name the framework', async () => {
  const page = await server.fetch('/page')
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  const json = await server.fetch('/open')
  assert.equal(json.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(json.headers.get('x-powered-by'), null)
  assert.equal(json.headers.get('etag'), null)
})

test('logs one line per request, without secrets', async () => {
  const line = server
    .log()
    .split('\n')
    .find(text => text.includes('"route":"/:clientId/echo"'))
  const { durationMs, envId, method, requestId, status } = JSON.parse(line!)
  assert.equal(envId, CLIENT)
  assert.equal(typeof durationMs, 'number')
  assert.ok(method && status && requestId)
  for (const secret of [
    SECRET,
    OTHER_SECRET,
    ADMIN_TOKEN,
    userHash(SECRET, 'u1'),
    asBackEnd['authorization']!.slice(6)
  ]) {
    assert.ok(!server.log().includes(secret), 'a secret was logged')
  }
  assert.ok(server.seen.some(seen => seen.route === '/:clientId/echo' && seen.seconds > 0))
})

test('limits front-end requests of one user, but not a back end', async () => {
  await using limited = await serve(() => routes, { NOTIF_REQUESTS_PER_SECOND: '3' })
  const ask = (headers: Record<string, string>) => limited.fetch(user('u1'), { headers })
  for (let i = 0; i < 10; i++) assert.equal((await ask(asBackEnd)).status, 200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(asUser('u1'))))
  const refused = answers.filter(answer => answer.status === 429)
  assert.ok(refused.length >= 20 - 2 * 3, `${refused.length} refused`)
  assert.equal(refused[0]!.headers.get('retry-after'), '1')
  assert.equal(refused[0]!.headers.get('ratelimit-policy'), '"requests";q=3;w=1')
  assert.equal((await ask(asBackEnd)).status, 200)
})

test('counts users with a valid hash apart from their address', async () => {
  await using limited = await serve(() => routes, { NOTIF_REQUESTS_PER_SECOND: '3' })
  const statuses = (headers: (id: string) => Record<string, string>) =>
    Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { status } = await limited.fetch(user(`u${i}`), { headers: headers(`u${i}`) })
        return status
      })
    )
  const wrong = await statuses(() => asUser('somebody else'))
  assert.ok(wrong.filter(status => status === 401).length <= 2 * 3, wrong.join())
  assert.deepEqual(new Set(await statuses(asUser)), new Set([200]))
})
