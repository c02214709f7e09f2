// Connections whose other end disappeared without a signal: detected within seconds, and reads are repeated.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { CLIENT, OWN_KEYS, SECRET, send } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'
import { assertConserved } from './conservation.ts'
import { openDatabaseProxy } from './database-proxy.ts'

/** Much longer than the detection takes, also on a busy machine. TCP alone needs a quarter of an hour. */
const DETECTION_TIMEOUT_MS = 60_000

test('a statement on a dead connection fails within seconds, a long one that runs is awaited', async t => {
  await using database = await testDb()
  await using proxy = await openDatabaseProxy(database.url)
  const db = openDb({ connections: 2, listenUrl: '', url: proxy.url })
  try {
    const slow = db.control.begin(async tx => {
      await tx`set local statement_timeout = 0`
      const [row] = await tx<{ done: boolean }[]>`select true as done from pg_sleep(8)`
      return row!.done
    })
    assert.equal(await slow, true)
    await Promise.all([db.control`select 1`, db.control`select 1`])
    proxy.strand()
    const began = performance.now()
    await assert.rejects(db.control`select 1`, { code: 'CONNECTION_CLOSED' })
    const took = performance.now() - began
    t.diagnostic(`noticed after ${Math.round(took)} ms`)
    assert.ok(took < DETECTION_TIMEOUT_MS, `${took} ms`)
    assert.equal((await db.control<{ one: number }[]>`select 1 as one`)[0]!.one, 1)
  } finally {
    await db.close()
  }
})

/** A row that a transaction through the proxy changes and keeps locked. */
async function openLocked() {
  const database = await testDb()
  const proxy = await openDatabaseProxy(database.url)
  const db = openDb({ connections: 2, listenUrl: '', url: proxy.url })
  const { sql, work } = database.db.of(0)
  await sql`create table things (count integer not null)`
  await sql`insert into things values (0)`
  return {
    async [Symbol.asyncDispose]() {
      await db.close()
      await proxy[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
    /** Drops a connection that is idle between two statements. */
    async backend(): Promise<number> {
      const [row] = await work<{ pid: number }[]>`select pg_backend_pid() as pid`
      return row!.pid
    },
    /** Repeats a statement that waits for the lock of an inbox, as a send is repeated. @returns milliseconds until it succeeds */
    async change(): Promise<number> {
      const began = performance.now()
      for (;;) {
        const done = await sql`update things set count = count + 10`.catch((error: { code?: string }) => {
          assert.equal(error.code, '57014')
          assert.ok(performance.now() - began < DETECTION_TIMEOUT_MS, 'the row is still locked')
        })
        if (done) return performance.now() - began
      }
    },
    db,
    proxy,
    sql
  }
}

const DEATHS = {
  // The backend waits for the parameters of a statement: Postgres reports it as active, and its transaction not as idle.
  'in the middle of a statement': proxy => proxy.strandAfter('select 77'),
  'between two statements': proxy => proxy.strand()
} satisfies Record<string, (proxy: Awaited<ReturnType<typeof openDatabaseProxy>>) => void>

for (const [when, die] of Object.entries(DEATHS)) {
  test(`locks of a connection that died ${when} are released soon`, async t => {
    await using locked = await openLocked()
    const neighbour = await locked.backend()
    const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>()
    const cut = locked.db.control.begin(async tx => {
      await tx`update things set count = 1`
      changed()
      die(locked.proxy)
      await tx`select 77`
    })
    const refused = assert.rejects(cut, { code: 'CONNECTION_CLOSED' })
    await isChanged
    const took = await locked.change()
    await refused
    t.diagnostic(`free after ${Math.round(took)} ms`)
    assert.deepEqual([...(await locked.sql`select count from things`)], [{ count: 10 }])
    assert.equal(await locked.backend(), neighbour, 'the other idle connection is not closed')
  })
}

test('locks of a frozen node are released soon', async t => {
  await using locked = await openLocked()
  const still = locked.db.control.begin(async tx => {
    await tx`update things set count = 1`
    t.diagnostic(`free after ${Math.round(await locked.change())} ms`)
    await tx`select 1`
  })
  await assert.rejects(still, { code: 'CONNECTION_CLOSED' })
  assert.deepEqual([...(await locked.sql`select count from things`)], [{ count: 10 }])
})

test('a slow reader of a cursor is not treated as a dead connection', async () => {
  await using locked = await openLocked()
  // A pool with a statement time-out of 15 s, because a busy machine needs more than 5 s for a sleep of 4.5 s.
  const { work } = locked.db.of(0)
  const read: number[] = []
  for await (const rows of work<{ i: number }[]>`select i from generate_series(1, 3) as i`.cursor(1)) {
    read.push(rows[0]!.i)
    // Longer than the interval and the time-out of the liveness check.
    if (read.length === 2) await work`select pg_sleep(4.5)`
  }
  assert.deepEqual(read, [1, 2, 3])
})

const read = (base: string): Promise<Response> =>
  fetch(`${base}/${CLIENT}/users/u1`, {
    headers: { authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}` },
    signal: AbortSignal.timeout(DETECTION_TIMEOUT_MS)
  })

test('over dead connections reads are answered, and sends get 503 and lose nothing', async () => {
  await using database = await testDb()
  await using proxy = await openDatabaseProxy(database.url)
  await using server = await startServer({ databaseUrl: proxy.url, env: OWN_KEYS })
  assert.equal((await send(server, 'before')).status, 200)
  proxy.strand()
  const [sent, user] = await Promise.all([send(server, 'during', 'a key'), read(server.base)])
  assert.equal(user.status, 200, server.output())
  assert.ok([200, 503].includes(sent.status), `${sent.status}`)
  const again = await send(server, 'during', 'a key')
  assert.equal(again.status, 200)
  const { sends } = await assertConserved(database.db.of(0).sql)
  assert.equal(sends, 2)
})
