// Security headers: content security policies, CORS, and no information about the server software.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import {
  asBackEnd,
  asUser,
  CLIENT,
  hashOf,
  OTHER,
  PAGE,
  SECRET,
  startApp,
  type Answer,
  type TestApp
} from './app.ts'

const USER = 'u1'
const EVIL = 'https://evil.example'

let app: TestApp
let message = ''
before(async () => {
  app = await startApp()
  const sent = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify({
      email: { html: '<script>alert(1)</script><img src="https://tracker.example/1">', subject: 'Mail' },
      to: { email: 'u1@example.com', id: USER },
      type: 'mail'
    }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(sent.status, 200, sent.text)
  await app.queues.idle('EMAIL')
  const { json } = await app.ask(`/${CLIENT}/sandbox/messages`, { headers: asBackEnd })
  message = `/sandbox/messages/${(json['messages'] as { id: string }[])[0]!.id}/html`
})
after(() => app[Symbol.asyncDispose]())

test('sets nosniff and no-store on every answer, and names no software', async () => {
  for (const { method, path, access } of app.routes) {
    // What other tests look at must stay.
    const user = method === 'DELETE' ? 'u2' : USER
    const address = path.replace(':clientId', CLIENT).replace(':userId', user).replaceAll(/:\w+/g, 'EMAIL')
    for (const headers of [{}, asBackEnd, asUser(USER)]) {
      const { headers: said, status } = await app.ask(address, { headers, method })
      const what = `${method} ${path} ${status}`
      assert.equal(said['x-content-type-options'], 'nosniff', what)
      assert.equal(said['x-powered-by'], undefined, what)
      assert.equal(said['server'], undefined, what)
      assert.equal(said['set-cookie'], undefined, what)
      // Kept by nobody but the one who asked, and never used without asking again.
      const tagged = method === 'GET' && status === 200 && said['etag'] !== undefined
      const kept = tagged ? 'private, no-cache' : 'no-store'
      if (access !== 'anyone') assert.equal(said['cache-control'], kept, what)
      if (status !== 204) assert.match(said['content-type']!, /charset=utf-8$/, what)
      assert.match(String(said['x-request-id']), /^[0-9a-f-]{36}$/, what)
    }
  }
})

test('sets the same headers on errors', async () => {
  const addresses = [
    '/nowhere',
    '/a/b/c/d',
    `/${CLIENT}/users/%`,
    '/%00',
    '/notif.js/',
    '/../../etc/passwd',
    '/%2e%2e/server/main.ts',
    '/img/%00.svg',
    '/..%2f..%2fpackage.json',
    '/.env',
    '/demo/index.html'
  ]
  for (const address of addresses) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { headers, status, text } = await app.ask(address, { method })
      assert.ok(status >= 400 && status < 500, `${method} ${address}: ${status} ${text.slice(0, 100)}`)
      assert.match(headers['content-type']!, /^application\/problem\+json/, `${method} ${address}`)
      assert.equal(headers['x-content-type-options'], 'nosniff', address)
      assert.equal(headers['x-powered-by'], undefined, address)
    }
  }
})

/** Directives of a policy, by name. */
function policyOf({ headers }: Answer): Readonly<Record<string, string>> {
  const policy = headers['content-security-policy']
  assert.equal(typeof policy, 'string')
  return Object.fromEntries(
    String(policy)
      .split(';')
      .map(part => part.trim().split(/ (.*)/s))
      .filter(([name]) => name !== '')
      .map(([name, value = '']) => [name!, value])
  )
}

describe('policies of pages', () => {
  test('the demo page allows nothing inline and no other host, and requires trusted types', async () => {
    const page = await app.ask('/')
    assert.equal(page.status, 200)
    assert.deepEqual(policyOf(page), {
      'base-uri': "'none'",
      'connect-src': "'self'",
      'default-src': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'frame-src': "'none'",
      'img-src': `'self' https: ${app.url}`,
      'require-trusted-types-for': "'script'",
      'script-src': "'self'",
      'style-src': "'self'"
    })
    assert.equal(page.headers['cache-control'], 'no-store')
    // Only what belongs into a page: the hash of its own user.
    assert.ok(page.text.includes(hashOf('amara')))
    assert.ok(!page.text.includes(SECRET))
  })

  test('the sandbox allows its own script, and none in emails', async () => {
    const page = await app.ask('/sandbox')
    const policy = policyOf(page)
    assert.equal(policy['default-src'], "'none'")
    assert.equal(policy['script-src'], "'self'")
    assert.equal(policy['style-src'], "'self'")
    assert.equal(policy['frame-ancestors'], "'none'")
    assert.match(page.text, /<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/)
    for (const [query, pictures] of [
      ['', 'data:'],
      ['?images=1', 'data: https: http:']
    ] as const) {
      const mail = await app.ask(`${message}${query}`)
      assert.equal(mail.status, 200, mail.text)
      assert.deepEqual(policyOf(mail), {
        'base-uri': "'none'",
        'default-src': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'self'",
        'img-src': pictures,
        sandbox: 'allow-popups allow-popups-to-escape-sandbox',
        'style-src': "'unsafe-inline'"
      })
    }
  })

  test('no page may be framed by other sites, sniffed, or send a referrer', async () => {
    for (const path of ['/', '/sandbox', '/problems', message]) {
      const answer = await app.ask(path)
      const { headers } = answer
      assert.match(headers['content-type']!, /^text\/html; charset=utf-8$/, path)
      assert.match(policyOf(answer)['frame-ancestors']!, /^'(?:none|self)'$/, path)
      assert.match(policyOf(answer)['default-src']!, /^'none'$/, path)
      assert.doesNotMatch(policyOf(answer)['script-src'] ?? '', /unsafe/, path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN', path)
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path)
      assert.equal(headers['access-control-allow-origin'], undefined, path)
    }
  })

  test('the sandbox page escapes values of the query', async () => {
    const attack = '"><script>alert(1)</script>'
    const { status, text } = await app.ask(
      `/sandbox?user=${encodeURIComponent(attack)}&env=${encodeURIComponent(attack)}`
    )
    assert.equal(status, 200)
    assert.doesNotMatch(text, /<script>alert/)
    assert.match(text, /&lt;script&gt;alert/)
    for (const query of ['view=%22%3E', 'm=1', 'before=x', 'images=2', 'user=%00', 'env=%00']) {
      const refused = await app.ask(`/sandbox?${query}`)
      assert.equal(refused.status, 422, query)
      assert.match(refused.headers['content-type']!, /problem\+json/, query)
    }
  })
})

