// Headers that clients, proxies and caches rely on: ETag, rate limits, request ids, methods.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import { changeSettings } from '../../server/environments/environments.sql.ts'
import { TITLES } from '../../server/http/problem.ts'
import { problemsRoutes } from '../../server/http/reference/route.ts'
import { route } from '../../server/http/route.ts'
import { asBackEnd, asUser, CLIENT, serve, type Served } from './serve.ts'

let calls = 0
let served: Served
const ITEMS = `/${CLIENT}/users/u1/items`
let items: readonly string[] = ['ö']

const arrived = Promise.withResolvers<void>()
const ended = Promise.withResolvers<void>()

const routes = [
  route('GET', '/:clientId/users/:userId/items', 'user', async () => {
    calls += 1
    return { body: { items }, status: 200 }
  }),
  route('GET', '/:clientId/users/:userId/text', 'user', async () => ({ body: 'text', status: 200 })),
  route('GET', '/open', 'anyone', async () => ({ body: { ok: true }, status: 200 })),
  route('DELETE', '/:clientId/users/:userId/items', 'user', async () => ({ status: 204 })),
  route('POST', '/:clientId/requests', 'back-end', async () => ({ body: {}, status: 200 })),
  {
    ...route('POST', '/:clientId/sends', 'back-end', async () => ({ body: {}, status: 200 })),
    counts: ['requests', 'sends'] as const
  },
  // Somebody leaves before the answer begins.
  route('GET', '/left', 'anyone', async ({ signal }) => {
    arrived.resolve()
    await once(signal, 'abort')
    return {
      async body(write: (text: string) => Promise<void>) {
        try {
          for (;;) await write('x'.repeat(65_536))
        } finally {
          ended.resolve()
        }
      },
      status: 200
    }
  }),
  ...problemsRoutes()
]

before(async () => {
  served = await serve(() => routes)
})
after(() => served[Symbol.asyncDispose]())

const read = (headers: Record<string, string> = {}, method = 'GET', path = ITEMS) =>
  served.fetch(path, { headers: { ...asUser('u1'), ...headers }, method })

