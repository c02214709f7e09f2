// A start with DATABASE_URL waits for a database that is down, and refuses an unusable one with one sentence.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'

import { StartupError } from '../../server/core/startup-error.ts'
import { waitForDatabase } from '../../server/db/wait-for-database.ts'
import { serverUrl, testDb, withDatabase } from '../support/db.ts'
import { launch, startServer, temporaryDir } from '../support/process.ts'
import { inbox, OWN_KEYS, send } from './send-and-read.ts'

test('shares the database of DATABASE_URL between nodes, and creates no embedded one', async () => {
  await using test = await testDb()
  await using one = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
  await using two = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
  assert.ok(!existsSync(join(one.dataDir, 'postgres')))
  assert.equal((await send(one, 'from one')).status, 200)
  assert.deepEqual(
    (await inbox(two)).items.map(item => item.title),
    ['from one']
  )
})

test('agrees on the keys if nodes start at the same time, and prints them once', async () => {
  await using test = await testDb()
  const starts = Array.from({ length: 3 }, () => startServer({ databaseUrl: test.url }))
  const servers = await Promise.all(starts)
  try {
    const tokens = servers.flatMap(({ keys }) => keys.adminToken ?? [])
    assert.equal(tokens.length, 1)
    const secrets = servers.flatMap(({ keys }) => keys.clientSecret ?? [])
    assert.equal(secrets.length, 1)
  } finally {
    await Promise.all(servers.map(server => server[Symbol.asyncDispose]()))
  }
})

test('waits for a database that is not up, and says so once', async () => {
  await using test = await testDb()
  const real = new URL(test.url)
  // A port without a listener, which later leads to the database.
  const door = createServer(socket => {
    const inner = connect(Number(real.port), real.hostname)
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  door.close()
  await once(door, 'close')
  const address = new URL(test.url)
  address.hostname = '127.0.0.1'
  address.port = String(port)
  await using server = launch({ databaseUrl: address.href, env: OWN_KEYS })
  await server.waitForOutput('waiting for the database')
  door.listen(port, '127.0.0.1')
  await server.waitForOutput(/ready at/)
  assert.equal(server.output().match(/waiting for the database/g)?.length, 1)
  await server.end('SIGKILL')
  door.close()
})

/** The startup error of a start that does not wait for its database. */
async function messageOf(url: string): Promise<string> {
  const error: unknown = await waitForDatabase({ listenUrl: url, url }, 0, () => {}).catch(error => error)
  assert.ok(error instanceof StartupError)
  return error.message
}

test('gives up on a database that stays down, with a message without its password', async () => {
  const message = await messageOf('postgres://user:hidden@127.0.0.1:1/x')
  assert.match(message, /the database at 127\.0\.0\.1:1\/x could not be used within 0 s/)
  assert.ok(!message.includes('hidden'))
})

test('gives up on a database that stays read-only', async () => {
  await using database = await testDb()
  const name = new URL(database.url).pathname.slice(1)
  await database.db.control.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  assert.match(await messageOf(database.url), /could not be used within 0 s \(it is read-only\)/)
})

test('refuses a database that does not exist immediately', async () => {
  const url = withDatabase(await serverUrl(), 'no_such_database')
  await using server = launch({ databaseUrl: url })
  assert.equal((await server.ended).code, 1)
  assert.match(server.output(), /cannot use the database at .*: database "no_such_database" does not exist/)
})

test('refuses the database of another program, and does not change it', async () => {
  await using test = await testDb()
  const sql = test.db.control
  await sql.unsafe('drop table migrations')
  await using server = launch({ databaseUrl: test.url })
  assert.equal((await server.ended).code, 1)
  assert.match(server.output(), /has tables named .*environments.* of another program/)
  const [row] = await sql<{ found: boolean }[]>`select to_regclass('migrations') is not null as found`
  assert.equal(row!.found, false)
})

test('refuses a newer schema', async () => {
  await using test = await testDb()
  await test.db.control`insert into migrations (number, name, checksum) values (9999, '9999_later.sql', '')`
  await using server = launch({ databaseUrl: test.url, dataDir: temporaryDir() })
  assert.equal((await server.ended).code, 1)
  assert.match(server.output(), /9999_later\.sql.*newer version/)
})

test('accepts sends in the api role only, and delivers in the worker role only', async () => {
  await using test = await testDb()
  await using api = await startServer({ databaseUrl: test.url, env: { ...OWN_KEYS, NOTIF_ROLE: 'api' } })
  await using worker = await startServer({
    databaseUrl: test.url,
    env: { ...OWN_KEYS, NOTIF_ROLE: 'worker' }
  })
  assert.equal((await send(api, 'to the api')).status, 200)
  assert.equal((await send(worker, 'to the worker')).status, 404)
  assert.equal((await fetch(`${worker.base}/readyz`)).status, 200)
})

test('claims no work in a start that fails, and prints one message', async () => {
  await using test = await testDb()
  await test.db.control`
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, body)
    values (1, gen_random_uuid(), 'EMAIL', now() - interval '1 minute', 'e', 'u', '{}')`
  const rows = () => test.db.control`select queue, leased, claim_count, run_at from outbox where bucket = 1`
  const before = await rows()
  // The samples of the demo go there.
  await test.db.control`alter table inbox_counters rename to away`
  await using server = launch({ databaseUrl: test.url, env: { NOTIF_DEMO: '1' } })
  const { code } = await server.ended
  assert.equal(code, 1)
  assert.match(server.output(), /relation "inbox_counters" does not exist/)
  assert.doesNotMatch(server.output(), /^\{/m, 'nothing else fails')
  assert.deepEqual(await rows(), before)
})

test('--check says whether the database answers, its version and its schema, and changes nothing', async () => {
  const check = async (databaseUrl: string) => {
    await using run = launch({ args: ['--check'], env: { DATABASE_URL: databaseUrl } })
    const { code } = await run.ended
    return { code, output: run.output() }
  }
  await using test = await testDb()
  const { control } = test.db
  const begin = String.raw`notif-kit: the settings are right\nnotif-kit: the database at \S+ answers: Postgres \d+\S*, and`
  const current = await check(test.url)
  assert.equal(current.code, 0, current.output)
  assert.match(current.output, new RegExp(`^${begin} its schema is that of this version\n$`))

  await control`insert into migrations (number, name, checksum) values (1000, '1000_later.sql', '')`
  const newer = await check(test.url)
  assert.equal(newer.code, 1)
  assert.match(newer.output, /migration 1000_later\.sql of a newer version of notif-kit/)

  await control.unsafe('drop schema public cascade; create schema public')
  const fresh = await check(test.url)
  assert.equal(fresh.code, 0, fresh.output)
  assert.match(fresh.output, new RegExp(`^${begin} it has no schema yet, which the first start creates\n$`))
  const [row] = await control`select count(*)::integer as count from pg_tables where schemaname = 'public'`
  assert.equal(row!['count'], 0)

  const away = await check('postgres://nobody@127.0.0.1:9/none')
  assert.equal(away.code, 1)
  assert.match(away.output, /DATABASE_URL: the database at 127\.0\.0\.1:9\/none could not be used within 5 s/)
})
