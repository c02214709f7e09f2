// Export and erasure of a user are complete: every table and the log are searched for traces of the user.

import assert from 'node:assert/strict'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, before, test } from 'node:test'

import { bucketOf, placementHash, uuidv7 } from '../../../server/core/id.ts'
import { connect } from '../../../server/db/connect.ts'
import {
  deleteUserRows,
  readPersonalData,
  readErasureProof,
  readUserTables,
  type ErasureProof
} from '../../../server/users/privacy/personal-data.sql.ts'
import { plainClient } from '../../inbox/live/test-node.ts'
import {
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  hashOf,
  OTHER,
  OTHER_SECRET,
  startApp,
  type Answer,
  type TestApp
} from '../../security/app.ts'
import { userIdInSameBucket } from '../../support/fixtures.ts'

/** Another user with the same id, in another environment. */
const ADA = userIdInSameBucket('ada-6f1c9e', CLIENT, OTHER)
const BOB = 'bob-2d7a40'
const EMAIL = 'ada.lovelace.6f1c9e@example.com'
const NUMBER = '+12025550147'
const TOKEN = `token-of-${randomUUID()}`
/** Texts that would prove that data of the user remain. */
const TRACES = [ADA, EMAIL, NUMBER, NUMBER.slice(1), TOKEN, 'Lovelace', 'Analytical Street']

let app: TestApp
before(async () => {
  app = await startApp({ NOTIF_WEB_PUSH_HOSTS: 'push.example' })
  for (const headers of [asBackEnd, basic(`${OTHER}:${OTHER_SECRET}`)]) {
    const client = headers === asBackEnd ? CLIENT : OTHER
    const body = { templates: { email: { html: 'x', subject: 'x' }, inapp: { title: 'Hello {{ name }}' } } }
    await call(client, 'PUT', 'notifications/comment', headers, body)
    await call(client, 'PUT', 'notifications/comment/subNotifications/s1', headers, { title: 'One' })
  }
})
after(() => app[Symbol.asyncDispose]())

async function call(
  client: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown
): Promise<Answer> {
  const answer = await app.ask(`/${client}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer
}

/** Writes data of the user into every table. */
async function live(client: string, secret: string, id: string): Promise<void> {
  const headers = basic(`${client}:${secret}`)
  const curve = createECDH('prime256v1')
  const p256dh = curve.generateKeys('base64url')
  await call(
    client,
    'POST',
    `users/${id}`,
    { ...headers, 'idempotency-key': randomUUID() },
    {
      email: EMAIL,
      number: NUMBER,
      properties: { street: 'Analytical Street' },
      slackChannel: '@Lovelace',
      slackToken: { access_token: TOKEN, authed_user: { id: TOKEN } },
      pushTokens: [{ device: { device_id: 'd' }, token: TOKEN, type: 'FCM' }],
      webPushTokens: [
        {
          sub: {
            endpoint: `https://push.example/${TOKEN}`,
            keys: { auth: randomBytes(16).toString('base64url'), p256dh }
          }
        }
      ]
    }
  )
  await call(client, 'POST', `users/${id}/preferences`, headers, [
    { channel: 'EMAIL', delivery: 'instant', notificationId: 'comment' }
  ])
  const send = (more: object) =>
    call(
      client,
      'POST',
      'sender',
      { ...headers, 'idempotency-key': randomUUID() },
      {
        parameters: { name: 'Lovelace' },
        subNotificationId: 's1',
        to: { id },
        type: 'comment',
        ...more
      }
    )
  const { json } = await send({})
  await send({ schedule: new Date(Date.now() + 86_400_000).toISOString() })
  await call(client, 'PATCH', `users/${id}/notifications/INAPP_WEB`, headers, {
    reply: { date: '2026-11-20T00:00:00Z', message: 'This is Lovelace' },
    trackingIds: [json['trackingId']]
  })
  await app.queues.idle('EMAIL')
  for (const { table, userColumn } of await readUserTables(app.db.control)) {
    if ((await held(table, userColumn, client, id)) === 0) await fill(table, client, id)
  }
}

