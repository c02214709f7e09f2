// Signing in with a real OpenID provider: the role follows the groups, and an answer that is not the one of this sign-in gives no session.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { csrfToken } from '../../server/http/session.ts'
import { startApp, type TestApp } from '../security/app.ts'
import { freePort } from '../support/port.ts'
import { OIDC_CLIENT, OIDC_SECRET, openIdProvider, type OpenIdProvider } from './openid-provider.ts'
import { begin, createVisitor, signInAtProvider, type Step, type Visitor } from './walk.ts'

const ROLES = 'staff=viewer,helpdesk=support,admins=admin'

interface Site extends AsyncDisposable {
  readonly app: TestApp
  readonly provider: OpenIdProvider
  /** Advances the clock of the server. */
  wait(ms: number): void
}

async function openSite(
  more: Readonly<Record<string, string>> = {},
  hasGroupsInToken = false
): Promise<Site> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const redirectUri = `${base}/operators/oidc/callback`
  const provider = await openIdProvider({ hasGroupsInToken, redirectUri })
  let ahead = 0
  const app = await startApp(
    {
      NOTIF_OIDC_CLIENT_ID: OIDC_CLIENT,
      NOTIF_OIDC_CLIENT_SECRET: OIDC_SECRET,
      NOTIF_OIDC_ISSUER: provider.issuer,
      NOTIF_OIDC_ROLES: ROLES,
      NOTIF_OIDC_SCOPES: 'openid profile email groups',
      NOTIF_PUBLIC_URL: base,
      PORT: String(port),
      ...more
    },
    () => Date.now() + ahead
  )
  return {
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
    app,
    provider,
    wait: ms => void (ahead += ms)
  }
}

let site: Site
before(async () => {
  site = await openSite()
})
after(() => site?.[Symbol.asyncDispose]())

/** A whole sign-in. */
async function signIn(login: string, visitor = createVisitor(), at = site): Promise<Step> {
  const { url } = at.app
  return visitor.visit(await signInAtProvider(visitor, await begin(visitor, url), login, url))
}

const cookieOf = (visitor: Visitor, { app } = site): string | undefined =>
  visitor.cookies.get(new URL(app.url).host)?.get('notif_session')

async function roleOf(visitor: Visitor): Promise<string | number> {
  const { json, status } = await site.app.ask('/operators/session', {
    headers: { cookie: `notif_session=${cookieOf(visitor)}` }
  })
  return status === 200 ? (json['member'] as { role: string }).role : status
}

const assertRefused = (step: Step, visitor: Visitor, status: number, words: RegExp, at = site): void => {
  assert.equal(step.status, status, step.text)
  assert.match(step.text, words)
  assert.match(step.text, /<h1>Not signed in<\/h1>/)
  assert.equal(cookieOf(visitor, at), undefined)
  assert.ok(!step.setCookies.some(line => line.startsWith('notif_session=')))
}