test('lets pages of any origin load the files of the kit', async () => {
  const { headers, status } = await app.ask('/notif.js', { headers: { origin: EVIL } })
  assert.equal(status, 200)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers['content-type']!, /^text\/javascript/)
})

const ofCors = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('other origins', () => {
  const inbox = (clientId: string): string => `/${clientId}/users/${USER}/inbox`
  const exposed = {
    'access-control-expose-headers':
      'Date, ETag, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id'
  }

  test('a listed origin may read front-end routes and errors, another one may not', async () => {
    for (const credentials of [asUser(USER), {}]) {
      const listed = await app.ask(inbox(CLIENT), { headers: { ...credentials, origin: PAGE } })
      assert.deepEqual(ofCors(listed), { 'access-control-allow-origin': PAGE, ...exposed })
      assert.match(listed.headers['vary']!, /Origin/)
      for (const origin of [EVIL, 'null', `${PAGE}.evil.example`, 'http://a.example', '']) {
        const other = await app.ask(inbox(CLIENT), { headers: { ...credentials, origin } })
        assert.deepEqual(ofCors(other), {}, origin)
        assert.match(other.headers['vary']!, /Origin/)
      }
      const open = await app.ask(inbox(OTHER), { headers: { ...credentials, origin: EVIL } })
      assert.deepEqual(ofCors(open), { 'access-control-allow-origin': '*', ...exposed })
    }
  })

  test('no origin may send cookies or read other routes', async () => {
    for (const { method, path, access } of app.routes) {
      const address = path.replace(':clientId', CLIENT).replace(':userId', USER).replaceAll(/:\w+/g, 'EMAIL')
      for (const asked of [method, 'OPTIONS']) {
        for (const headers of [{ origin: PAGE }, { origin: EVIL }]) {
          const answer = await app.ask(address, { headers, method: asked })
          assert.equal(answer.headers['access-control-allow-credentials'], undefined)
          // A preflight asks for an address; the answer names the methods.
          const isOpen =
            asked === 'OPTIONS'
              ? app.routes.some(other => other.path === path && other.access === 'user')
              : access === 'user'
          const allowed = answer.headers['access-control-allow-origin']
          // Without a token nobody knows whose the address is.
          const isAlias = app.routes.some(other => other.path === path && other.aliasOf !== undefined)
          const mayRead = isOpen && headers.origin === PAGE
          const expected = isAlias && isOpen ? '*' : mayRead ? PAGE : undefined
          assert.equal(allowed, expected, `${asked} ${path} ${headers.origin}`)
        }
      }
    }
  })

  test('a preflight answer lists the methods and authorization', async () => {
    const preflight = (origin: string) =>
      app.ask(inbox(CLIENT), {
        headers: {
          'access-control-request-headers': 'authorization,content-type',
          'access-control-request-method': 'PATCH',
          origin
        },
        method: 'OPTIONS'
      })
    const { headers, status } = await preflight(PAGE)
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-origin'], PAGE)
    assert.equal(headers['access-control-allow-methods'], 'GET, PATCH')
    assert.equal(
      headers['access-control-allow-headers'],
      'authorization, content-type, idempotency-key, if-none-match, x-request-id'
    )
    // Erasing is for back ends, at the same address.
    const erasing = await app.ask(`/${CLIENT}/users/${USER}`, {
      headers: { origin: PAGE },
      method: 'OPTIONS'
    })
    assert.doesNotMatch(erasing.headers['access-control-allow-methods']!, /DELETE/)
    assert.equal((await preflight(EVIL)).headers['access-control-allow-origin'], undefined)
  })
})
