// Environments over REST: created, changed, rotated and deleted with all of their rows.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'

import { WebSocket } from 'ws'

import { connect } from '../../server/db/connect.ts'
import { purgeEnvironments, ENVIRONMENT_TABLES } from '../../server/environments/purge.sql.ts'
import { asAdmin, basic, CLIENT, hashOf, startApp, type Answer, type TestApp } from '../security/app.ts'
import { testDb } from '../support/db.ts'
import { until } from '../support/process.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const admin = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  app.ask(path, {
    headers: { ...asAdmin, ...headers },
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

interface Made {
  readonly id: string
  readonly secret: string
}

async function make(body: object = {}): Promise<Made> {
  const { json, status, text } = await admin('POST', '/environments', body)
  assert.equal(status, 201, text)
  return { id: json['clientId'] as string, secret: json['clientSecret'] as string }
}

const send = ({ id, secret }: Made, user = 'u1'): Promise<Answer> =>
  app.ask(`/${id}/sender`, {
    body: JSON.stringify({ inapp: { title: 'Hello' }, to: { id: user }, type: 'greeting' }),
    headers: basic(`${id}:${secret}`),
    method: 'POST'
  })

const inbox = async (id: string, hash: string): Promise<number> =>
  (await app.ask(`/${id}/users/u1/inbox`, { headers: basic(`${id}:u1:${hash}`) })).status

const rotate = async ({ id }: Made, body?: object): Promise<Made> => {
  const { json, status, text } = await admin('POST', `/environments/${id}/secret`, body)
  assert.equal(status, 200, text)
  return { id, secret: json['clientSecret'] as string }
}

test('serves a new environment immediately, and shows its secret once', async () => {
  const made = await make({ title: 'Staging' })
  assert.equal((await send(made)).status, 200)
  for (const path of [`/environments/${made.id}`, '/environments?count=200']) {
    const { status, text } = await admin('GET', path)
    assert.equal(status, 200)
    assert.match(text, /"title":"Staging"/)
    assert.ok(!text.includes(made.secret))
    assert.doesNotMatch(text, /clientSecret/)
  }
  assert.ok(!app.log().includes(made.secret))
})

test('accepts a given client id and secret', async () => {
  const brought = { clientId: 'from-elsewhere', clientSecret: 'secret-that-back-ends-have' }
  const { id, secret } = await make(brought)
  assert.deepEqual({ clientId: id, clientSecret: secret }, brought)
  const again = await admin('POST', '/environments', { ...brought, clientSecret: 'another-secret-of-theirs' })
  assert.equal(again.status, 409)
  assert.equal((await send({ id, secret })).status, 200)
})

test('creates one environment for repeated requests, and stores no secret with the idempotency key', async () => {
  const key = { 'idempotency-key': 'make one' }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => admin('POST', '/environments', { title: 'One' }, key))
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  const [id, ...others] = new Set(answers.map(({ json }) => json['clientId']))
  assert.deepEqual(others, [])
  const secrets = [...new Set(answers.map(({ json }) => String(json['clientSecret'])))]
  assert.equal(secrets.length, 1)
  assert.equal((await send({ id: String(id), secret: secrets[0]! })).status, 200)
  const rows = await app.db.control<{ text: string }[]>`select k::text as text from idempotency_keys k`
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(secrets[0]!)))
  const other = await admin('POST', '/environments', { title: 'Two' }, key)
  assert.equal(other.status, 422)
})

test('lists all environments over its pages', async () => {
  for (let i = 0; i < 5; i++) await make()
  const all = (await admin('GET', '/environments?count=200')).json['environments'] as { clientId: string }[]
  const found: string[] = []
  let cursor = ''
  do {
    const { json } = await admin('GET', `/environments?count=2&cursor=${cursor}`)
    found.push(...(json['environments'] as { clientId: string }[]).map(({ clientId }) => clientId))
    cursor = (json['next'] as string | undefined) ?? ''
  } while (cursor !== '')
  assert.deepEqual(
    found,
    all.map(({ clientId }) => clientId)
  )
})