const held = async (table: string, owner: string, client: string, id: string): Promise<number> => {
  const { control } = app.db
  const [row] = await control`
    select count(*)::int as n from ${control(table)} where env_id = ${client} and ${control(owner)} = ${id}`
  return row!['n'] as number
}

/** A row of the user in a table that the requests above do not write. */
async function fill(table: string, client: string, id: string): Promise<void> {
  const { control } = app.db
  const columns = await control<{ name: string; type: string; allowed: string | null }[]>`
    select attname as name, format_type(atttypid, null) as type, (
        select substring(pg_get_constraintdef(c.oid) from '\\(' || attname || ' = ANY \\(ARRAY\\[''([^'']+)''')
        from pg_constraint c where c.conrelid = attrelid and c.contype = 'c' and attnum = any(c.conkey) limit 1
      ) as allowed
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef`
  const values = columns.map(({ allowed, name, type }) => {
    if (allowed !== null) return allowed
    if (name === 'bucket') return bucketOf(client, id)
    if (name === 'env_id') return client
    if (name === 'user_id') return id
    if (type === 'uuid') return uuidv7(placementHash(client, id))
    if (type.startsWith('json')) return JSON.stringify({ email: EMAIL, id })
    if (type === 'bytea') return `\\x${randomBytes(8).toString('hex')}`
    if (type.startsWith('timestamp')) return new Date().toISOString()
    return type === 'text' ? `${EMAIL} ${randomUUID()}` : type === 'boolean' ? 'false' : '1'
  })
  await control.unsafe(
    `insert into ${table} (${columns.map(({ name }) => name).join()})
     values (${columns.map(({ type }, i) => `$${i + 1}::text::${type}`).join()})`,
    values.map(String)
  )
}

