// Sessions of members: the cookie, the limits of guessing, the end of a session here and on other nodes, and the audit of a sign-in.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { sha256 } from '../../server/core/hash.ts'
import { csrfToken } from '../../server/http/session.ts'
import { openSessions } from '../../server/operators/sessions.ts'
import {
  ADMIN_TOKEN,
  asAdmin,
  asMember,
  startApp,
  type Answer,
  type Asked,
  type TestApp
} from '../security/app.ts'

const signIn = (app: TestApp, adminToken: string, headers: Asked['headers'] = {}): Promise<Answer> =>
  app.ask('/operators/session', { body: JSON.stringify({ adminToken }), headers, method: 'POST' })

const cookieIn = ({ headers }: Answer): string =>
  /^(?:__Host-)?notif_session=([\w-]{43});/.exec(String(headers['set-cookie']))![1]!

const status = async (app: TestApp, cookie: string): Promise<number> =>
  (await app.ask('/operators/session', { headers: { cookie: `notif_session=${cookie}` } })).status

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

describe('a sign-in with the admin token', () => {
  test('sets a cookie that scripts and other sites cannot use, and is in the audit log', async () => {
    const answer = await signIn(app, ADMIN_TOKEN)
    assert.equal(answer.status, 200, answer.text)
    assert.match(
      String(answer.headers['set-cookie']),
      /^notif_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/
    )
    const cookie = cookieIn(answer)
    assert.equal(answer.json['csrfToken'], csrfToken(cookie))
    assert.ok(!answer.text.includes(cookie) && !app.log().includes(cookie))
    const [row] = await app.db.control<{ found: boolean }[]>`
      select exists (select from member_sessions s where s::text like ${`%${cookie}%`}) as found`
    assert.equal(row!.found, false)
    const { json } = await app.ask('/audit?action=createSession&count=1', { headers: asAdmin })
    const [entry] = json['entries'] as Record<string, unknown>[]
    assert.deepEqual(
      [entry!['actor'], entry!['status']],
      [(answer.json['member'] as { actor: string }).actor, 200]
    )
  })

  test('behind https sets and accepts only a cookie of this host', async () => {
    await using secure = await startApp({ NOTIF_PUBLIC_URL: 'https://notify.example' })
    const answer = await signIn(secure, ADMIN_TOKEN, { origin: 'https://notify.example' })
    assert.match(String(answer.headers['set-cookie']), /^__Host-notif_session=.*; SameSite=Strict; Secure$/)
    const cookie = cookieIn(answer)
    assert.equal(await status(secure, cookie), 401)
    const headers = { cookie: `__Host-notif_session=${cookie}` }
    assert.equal((await secure.ask('/operators/session', { headers })).status, 200)
  })

  test('always opens a new session, and ends the one that the browser had', async () => {
    const fixed = 'A'.repeat(43)
    const first = await signIn(app, ADMIN_TOKEN, { cookie: `notif_session=${fixed}` })
    assert.notEqual(cookieIn(first), fixed)
    assert.equal(await status(app, fixed), 401)
    const second = await signIn(app, ADMIN_TOKEN, { cookie: `notif_session=${cookieIn(first)}` })
    assert.equal(await status(app, cookieIn(second)), 200)
    assert.equal(await status(app, cookieIn(first)), 401)
  })

  test('is refused to pages of other sites, and while the audit log cannot be written', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      assert.equal((await signIn(app, ADMIN_TOKEN, headers)).status, 403)
    }
    await app.db.control`alter table audit_calls rename to away`
    try {
      const answer = await signIn(app, ADMIN_TOKEN)
      assert.deepEqual([answer.status, answer.headers['set-cookie']], [503, undefined])
    } finally {
      await app.db.control`alter table away rename to audit_calls`
    }
  })
})

test('ten wrong tokens of an address in five minutes, also in parallel, then none counts', async () => {
  await using fresh = await startApp()
  const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => signIn(fresh, `wrong-${n}`)))
  assert.equal(answers.filter(({ status: code }) => code === 401).length, 10)
  assert.equal(answers.filter(({ status: code }) => code === 429).length, 5)
  const right = await signIn(fresh, ADMIN_TOKEN)
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers['retry-after']) > 200)
  // A program with the token goes on.
  assert.equal((await fresh.ask('/audit', { headers: asAdmin })).status, 200)
  assert.doesNotMatch(fresh.log(), /wrong-\d/)
})