test('changes only given settings, resets null to the default, and refuses wrong ones as a whole', async () => {
  const { id } = await make({ defaultTimezone: 'europe/berlin', logo: 'https://x.example/l.png', title: 'A' })
  const path = `/environments/${id}`
  const changed = await admin('PATCH', path, { disabledChannels: ['SMS'], logo: null, retentionDays: 7 })
  assert.equal(changed.json['title'], 'A')
  assert.equal(changed.json['logo'], '')
  assert.equal(changed.json['defaultTimezone'], 'Europe/Berlin')
  assert.equal(changed.json['retentionDays'], 7)
  const wrong: readonly [object, string][] = [
    [{ origins: ['https://a.example/path'] }, '#/origins/0'],
    [{ origins: ['javascript:alert(1)'] }, '#/origins/0'],
    [{ logo: 'javascript:alert(1)' }, '#/logo'],
    [{ disabledChannels: ['PIGEON'] }, '#/disabledChannels/0'],
    [{ defaults: { EMAIL: 'yearly' } }, '#/defaults/EMAIL'],
    [{ retentionDays: 0 }, '#/retentionDays'],
    [{ limits: { sendsPerSecond: 0.5 } }, '#/limits/sendsPerSecond'],
    [{ limits: { sendsPerMinute: 1 } }, '#/limits/sendsPerMinute'],
    [{ defaultTimezone: 'Mars/Base' }, '#/defaultTimezone'],
    [{ securemode: false }, '#/securemode'],
    [{ clientSecret: 'a-new-one-of-their-own' }, '#/clientSecret']
  ]
  for (const [body, pointer] of wrong) {
    const { json, status, text } = await admin('PATCH', path, { title: 'B', ...body })
    assert.equal(status, 422, text)
    assert.equal((json['errors'] as { pointer: string }[])[0]!.pointer, pointer)
  }
  assert.deepEqual((await admin('GET', path)).json, changed.json)
  await admin('PATCH', path, { retentionDays: null })
  assert.equal('retentionDays' in (await admin('GET', path)).json, false)
})

test('keeps all simultaneous changes', async () => {
  const { id } = await make()
  const changes = [
    { title: 'T' },
    { logo: 'https://x.example/' },
    { secureMode: false },
    { retentionDays: 3 }
  ]
  await Promise.all(changes.map(change => admin('PATCH', `/environments/${id}`, change)))
  const { json } = await admin('GET', `/environments/${id}`)
  assert.deepEqual(
    {
      logo: json['logo'],
      retentionDays: json['retentionDays'],
      secureMode: json['secureMode'],
      title: json['title']
    },
    Object.assign({}, ...changes)
  )
})

test('accepts both secrets in the grace time, and only the new one without', async () => {
  const old = await make()
  const fresh = await rotate(old)
  assert.notEqual(fresh.secret, old.secret)
  for (const made of [old, fresh]) {
    assert.equal((await send(made)).status, 200)
    assert.equal(await inbox(made.id, hashOf('u1', made.secret)), 200)
  }
  const { json } = await admin('GET', `/environments/${old.id}`)
  const left = Date.parse(String(json['previousSecretUntil'])) - Date.now()
  assert.ok(left > 86_000_000 && left <= 86_400_000, String(left))
  // A second change ends the grace of the first secret.
  const newest = await rotate(old, { graceSeconds: 60 })
  assert.equal((await send(old)).status, 401)
  assert.equal((await send(fresh)).status, 200)
  const last = await rotate(old, { graceSeconds: 0 })
  for (const made of [old, fresh, newest]) {
    assert.equal((await send(made)).status, 401)
    assert.equal(await inbox(made.id, hashOf('u1', made.secret)), 401)
  }
  assert.equal((await send(last)).status, 200)
  assert.equal('previousSecretUntil' in (await admin('GET', `/environments/${old.id}`)).json, false)
})

test('refuses the old secret after the grace time', async () => {
  const old = await make()
  await rotate(old, { graceSeconds: 1 })
  assert.equal((await send(old)).status, 200)
  await until(async () => (await send(old)).status === 401, 'the old secret ends')
})

test('accepts the legacy user hash only if the environment allows it', async () => {
  const { id, secret } = await make()
  const plain = createHash('sha256').update(`${secret}u1`).digest('base64')
  assert.equal(await inbox(id, plain), 401)
  await admin('PATCH', `/environments/${id}`, { legacyUserHash: true })
  assert.equal(await inbox(id, plain), 200)
  assert.equal(await inbox(id, hashOf('u1', secret)), 200)
  assert.equal(await inbox(id, createHash('sha256').update(`${secret}u2`).digest('base64')), 401)
})

/** A socket of an existing client, once it has been let in. */
async function open(id: string, hash: string): Promise<WebSocket> {
  const query = new URLSearchParams({ envId: id, userId: 'u1', ...(hash !== '' && { userIdHash: hash }) })
  const earlier = app.sockets()
  const socket = new WebSocket(`ws://127.0.0.1:${app.port}/?${query}`)
  await until(() => app.sockets() > earlier, 'the socket is let in')
  return socket
}