/** Tables that contain one of the traces. */
async function found(traces: readonly string[]): Promise<string[]> {
  const { control } = app.db
  const tables = await control<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`
  const hits: string[] = []
  for (const { name } of tables) {
    const patterns = traces.map(trace => `%${trace}%`)
    const [row] = await control`
      select count(*)::int as n from ${control(name)} t where t::text ilike any(${patterns}::text[])`
    if (row!['n'] > 0) hits.push(name)
  }
  return hits
}

const linesOf = (answer: Answer): { table: string; row: Record<string, unknown> }[] =>
  answer.text
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

test('knows every table with a bucket as data of users, except proofs, erasure epochs and counts', async () => {
  const tables = await app.db.control<{ name: string }[]>`
    select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'bucket'`
  const userTables = new Set((await readUserTables(app.db.control)).map(({ table }) => table))
  assert.deepEqual(
    tables.map(({ name }) => name).filter(name => !userTables.has(name)),
    [
      'erasure_epochs',
      'erasures',
      'log_count_deltas',
      'log_counted',
      'log_counts',
      'log_minutes',
      'task_progress'
    ],
    'a table of users needs env_id and user_id'
  )
})

test('locks tables in the order of all other writers', async () => {
  const order =
    'idempotency_keys rate_counters users devices preferences inbox_counters inbox_items outbox digest_items sends'
  const tables = (await readUserTables(app.db.control)).map(({ table }) => table)
  assert.equal(tables.slice(0, 10).join(' '), order)
  assert.deepEqual(tables.slice(10), tables.slice(10).toSorted())
})

test('exports every row of the user, and no row of another user', async () => {
  await live(CLIENT, 'secret-of-client-1-4f7d', BOB)
  const many = Array.from({ length: 450 }, (_, i) => ({ delivery: 'off', notificationId: `type ${i}` }))
  await call(CLIENT, 'POST', `users/${BOB}/preferences`, asBackEnd, many)
  const answer = await call(CLIENT, 'GET', `users/${BOB}/export`, asBackEnd)
  assert.match(answer.headers['content-type']!, /^application\/x-ndjson/)
  const counts: Record<string, number> = {}
  for (const { row, table } of linesOf(answer)) {
    assert.equal(row['env_id'], CLIENT)
    assert.ok(!('slack_token' in row), 'no credential')
    assert.equal(row[table === 'users' ? 'id' : 'user_id'], BOB)
    counts[table] = (counts[table] ?? 0) + 1
  }
  for (const { userColumn, table } of await readUserTables(app.db.control)) {
    if (table.startsWith('user_export')) continue
    const rows = await held(table, userColumn, CLIENT, BOB)
    assert.ok(rows > 0, `the test leaves nothing in ${table}`)
    assert.equal(counts[table], rows, table)
  }
  assert.equal(linesOf(await call(CLIENT, 'GET', 'users/nobody/export', asBackEnd)).length, 0)
  assert.equal((await app.ask(`/${CLIENT}/users/${BOB}/export`, { headers: asUser(BOB) })).status, 401)
})

test('does not log an error if a reader disconnects during an export', async () => {
  const headers = { ...asBackEnd, connection: 'close' }
  await new Promise<void>((resolve, reject) => {
    const asked = request({ headers, path: `/${CLIENT}/users/${BOB}/export`, port: app.port }, response => {
      response.once('data', () => asked.destroy())
      response.once('close', resolve)
      response.on('error', () => {})
    })
    asked.on('error', error =>
      (error as { code?: string }).code === 'ECONNRESET' ? resolve() : reject(error)
    )
    asked.end()
  })
  const again = () => app.ask(`/${CLIENT}/users/${BOB}/export`, { headers: asBackEnd })
  let answer = await again()
  // Until the server has noticed the disconnect: an environment has one slot.
  while (answer.status === 503) answer = await again()
  assert.ok(linesOf(answer).length > 450)
  const failed = app
    .log()
    .split('\n')
    .filter(line => line.includes('request failed'))
  assert.deepEqual(
    failed.filter(line => !line.includes('"status":503')),
    []
  )
})

test('lets a reader take longer than the statement time-out of the server', async () => {
  const [group] = app.db.groups
  const exportPool = connect(app.db.listenUrl, {
    connection: { idle_in_transaction_session_timeout: 200, statement_timeout: 200 },
    max: 1
  })
  const user = { bucket: bucketOf(CLIENT, BOB), envId: CLIENT, userId: BOB }
  let rows = 0
  await readPersonalData({ ...group!, exports: exportPool }, user, async () => {
    // For every row, so also between the fetches of one table.
    if (rows++ % 100 === 0) await app.db.control`select pg_sleep(0.3)`
  })
  await exportPool.end()
  assert.ok(rows > 450)
})

test('exports one snapshot, however long its reader takes', async () => {
  const user = { bucket: bucketOf(CLIENT, BOB), envId: CLIENT, userId: BOB }
  const seen: string[] = []
  await readPersonalData(app.db.groups[0]!, user, async (table, row) => {
    if (seen.length === 0) await fill('sandbox_messages', CLIENT, BOB)
    seen.push(`${table} ${JSON.stringify(row)}`)
  })
  const kept = seen.filter(line => line.startsWith('sandbox_messages ')).length
  assert.equal(kept, (await held('sandbox_messages', 'user_id', CLIENT, BOB)) - 1)
})

test('erases every row and log line of the user, and leaves only a proof', async () => {
  await live(CLIENT, 'secret-of-client-1-4f7d', ADA)
  await live(OTHER, OTHER_SECRET, ADA)
  const userTables = await readUserTables(app.db.control)
  assert.deepEqual((await found([ADA])).toSorted(), userTables.map(({ table }) => table).toSorted())
  const rowsOf = async (client: string, id: string) =>
    Promise.all(userTables.map(({ userColumn, table }) => held(table, userColumn, client, id)))
  const bob = await rowsOf(CLIENT, BOB)
  const other = await rowsOf(OTHER, ADA)

  for (const { row } of linesOf(await call(CLIENT, 'GET', `users/${ADA}/export`, asBackEnd)))
    assert.equal(row['env_id'], CLIENT)
  const erased = await call(CLIENT, 'DELETE', `users/${ADA}`, asBackEnd)
  assert.deepEqual(
    Object.keys(erased.json['removed'] as object).toSorted(),
    userTables.map(({ table }) => table).toSorted()
  )
  assert.deepEqual(
    await rowsOf(CLIENT, ADA),
    userTables.map(() => 0)
  )
  assert.deepEqual(await rowsOf(CLIENT, BOB), bob)
  assert.deepEqual(await rowsOf(OTHER, ADA), other)

  const proof = await call(CLIENT, 'GET', `erasures/${String(erased.json['erasureId'])}`, asBackEnd)
  assert.deepEqual(proof.json, erased.json)
  const elsewhere = `/${OTHER}/erasures/${String(erased.json['erasureId'])}`
  assert.equal((await app.ask(elsewhere, { headers: basic(`${OTHER}:${OTHER_SECRET}`) })).status, 404)

  await call(OTHER, 'DELETE', `users/${ADA}`, basic(`${OTHER}:${OTHER_SECRET}`))
  await call(CLIENT, 'DELETE', `users/${BOB}`, asBackEnd)
  assert.deepEqual(await found([...TRACES, BOB]), [])
  for (const trace of [...TRACES, BOB]) assert.ok(!app.log().includes(trace), trace)

  const again = await call(CLIENT, 'DELETE', `users/${ADA}`, asBackEnd)
  assert.deepEqual(again.json, { redacted: {}, removed: {} })
  assert.deepEqual((await call(CLIENT, 'GET', `users/${ADA}`, asBackEnd)).json, { id: ADA })
})

test('adds the rows of a later round to the proof of the first', async () => {
  const userId = 'dora'
  const user = { bucket: bucketOf(CLIENT, userId), envId: CLIENT, userId }
  const send = () => call(CLIENT, 'POST', 'sender', asBackEnd, { to: { id: userId }, type: 'comment' })
  const runRound = (before?: ErasureProof) => app.db.control.begin(tx => deleteUserRows(tx, user, before))
  const readEpoch = async () => {
    const [row] = await app.db.control<{ epoch: number }[]>`
      select epoch from erasure_epochs where bucket = ${user.bucket} and env_id = ${CLIENT}`
    return row!.epoch
  }
  await send()
  await send()
  const first = await runRound()
  const before = await readEpoch()
  await send()
  const second = await runRound(first.proof)
  assert.equal(await readEpoch(), before + 1, 'a send between the two rounds sees another epoch')
  const { id, removed } = second.proof!
  assert.deepEqual([id, first.removed['sends'], second.removed['sends']], [first.proof!.id, 2, 1])
  for (const [table, rows] of Object.entries(removed))
    assert.equal(rows, (first.removed[table] ?? 0) + (second.removed[table] ?? 0), table)
  assert.deepEqual(await readErasureProof(app.db.control, { ...user, id }), second.proof)
  assert.deepEqual(await runRound(second.proof), { removed: {} })
})

test('resets open pages, and pages that come back to a new inbox with the same user id', async () => {
  const id = 'cleo'
  const send = () => call(CLIENT, 'POST', 'sender', asBackEnd, { to: { id }, type: 'comment' })
  await send()
  await send()
  const version = (await call(CLIENT, 'GET', `users/${id}/inbox`, asBackEnd)).json['version'] as number
  const join = () => {
    const client = plainClient(app, '/ws?kit=1', { origin: 'https://a.example' })
    client.socket.once('open', () =>
      client.send('inbox/hello', { clientId: CLIENT, protocol: 1, userHash: hashOf(id), userId: id, version })
    )
    return client
  }
  const page = join()
  await page.frames.route('inbox/head')
  await call(CLIENT, 'DELETE', `users/${id}`, asBackEnd)
  assert.deepEqual((await page.frames.route('inbox/reset')).payload, { reset: true, version: 0 })
  await send()
  const { payload } = await page.frames.route('inbox/change')
  assert.equal(payload.prev, 0)
  assert.deepEqual(payload.counts, { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 })
  page.close()
  // Offline all the time: its version belongs to the deleted inbox.
  const sleeper = join()
  const reset = await sleeper.frames.route('inbox/reset')
  assert.equal(reset.payload.version, payload.version)
  sleeper.close()
  const since = await call(CLIENT, 'GET', `users/${id}/inbox/changes?since=0`, asBackEnd)
  assert.equal((since.json['items'] as unknown[]).length, 1)
})
