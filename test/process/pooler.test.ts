// A start with the DATABASE_URL of a transaction pooler needs DATABASE_LISTEN_URL, and then works as with the database.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { testDb } from '../support/db.ts'
import { startPgbouncer, whyNoPgbouncer } from '../support/pgbouncer.ts'
import { launch, startServer, until } from '../support/process.ts'
import { inbox, OWN_KEYS, send } from './send-and-read.ts'

const missing = whyNoPgbouncer()
if (missing !== undefined) process.stderr.write(`skipped: through a real pgbouncer, ${missing}\n`)
const skip = missing ?? false

test('refuses a pooler without the direct address', { skip }, async () => {
  await using database = await testDb()
  await using pooler = await startPgbouncer(database.url)
  await using server = launch({ databaseUrl: pooler.url })
  assert.equal((await server.ended).code, 1)
  assert.match(server.output(), /is a connection pooler\. Set DATABASE_LISTEN_URL/)
})

test('refuses to connect to the owners of shards beside a pooler, also with --check', async () => {
  const env = { DATABASE_LISTEN_URL: 'postgres://u@127.0.0.1:1/x', NOTIF_CITUS_ROUTE: 'owner' }
  for (const args of [[], ['--check']]) {
    await using server = launch({ args, databaseUrl: 'postgres://u@127.0.0.1:2/x', env })
    assert.equal((await server.ended).code, 1)
    assert.match(
      server.output(),
      /NOTIF_CITUS_ROUTE: owner connects .* unset DATABASE_LISTEN_URL, or set NOTIF_CITUS_ROUTE/
    )
  }
})

test(
  'sends and reads through a pooler with two nodes, and names missing rights of the role',
  { skip },
  async () => {
    await using database = await testDb()
    await using pooler = await startPgbouncer(database.url)
    const options = { databaseUrl: pooler.url, env: { ...OWN_KEYS, DATABASE_LISTEN_URL: database.url } }
    await using one = await startServer(options)
    const advice = [...one.output().matchAll(/^notif-kit: +(alter role .*;)$/gm)].map(([, line]) => line!)
    assert.equal(advice.length, 4, one.output())
    for (const statement of advice) await database.db.control.unsafe(statement)
    const [{ given } = assert.fail()] = await database.db.control<{ given: Date }[]>`select now() as given`
    // Backends that the pooler opened before do not know of it.
    await until(async () => {
      const [row] = await database.db.control<{ old: number }[]>`
      select count(pg_terminate_backend(pid))::integer as old from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_start < ${given}`
      return row!.old === 0
    }, 'every backend knows its role')
    await using two = await startServer(options)
    assert.doesNotMatch(two.output(), /alter role/)

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => send(i % 2 === 0 ? one : two, `number ${i}`, `key ${i}`))
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { counts, items } = await inbox(two)
    assert.equal(counts.unopened, 60)
    assert.equal(new Set(items.map(({ title }) => title)).size, 60)
    assert.equal((await one.end('SIGTERM')).code, 0, one.output())
    assert.equal((await two.end('SIGTERM')).code, 0, two.output())
  }
)

test('waits for a long statement through a pooler', { skip }, async () => {
  await using database = await testDb()
  await using pooler = await startPgbouncer(database.url)
  const db = openDb({ connections: 2, listenUrl: database.url, url: pooler.url })
  try {
    // Longer than the time-out after which a direct connection would check its backend.
    const [row] = await db.control<{ done: boolean }[]>`select true as done from pg_sleep(4)`
    assert.ok(row!.done)
  } finally {
    await db.close()
  }
})