describe('a sign-in', () => {
  test('opens a session with the role of the group, and leads on by a page that begins on this site', async () => {
    site.provider.groups.set('amara', ['staff', 'unknown'])
    const visitor = createVisitor()
    const step = await signIn('amara', visitor)
    assert.equal(step.status, 200, step.text)
    assert.match(step.text, /http-equiv="refresh" content="0;url=\/admin"/)
    const line = step.setCookies.find(one => one.startsWith('notif_session='))
    assert.match(line!, /^notif_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    assert.equal(await roleOf(visitor), 'viewer')
  })

  test('gives the highest role of several groups', async () => {
    site.provider.groups.set('mei', ['admins', 'staff', 'helpdesk'])
    const visitor = createVisitor()
    await signIn('mei', visitor)
    assert.equal(await roleOf(visitor), 'admin')
  })

  test('reads the groups of the ID token', async () => {
    await using other = await openSite({}, true)
    other.provider.groups.set('mei', ['helpdesk'])
    const visitor = createVisitor()
    const step = await signIn('mei', visitor, other)
    assert.equal(step.status, 200, step.text)
    const { json } = await other.app.ask('/operators/session', {
      headers: { cookie: `notif_session=${cookieOf(visitor, other)}` }
    })
    const { name, role } = json['member'] as { name: string; role: string }
    assert.deepEqual([name, role], ['Person mei', 'support'])
  })

  test('of a person with other groups changes the role, also in earlier sessions', async () => {
    site.provider.groups.set('kofi', ['admins'])
    const [first, second] = [createVisitor(), createVisitor()]
    await signIn('kofi', first)
    assert.equal(await roleOf(first), 'admin')
    site.provider.groups.set('kofi', ['helpdesk'])
    await signIn('kofi', second)
    assert.equal(await roleOf(second), 'support')
    site.wait(10_001)
    assert.equal(await roleOf(first), 'support')
  })

  test('of a person without a role is refused, and ends the earlier sessions', async () => {
    site.provider.groups.set('lena', ['staff'])
    const [first, second] = [createVisitor(), createVisitor()]
    await signIn('lena', first)
    assert.equal(await roleOf(first), 'viewer')
    site.provider.groups.set('lena', ['visitors'])
    assertRefused(await signIn('lena', second), second, 403, /NOTIF_OIDC_ROLES.*NOTIF_OIDC_GROUPS_CLAIM/)
    assert.equal(await roleOf(first), 401)
  })

  test('ends with a sign-out, and is in the audit log', async () => {
    site.provider.groups.set('noor', ['admins'])
    const visitor = createVisitor()
    await signIn('noor', visitor)
    const cookie = cookieOf(visitor)!
    const headers = {
      cookie: `notif_session=${cookie}`,
      origin: site.app.url,
      'x-csrf-token': csrfToken(cookie)
    }
    const { json } = await site.app.ask('/audit?count=1', { headers })
    const own = await site.app.ask('/operators/session', { headers })
    const { actor } = own.json['member'] as { actor: string }
    const [entry] = json['entries'] as Record<string, unknown>[]
    assert.deepEqual(
      [entry!['actor'], entry!['method'], entry!['route'], entry!['status']],
      [actor, 'GET', '/operators/oidc/callback', 200]
    )
    const out = await site.app.ask('/operators/session', { headers, method: 'DELETE' })
    assert.equal(out.status, 204)
    assert.match(String(out.headers['set-cookie']), /^notif_session=; Path=\/; Max-Age=0/)
    assert.equal(await roleOf(visitor), 401)
  })

  test('is refused for a blocked member, and while the audit log cannot be written', async () => {
    site.provider.groups.set('omar', ['staff'])
    const visitor = createVisitor()
    await signIn('omar', visitor)
    await site.app.db.control`update members set blocked_at = now() where subject = 'omar'`
    const again = createVisitor()
    assertRefused(await signIn('omar', again), again, 403, /blocked/)
    site.provider.groups.set('ines', ['admins'])
    await site.app.db.control`alter table audit_calls rename to away`
    try {
      const unwritten = createVisitor()
      const step = await signIn('ines', unwritten)
      assert.equal(step.status, 503)
      assert.equal(cookieOf(unwritten), undefined)
    } finally {
      await site.app.db.control`alter table away rename to audit_calls`
    }
  })
})

describe('an answer is refused', () => {
  before(() => site.provider.groups.set('eve', ['admins']))

  /** Up to the callback, which is not visited. */
  async function upToCallback(change: (start: URL) => void = () => {}): Promise<[Visitor, URL]> {
    const visitor = createVisitor()
    const start = await begin(visitor, site.app.url)
    change(start)
    return [visitor, await signInAtProvider(visitor, start, 'eve', site.app.url)]
  }

  test('with a code that was used', async () => {
    const [visitor, callback] = await upToCallback()
    const host = new URL(site.app.url).host
    const before = visitor.cookies.get(host)!.get('notif_sign_in')!
    assert.equal((await visitor.visit(callback)).status, 200)
    const thief = createVisitor()
    thief.cookies.set(host, new Map([['notif_sign_in', before]]))
    assertRefused(await thief.visit(callback), thief, 400, /invalid_grant/)
    // The same browser has no sign-in any more.
    visitor.cookies.get(host)!.delete('notif_session')
    assertRefused(await visitor.visit(callback), visitor, 400, /No sign-in is under way/)
  })

  test('with another state', async () => {
    const [visitor, callback] = await upToCallback()
    callback.searchParams.set('state', 'x'.repeat(43))
    assertRefused(await visitor.visit(callback), visitor, 400, /is not that of this sign-in/)
  })

  test('without a state', async () => {
    const [visitor, callback] = await upToCallback()
    callback.searchParams.delete('state')
    assertRefused(await visitor.visit(callback), visitor, 400, /is not that of this sign-in/)
  })

  test('with another nonce', async () => {
    const [visitor, callback] = await upToCallback(start => start.searchParams.set('nonce', 'x'.repeat(43)))
    assertRefused(await visitor.visit(callback), visitor, 400, /is not that of this sign-in/)
  })

  test('for another verifier (PKCE)', async () => {
    const [visitor, callback] = await upToCallback(start =>
      start.searchParams.set('code_challenge', 'x'.repeat(43))
    )
    assertRefused(await visitor.visit(callback), visitor, 400, /invalid_grant/)
  })

  test('from another issuer', async () => {
    const [visitor, callback] = await upToCallback()
    callback.searchParams.set('iss', 'https://evil.example')
    assertRefused(await visitor.visit(callback), visitor, 400, /is not that of this sign-in/)
  })

  test('in another browser', async () => {
    const [, callback] = await upToCallback()
    const other = createVisitor()
    assertRefused(await other.visit(callback), other, 400, /No sign-in is under way/)
  })

  test('after ten minutes', async () => {
    const [visitor, callback] = await upToCallback()
    site.wait(600_001)
    assertRefused(await visitor.visit(callback), visitor, 400, /longer than 10 minutes/)
  })

  test('if the person refused', async () => {
    const visitor = createVisitor()
    const start = await begin(visitor, site.app.url)
    const state = start.searchParams.get('state')!
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: '<b>no</b>',
      iss: site.provider.issuer,
      state
    })
    const step = await visitor.visit(`${site.app.url}/operators/oidc/callback?${query}`)
    assertRefused(step, visitor, 400, /access_denied \(&lt;b&gt;no/)
  })

  test('whose ID token was changed on its way', async () => {
    await using other = await openSite({}, true)
    other.provider.groups.set('eve', ['staff'])
    other.provider.forge = claims => ({ ...claims, groups: ['admins'] })
    const visitor = createVisitor()
    assertRefused(await signIn('eve', visitor, other), visitor, 400, /is not valid/, other)
    other.provider.forge = undefined
    assert.equal((await signIn('eve', createVisitor(), other)).status, 200)
  })
})