describe('an ETag', () => {
  test('identifies the bytes, and 304 replaces an answer that the client has', async () => {
    const first = await read()
    const etag = first.headers.get('etag')!
    assert.match(etag, /^"[\w-]{22}"$/)
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    assert.deepEqual(await first.json(), { items: ['ö'] })
    const earlier = calls
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read({ 'if-none-match': known })
      assert.equal(again.status, 304, known)
      assert.equal(again.headers.get('etag'), etag)
      assert.equal(again.headers.get('cache-control'), 'private, no-cache')
      assert.equal(again.headers.get('content-type'), null)
      assert.equal(await again.text(), '')
    }
    assert.equal(calls, earlier + 4, 'something is computed twice')
    for (const known of ['"other"', etag.slice(1, -1), '', etag.toLowerCase().replaceAll(/[a-z]/g, 'x')]) {
      assert.equal((await read({ 'if-none-match': known })).status, 200, known)
    }
    items = ['ö', 'é']
    const changed = await read({ 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  test('is not sent without credentials', async () => {
    const etag = (await read()).headers.get('etag')!
    const answer = await served.fetch(ITEMS, { headers: { 'if-none-match': etag } })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('etag'), null)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  test('is the same for pages of other origins', async () => {
    const origin = { origin: 'https://a.example' }
    const etag = (await read(origin)).headers.get('etag')!
    const again = await read({ ...origin, 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal(again.headers.get('access-control-allow-origin'), 'https://a.example')
    assert.equal(again.headers.get('vary'), 'Origin')
    assert.match(again.headers.get('access-control-expose-headers')!, /\bETag\b/)
  })

  test('is missing on texts and open routes', async () => {
    assert.equal((await read({}, 'GET', `/${CLIENT}/users/u1/text`)).headers.get('etag'), null)
    assert.equal((await served.fetch('/open')).headers.get('etag'), null)
  })
})

describe('methods', () => {
  test('answers HEAD as GET without the body', async () => {
    const whole = await read()
    const head = await read({}, 'HEAD')
    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
    assert.equal((await served.fetch(ITEMS, { method: 'HEAD' })).status, 401)
  })

  test('lists methods in OPTIONS and 405, only at known paths', async () => {
    const expected = 'GET, DELETE, HEAD, OPTIONS'
    const options = await served.fetch(ITEMS, { method: 'OPTIONS' })
    assert.equal(options.status, 204)
    assert.equal(options.headers.get('allow'), expected)
    const wrong = await read({ origin: 'https://a.example' }, 'PUT')
    assert.equal(wrong.status, 405)
    assert.equal(wrong.headers.get('allow'), expected)
    assert.equal(wrong.headers.get('access-control-allow-origin'), 'https://a.example')
    assert.equal((await served.fetch(`/${CLIENT}/requests`, { method: 'HEAD' })).status, 405)
    assert.equal((await served.fetch('/nowhere', { method: 'OPTIONS' })).status, 404)
  })
})

describe('request ids', () => {
  test('appear in answer, problem and log if they are valid, and are replaced otherwise', async () => {
    const id = 'proxy-01.abc_DEF'
    const good = await read({ 'x-request-id': id })
    assert.equal(good.headers.get('x-request-id'), id)
    const wrong = await served.fetch(ITEMS, { headers: { 'x-request-id': id } })
    assert.equal(wrong.headers.get('x-request-id'), id)
    assert.equal(((await wrong.json()) as { instance: string }).instance, `/requests/${id}`)
    assert.ok(
      served
        .log()
        .split('\n')
        .filter(line => line.includes(`"requestId":"${id}"`)).length === 2
    )
    for (const bad of [
      'short',
      'x'.repeat(65),
      'with space in it',
      '"},{"level":60',
      'ümlaut-ümlaut',
      '../../etc'
    ]) {
      const answer = await read({ 'x-request-id': Buffer.from(bad).toString('latin1') })
      assert.match(answer.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/, bad)
    }
  })
})

test('links the type of every problem to its section of a page', async () => {
  const page = await (await served.fetch('/problems')).text()
  for (const slug of Object.keys(TITLES)) assert.ok(page.includes(`id="${slug}"`), slug)
})

describe('limits', () => {
  const post = (server: Served, path: string) =>
    server.fetch(`/${CLIENT}/${path}`, { headers: asBackEnd, method: 'POST' })

  test('tell a front end the remaining requests', async () => {
    await using limited = await serve(() => routes, { NOTIF_REQUESTS_PER_SECOND: '5' })
    const answer = await limited.fetch(ITEMS, { headers: asUser('u1') })
    assert.equal(answer.headers.get('ratelimit-policy'), '"requests";q=5;w=1')
    assert.equal(answer.headers.get('ratelimit'), '"requests";r=4;t=1')
    assert.equal(answer.headers.get('retry-after'), null)
  })

  test('do not exist for a back end by default', async () => {
    const answer = await post(served, 'requests')
    assert.equal(answer.headers.get('ratelimit'), null)
  })

  test('follow the setting, and the settings of an environment override it', async () => {
    await using limited = await serve(() => routes, { NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND: '3' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(limited, 'requests')))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 20 - 2 * 3 && refused.length < 20, `${refused.length} refused`)
    assert.equal(refused[0]!.headers.get('retry-after'), '1')
    assert.equal(refused[0]!.headers.get('ratelimit'), '"requests";r=0;t=1')
    assert.match(
      ((await refused[0]!.json()) as { detail: string }).detail,
      /^Rate limit of 3 \w+ per second for this environment exceeded/
    )
    // Back ends that act for users count alike.
    const acting = await limited.fetch(ITEMS, { headers: asBackEnd })
    assert.equal(acting.headers.get('ratelimit-policy'), '"requests";q=3;w=1')

    await using free = await serve(() => routes, { NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND: '3' })
    const settings = environmentSettings.parse({ limits: { requestsPerSecond: 1000, sendsPerSecond: 2 } })
    await free.db.control.begin(tx => changeSettings(tx, CLIENT, () => settings))
    const sends = await Promise.all(Array.from({ length: 12 }, () => post(free, 'sends')))
    const good = sends.filter(({ status }) => status === 200)
    assert.ok(good.length >= 2 && good.length <= 4, `${good.length} sent`)
    assert.equal(good[0]!.headers.get('ratelimit-policy'), '"requests";q=1000;w=1, "sends";q=2;w=1')
    assert.match(sends.find(({ status }) => status === 429)!.headers.get('ratelimit')!, /^"sends";r=0;t=1$/)
    // Other calls go on.
    assert.equal((await post(free, 'requests')).status, 200)
  })
})

test('ends a streamed answer if the client disconnected before it began', { timeout: 10_000 }, async () => {
  const leaving = new AbortController()
  const asked = served.fetch('/left', { signal: leaving.signal })
  await arrived.promise
  leaving.abort()
  await assert.rejects(asked)
  await ended.promise
})
