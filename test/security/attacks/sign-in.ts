// Attacks on the sign-in of operators: guesses, fixed and altered sessions, requests of other sites, and links that lead elsewhere.

import assert from 'node:assert/strict'

import { ADMIN_TOKEN, CLIENT, SECRET, type Answer, type Asked, type TestApp } from '../app.ts'
import { post, refused, type Attack } from './attempt.ts'

const SESSION = '/operators/session'
const cookie = (value: string) => ({ cookie: `notif_session=${value}` })

const signInWith = (adminToken: unknown, headers = {}): Asked => post({ adminToken }, headers)

const setsNoSession = ({ headers }: Answer): void =>
  assert.doesNotMatch(String(headers['set-cookie']), /notif_session=[^;]/)

const guess =
  (adminToken: unknown, statuses: readonly number[]): Attack[1] =>
  async app => {
    const answer = await app.ask(SESSION, signInWith(adminToken))
    assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text}`)
    setsNoSession(answer)
    assert.ok(!answer.text.includes(ADMIN_TOKEN))
  }

/** A session as its page has it. */
async function sessionOf(app: TestApp): Promise<{ readonly value: string; readonly csrf: string }> {
  const headers = await app.signIn()
  return {
    csrf: headers['x-csrf-token']!,
    value: /notif_session=([^;]+)/.exec(headers['cookie']!)![1]!
  }
}

const withSession =
  (
    path: string,
    asked: (session: { readonly value: string; readonly csrf: string }) => Asked,
    statuses: readonly number[]
  ): Attack[1] =>
  async app => {
    const answer = await app.ask(path, asked(await sessionOf(app)))
    assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
  }

const environment = (headers: Readonly<Record<string, string>>): Asked =>
  post({ title: 'Of the attacker' }, headers)
const own = (app: TestApp) => ({ origin: app.url, 'sec-fetch-site': 'same-origin' })

/** Exchanges the case of its first letter. */
const altered = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)

export const signIns: readonly Attack[] = [
  ['the client secret as the admin token', guess(SECRET, [401])],
  ['an empty admin token', guess('', [401, 422])],
  ['an admin token without its end', guess(ADMIN_TOKEN.slice(0, -1), [401])],
  ['an admin token of a hundred kilobytes', guess('x'.repeat(100_000), [401, 413, 422])],
  ['a list in place of the admin token', guess([ADMIN_TOKEN], [422])],
  ['an object in place of the admin token', guess({ $ne: '' }, [422])],
  [
    'a sign-in by a page of another site with the right token',
    refused(SESSION, signInWith(ADMIN_TOKEN, { origin: 'https://evil.example' }), [403], setsNoSession)
  ],
  [
    'a sign-in by a frame of another site',
    refused(SESSION, signInWith(ADMIN_TOKEN, { 'sec-fetch-site': 'cross-site' }), [403], setsNoSession)
  ],
  [
    'a session that the attacker has chosen (fixation)',
    async app => {
      const fixed = 'A'.repeat(43)
      const answer = await app.ask(SESSION, signInWith(ADMIN_TOKEN, { ...cookie(fixed), origin: app.url }))
      assert.equal(answer.status, 200, answer.text)
      assert.ok(!String(answer.headers['set-cookie']).includes(fixed))
      assert.equal((await app.ask(SESSION, { headers: cookie(fixed) })).status, 401)
    }
  ],
  ['an altered session', withSession(SESSION, ({ value }) => ({ headers: cookie(altered(value)) }), [401])],
  [
    'half of a session',
    withSession(SESSION, ({ value }) => ({ headers: cookie(value.slice(0, 20)) }), [401])
  ],
  [
    'a session as a bearer token',
    withSession('/audit', ({ value }) => ({ headers: { authorization: `Bearer ${value}` } }), [401])
  ],
  [
    'a session as the password of an environment',
    withSession(
      `/${CLIENT}/users`,
      ({ value }) => ({
        headers: { authorization: `Basic ${Buffer.from(`${CLIENT}:${value}`).toString('base64')}` }
      }),
      [401]
    )
  ],
  [
    'a write with a session and without the proof of its page',
    async app => {
      const { value } = await sessionOf(app)
      const answer = await app.ask('/environments', environment({ ...cookie(value), ...own(app) }))
      assert.equal(answer.status, 403, answer.text)
    }
  ],
  [
    'a write with the proof of another session',
    async app => {
      const [first, second] = [await sessionOf(app), await sessionOf(app)]
      const headers = { ...cookie(first.value), ...own(app), 'x-csrf-token': second.csrf }
      assert.equal((await app.ask('/environments', environment(headers))).status, 403)
    }
  ],
  [
    'a write by another site that knows the proof',
    withSession(
      '/environments',
      ({ csrf, value }) =>
        environment({ ...cookie(value), origin: 'https://evil.example', 'x-csrf-token': csrf }),
      [403]
    )
  ],
  [
    'a read by a page of another site with the cookie',
    withSession(
      '/audit',
      ({ value }) => ({ headers: { ...cookie(value), 'sec-fetch-site': 'cross-site' } }),
      [403]
    )
  ],
  [
    'a session after its sign-out',
    async app => {
      const { csrf, value } = await sessionOf(app)
      const headers = { ...cookie(value), ...own(app), 'x-csrf-token': csrf }
      assert.ok((await app.ask(SESSION, { headers, method: 'DELETE' })).status < 300)
      assert.equal((await app.ask('/audit', { headers: cookie(value) })).status, 401)
    }
  ],
  [
    'an answer of a provider that nobody asked',
    refused('/operators/oidc/callback?code=x&state=y', {}, [400, 401, 403, 404], setsNoSession)
  ],
  [
    'a sign-in that leads to another site',
    refused('/operators/oidc/start?return=https%3A%2F%2Fevil.example', {}, [302, 403, 404], ({ headers }) =>
      assert.doesNotMatch(String(headers['location']), /evil/)
    )
  ]
]