describe('an operator reads what is wrong', () => {
  test('if the client secret is wrong', async () => {
    await using other = await openSite({ NOTIF_OIDC_CLIENT_SECRET: 'a-wrong-client-secret' })
    other.provider.groups.set('eve', ['admins'])
    const visitor = createVisitor()
    assertRefused(
      await signIn('eve', visitor, other),
      visitor,
      502,
      /NOTIF_OIDC_CLIENT_ID and NOTIF_OIDC_CLIENT_SECRET/,
      other
    )
    assert.match(other.app.log(), /"reason":"invalid_client"/)
    assert.doesNotMatch(other.app.log(), /a-wrong-client-secret/)
  })

  test('if the provider cannot be reached', async () => {
    const issuer = `http://localhost:${await freePort()}`
    await using other = await openSite({ NOTIF_OIDC_ISSUER: issuer })
    const visitor = createVisitor()
    const step = await visitor.visit(`${other.app.url}/operators/oidc/start`)
    assertRefused(step, visitor, 502, /cannot be reached.*NOTIF_OIDC_ISSUER/, other)
  })
})

test('leads to pages of the dashboard alone', async () => {
  site.provider.groups.set('mei', ['admins'])
  for (const [asked, expected] of [
    ['/admin/client_1/sends?user=u1#EMAIL', '/admin/client_1/sends?user=u1#EMAIL'],
    ['https://evil.example/admin', '/admin'],
    ['//evil.example/admin', '/admin'],
    [String.raw`/\evil.example/admin`, '/admin'],
    ['/admin/../sandbox', '/admin'],
    ['/administrator', '/admin'],
    ['/admin/"><script>', '/admin/%22%3E%3Cscript%3E'],
    ['javascript:alert(1)', '/admin']
  ] as const) {
    const visitor = createVisitor()
    const { url } = site.app
    const callback = await signInAtProvider(visitor, await begin(visitor, url, asked), 'mei', url)
    const { text } = await visitor.visit(callback)
    assert.equal(/content="0;url=([^"]*)"/.exec(text)?.[1], expected, asked)
  }
})

test('says which ways to sign in there are', async () => {
  const { json } = await site.app.ask('/operators/sign-in-options')
  assert.deepEqual(json, { adminToken: true, oidc: { label: new URL(site.provider.issuer).host } })
  await using plain = await startApp()
  assert.deepEqual((await plain.ask('/operators/sign-in-options')).json, { adminToken: true, oidc: null })
  assert.equal((await plain.ask('/operators/oidc/start')).status, 404)
})