test('right tokens do not count', async () => {
  await using fresh = await startApp()
  for (let count = 0; count < 12; count++) assert.equal((await signIn(fresh, ADMIN_TOKEN)).status, 200)
})

describe('a session ends', () => {
  const open = async (): Promise<string> => cookieIn(await signIn(app, ADMIN_TOKEN))
  const headersOf = (cookie: string) => asMember(cookie, app.url)

  test('everywhere with a sign-out everywhere', async () => {
    const [one, other] = [await open(), await open()]
    const asked = { headers: headersOf(one), method: 'DELETE' }
    assert.equal((await app.ask('/operators/sessions', asked)).status, 204)
    assert.deepEqual([await status(app, one), await status(app, other)], [401, 401])
  })

  test('by its id, and no member sees the value of the cookie', async () => {
    const [one, other] = [await open(), await open()]
    const { json, text } = await app.ask('/operators/sessions', { headers: headersOf(one) })
    assert.ok(!text.includes(one) && !text.includes(other))
    const sessions = json['sessions'] as { id: string; current: boolean }[]
    const foreign = sessions.find(({ current }) => !current)!
    const asked = { headers: headersOf(one), method: 'DELETE' }
    assert.equal((await app.ask(`/operators/sessions/${foreign.id}`, asked)).status, 204)
    assert.deepEqual([await status(app, one), await status(app, other)], [200, 401])
  })

  test('on other nodes within ten seconds, and after twelve hours or an hour without a request', async () => {
    let now = Date.now()
    const adminTokenHash = sha256(ADMIN_TOKEN)
    const elsewhere = openSessions(app.db, () => now, { adminTokenHash, issuer: undefined })
    const cookie = await open()
    assert.equal((await elsewhere.find(cookie))?.member.role, 'admin')
    await app.ask('/operators/session', { headers: headersOf(cookie), method: 'DELETE' })
    now += 10_001
    assert.equal(await elsewhere.find(cookie), undefined)
    const old = await open()
    assert.ok(await elsewhere.find(old))
    now += 12 * 3_600_000
    assert.equal(await elsewhere.find(old), undefined)
    const idle = await open()
    await app.db.control`
      update member_sessions set last_used_at = now() - interval '61 minutes' where hash = ${sha256(idle)}`
    assert.equal(await status(app, idle), 401)
  })

  test('with the admin token that opened it', async () => {
    const cookie = await open()
    const adminTokenHash = sha256('another-admin-token')
    const replaced = openSessions(app.db, Date.now, { adminTokenHash, issuer: undefined })
    assert.equal(await replaced.find(cookie), undefined)
  })
})

test('the admin token cannot be blocked, and no member blocks themselves', async () => {
  const headers = await app.signIn()
  const own = await app.ask('/operators/session', { headers })
  const { id } = own.json['member'] as { id: string }
  const asked = { body: '{"blocked":true}', headers, method: 'PATCH' }
  assert.equal((await app.ask(`/operators/members/${id}`, asked)).status, 409)
})

test('a script of the dashboard without a session is not asked for a password by its browser', async () => {
  const path = '/client_1/users'
  const script = await app.ask(path, {
    headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
  })
  assert.match(String(script.headers['www-authenticate']), /^Bearer/)
  assert.match(String((await app.ask(path)).headers['www-authenticate']), /^Basic/)
})

test('the page of the dashboard runs nothing inline, and holds no data', async () => {
  for (const path of ['/admin', '/admin/client_1/sends', '/admin/client_1/users/u1']) {
    const { headers, status: code, text } = await app.ask(path)
    assert.equal(code, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(text, /client_1|style=|<script>/)
    // Without an icon of its own, a browser asks for one that does not exist.
    assert.match(text, /<link rel="icon" href="\/img\/mark\.svg">/)
  }
})