test('closes sockets whose credentials are no longer valid', async () => {
  const old = await make()
  const other = await make()
  const fresh = await rotate(old, { graceSeconds: 3600 })
  const byOld = await open(old.id, hashOf('u1', old.secret))
  const byNew = await open(old.id, hashOf('u1', fresh.secret))
  const elsewhere = await open(other.id, hashOf('u1', other.secret))
  const newest = await rotate(old, { graceSeconds: 3600 })
  await until(() => byOld.readyState === WebSocket.CLOSED, 'the socket of the old secret is closed')
  assert.equal(byNew.readyState, WebSocket.OPEN)
  await rotate(newest, { graceSeconds: 0 })
  await until(() => byNew.readyState === WebSocket.CLOSED, 'that of the next one is closed')
  await admin('PATCH', `/environments/${old.id}`, { secureMode: false })
  const free = await open(old.id, '')
  await admin('PATCH', `/environments/${old.id}`, { secureMode: true })
  await until(() => free.readyState === WebSocket.CLOSED, 'nobody stays without a hash in secure mode')
  assert.equal(elsewhere.readyState, WebSocket.OPEN)
  await admin('DELETE', `/environments/${other.id}`)
  await until(() => elsewhere.readyState === WebSocket.CLOSED, 'a deleted environment has no sockets')
})

test('refuses to delete the configured environment, and to change a configured secret', async () => {
  assert.equal((await admin('DELETE', `/environments/${CLIENT}`)).status, 409)
  assert.equal((await admin('POST', `/environments/${CLIENT}/secret`)).status, 409)
})

test('refuses requests of a deleted environment, and purges only its rows', async () => {
  const makeOnce = () => admin('POST', '/environments', { clientId: 'gone' }, { 'idempotency-key': 'gone' })
  const gone = { id: 'gone', secret: String((await makeOnce()).json['clientSecret']) }
  const kept = await make()
  for (const user of ['u1', 'u2', 'u3']) for (const made of [gone, kept]) await send(made, user)
  for (const made of [gone, kept]) {
    await app.ask(`/${made.id}/users/u1`, {
      body: '{"email":"u1@example.com"}',
      headers: basic(`${made.id}:${made.secret}`),
      method: 'POST'
    })
  }
  assert.equal((await admin('DELETE', '/environments/gone')).status, 204)
  assert.equal((await send(gone)).status, 401)
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await admin(method, '/environments/gone')).status, 404, method)
  }
  assert.equal((await admin('PATCH', '/environments/gone', {})).status, 404)
  assert.equal((await admin('POST', '/environments/gone/secret')).status, 404)
  assert.equal((await admin('POST', '/environments', { clientId: 'gone' })).status, 409, 'not purged yet')
  assert.equal((await makeOnce()).status, 404, 'its secret is not told again')
  const rowsOf = async (id: string): Promise<Record<string, number>> => {
    const counted: Record<string, number> = {}
    for (const table of [...ENVIRONMENT_TABLES, 'notifications']) {
      const [row] = await app.db.control<{ count: number }[]>`
        select count(*)::int as count from ${app.db.control(table)} where env_id = ${id}`
      if (row!.count > 0) counted[table] = row!.count
    }
    return counted
  }
  const earlier = await rowsOf(kept.id)
  assert.ok(
    earlier['sends'] === 3 && earlier['inbox_items'] === 3 && earlier['users'],
    JSON.stringify(earlier)
  )
  const [group] = app.db.groups
  const before = await rowsOf('gone')
  await purgeEnvironments(app.db, group!)
  assert.deepEqual(await rowsOf('gone'), before, 'other nodes may still know it and write')
  await app.db.control`update environments set deleted_at = now() - interval '61 seconds' where id = 'gone'`
  await purgeEnvironments(app.db, group!)
  assert.deepEqual(await rowsOf('gone'), {})
  assert.deepEqual(await rowsOf(kept.id), earlier)
  await make({ clientId: 'gone' })
})

test('purges in several statements if one takes too long', async () => {
  await using t = await testDb()
  const { control } = t.db
  await control`
    insert into environments (id, secret, deleted_at) values ('big', '', now() - interval '61 seconds')`
  await control`
    insert into users (bucket, env_id, id) select i, 'big', 'u' from generate_series(0, 15) i`
  await control`
    create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.05); return old; end'`
  await control`
    create trigger slow before delete on users for each row execute function slow()`
  const work = connect(t.url, { connection: { statement_timeout: 300 }, max: 1 })
  try {
    const group = { ...t.db.groups[0]!, work }
    await purgeEnvironments({ ...t.db, groups: [group] }, group)
  } finally {
    await work.end()
  }
  const left = await control`
    select env_id from users where bucket >= 0 union all select id from environments where id = 'big'`
  assert.equal(left.length, 0)
})

test('purges every table with an environment id', async () => {
  const rows = await app.db.control<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute e on e.attrelid = c.oid and e.attname = 'env_id'
    join pg_attribute b on b.attrelid = c.oid and b.attname = 'bucket'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  assert.deepEqual(
    rows.map(({ name }) => name),
    ENVIRONMENT_TABLES.toSorted(),
    'a new table belongs into server/environments/purge.sql.ts'
  )
})
