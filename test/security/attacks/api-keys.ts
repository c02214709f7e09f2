// Attacks with API keys: outside of their scopes and their environment, revoked, expired, guessed and altered.

import assert from 'node:assert/strict'

import { asAdmin, asUser, basic, CLIENT, OTHER, type TestApp } from '../app.ts'
import { post, refused, sendTo, VICTIM, type Attack } from './attempt.ts'

interface Key {
  readonly id: string
  readonly text: string
}

async function createKey(app: TestApp, scopes: readonly string[]): Promise<Key> {
  const { json, status, text } = await app.ask(
    `/environments/${CLIENT}/keys`,
    post({ name: 'Attacked', scopes }, asAdmin)
  )
  assert.equal(status, 201, text)
  return { id: String(json['id']), text: String(json['key']) }
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** No table but that of the keys, whose last use is written, changes. */
const refusedKey =
  (
    scopes: readonly string[],
    path: string,
    asked: (key: string) => Parameters<typeof refused>[1],
    statuses: readonly number[]
  ): Attack[1] =>
  async app => {
    const { text } = await createKey(app, scopes)
    const answer = await app.ask(path, asked(text))
    assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
    assert.ok(!answer.text.includes(text), 'the answer repeats the key')
  }

const get = (text: string) => ({ headers: bearer(text) })

/** Changes the last character of the random part. */
const altered = (text: string): string => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')

export const apiKeys: readonly Attack[] = [
  ['a key that sends reads users', refusedKey(['send'], `/${CLIENT}/users`, get, [403])],
  [
    'a key that sends reads the log',
    refusedKey(['send'], `/${CLIENT}/logs/query`, key => post({}, bearer(key)), [403])
  ],
  ['a key that sends reads an inbox', refusedKey(['send'], `/${CLIENT}/users/${VICTIM}/inbox`, get, [403])],
  [
    'a key that reads sends',
    refusedKey(['read'], `/${CLIENT}/sender`, key => sendTo({}, bearer(key)), [403])
  ],
  [
    'a key that reads erases a user',
    refusedKey(
      ['read'],
      `/${CLIENT}/users/${VICTIM}`,
      key => ({ headers: bearer(key), method: 'DELETE' }),
      [403]
    )
  ],
  [
    'a key of types changes a user',
    refusedKey(
      ['types'],
      `/${CLIENT}/users/${VICTIM}`,
      key => post({ email: 'e@evil.example' }, bearer(key)),
      [403]
    )
  ],
  [
    'a key of users redrives dead letters',
    refusedKey(['users'], `/${CLIENT}/dead-letters/redrive`, key => post({ ids: ['x'] }, bearer(key)), [403])
  ],
  ['a key of everything lists environments', refusedKey(['all'], '/environments', get, [401, 403])],
  [
    'a key of everything makes keys',
    refusedKey(
      ['all'],
      `/environments/${CLIENT}/keys`,
      key => post({ name: 'x', scopes: ['all'] }, bearer(key)),
      [401, 403]
    )
  ],
  [
    'a key of everything changes the environment',
    refusedKey(
      ['all'],
      `/environments/${CLIENT}`,
      key => ({ ...post({ webhook: { url: 'https://evil.example/' } }, bearer(key)), method: 'PATCH' }),
      [401, 403]
    )
  ],
  ['the key of another environment', refusedKey(['all'], `/${OTHER}/users`, get, [401])],
  [
    'the key of another environment as its secret',
    refusedKey(['all'], `/${OTHER}/users`, key => ({ headers: basic(`${OTHER}:${key}`) }), [401])
  ],
  [
    'a key as the hash of a user',
    refusedKey(
      ['all'],
      `/${CLIENT}/users/${VICTIM}/inbox`,
      key => ({ headers: basic(`${CLIENT}:${VICTIM}:${key}`) }),
      [401]
    )
  ],
  ['a key in the address', refusedKey(['all'], `/${CLIENT}/users`, () => ({}), [401])],
  [
    'a key in the query',
    async app => {
      const { text } = await createKey(app, ['all'])
      for (const name of ['key', 'api_key', 'access_token', 'token']) {
        const { status } = await app.ask(`/${CLIENT}/users?${name}=${text}`)
        assert.equal(status, 401, name)
      }
    }
  ],
  [
    'a revoked key',
    async app => {
      const { id, text } = await createKey(app, ['all'])
      assert.equal((await app.ask(`/${CLIENT}/users`, get(text))).status, 200)
      const revoked = await app.ask(`/environments/${CLIENT}/keys/${id}`, {
        headers: asAdmin,
        method: 'DELETE'
      })
      assert.ok(revoked.status < 300, revoked.text)
      for (const headers of [bearer(text), basic(`${CLIENT}:${text}`)]) {
        assert.equal((await app.ask(`/${CLIENT}/users`, { headers })).status, 401)
      }
    }
  ],
  [
    'an expired key',
    async app => {
      const { id, text } = await createKey(app, ['all'])
      await app.db.control`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`
      assert.equal((await app.ask(`/${CLIENT}/users`, get(text))).status, 401)
    }
  ],
  ...(
    [
      ['with another last character', altered],
      ['without its last character', text => text.slice(0, -1)],
      ['with a character more', text => `${text}A`],
      ['in capitals', text => text.toUpperCase()],
      ['without its prefix', text => text.slice(3)],
      ['by the characters that lists show', text => text.slice(0, 8)],
      ['with a line break', text => `${text}%0d%0a`]
    ] as readonly (readonly [string, (text: string) => string])[]
  ).map(([name, change]): Attack => [
    `a key ${name}`,
    async app => {
      const { text } = await createKey(app, ['all'])
      const { status } = await app.ask(`/${CLIENT}/users`, get(change(text)))
      assert.equal(status, 401)
    }
  ]),
  [
    'the hash of a key in its place',
    async app => {
      const { id } = await createKey(app, ['all'])
      const [row] = await app.db.control<{ hash: Buffer }[]>`select hash from api_keys where id = ${id}`
      for (const text of [row!.hash.toString('hex'), `nk_${row!.hash.toString('base64url')}`]) {
        assert.equal((await app.ask(`/${CLIENT}/users`, get(text))).status, 401)
      }
    }
  ],
  [
    'answers to a wrong, a revoked and a foreign key cannot be told apart',
    async app => {
      const { id, text } = await createKey(app, ['all'])
      await app.ask(`/environments/${CLIENT}/keys/${id}`, { headers: asAdmin, method: 'DELETE' })
      const foreign = (await createKey(app, ['all'])).text
      const answers = await Promise.all([
        app.ask(`/${OTHER}/users`, get(altered(foreign))),
        app.ask(`/${OTHER}/users`, get(text)),
        app.ask(`/${OTHER}/users`, get(foreign))
      ])
      const shown = answers.map(({ headers, json, status }) => [
        status,
        headers['www-authenticate'],
        { ...json, instance: '' }
      ])
      assert.deepEqual(shown[1], shown[0])
      assert.deepEqual(shown[2], shown[0])
    }
  ],
  ['a user reads the keys', refused(`/environments/${CLIENT}/keys`, { headers: asUser(VICTIM) }, [401, 403])]
]
