// Connections whose other end vanished without a word: noticed within seconds, and reading callers do not notice at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { CLIENT, OWN_KEYS, SECRET, send } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'
import { assertConserved } from './conservation.ts'
import { openRoad } from './database-proxy.ts'

/** Milliseconds: TCP alone takes a quarter of an hour. */
const SOON = 10_000

test('a statement on a dead line fails within seconds, a long one that works is waited for', async t => {
  await using database = await testDb()
  await using road = await openRoad(database.url)
  const db = openDb({ connections: 2, listenUrl: '', url: road.url })
  try {
    const slow = db.control.begin(async tx => {
      await tx`set local statement_timeout = 0`
      const [row] = await tx<{ done: boolean }[]>`select true as done from pg_sleep(8)`
      return row!.done
    })
    assert.equal(await slow, true)
    await Promise.all([db.control`select 1`, db.control`select 1`])
    road.strand()
    const began = performance.now()
    await assert.rejects(db.control`select 1`, { code: 'CONNECTION_CLOSED' })
    const took = performance.now() - began
    t.diagnostic(`noticed after ${Math.round(took)} ms`)
    assert.ok(took < SOON, `${took} ms`)
    assert.equal((await db.control<{ one: number }[]>`select 1 as one`)[0]!.one, 1)
  } finally {
    await db.close()
  }
})

/** A row that a transaction over a road changes and does not give free. */
async function openLocked() {
  const database = await testDb()
  const road = await openRoad(database.url)
  const db = openDb({ connections: 2, listenUrl: '', url: road.url })
  const { sql, work } = database.db.of(0)
  await sql`create table things (count integer not null)`
  await sql`insert into things values (0)`
  return {
    async [Symbol.asyncDispose]() {
      await db.close()
      await road[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
    /** Of a connection that has nothing to do between two questions. */
    async backend(): Promise<number> {
      const [row] = await work<{ pid: number }[]>`select pg_backend_pid() as pid`
      return row!.pid
    },
    /** As a send that finds the inbox of its user locked: it is told to come back, and comes. Resolves with milliseconds. */
    async change(): Promise<number> {
      const began = performance.now()
      for (;;) {
        const done = await sql`update things set count = count + 10`.catch((error: { code?: string }) => {
          assert.equal(error.code, '57014')
          assert.ok(performance.now() - began < 3 * SOON, 'the row is still locked')
        })
        if (done) return performance.now() - began
      }
    },
    db,
    road,
    sql
  }
}

const DEATHS = {
  // The backend waits for the values of a statement that it has read: it calls this active, and its transaction not idle.
  'in the middle of a statement': road => road.strandAfter('select 77'),
  'between two statements': road => road.strand()
} satisfies Record<string, (road: Awaited<ReturnType<typeof openRoad>>) => void>

for (const [when, die] of Object.entries(DEATHS)) {
  test(`what a line that died ${when} had locked is free again soon`, async t => {
    await using locked = await openLocked()
    const neighbour = await locked.backend()
    const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>()
    const cut = locked.db.control.begin(async tx => {
      await tx`update things set count = 1`
      changed()
      die(locked.road)
      await tx`select 77`
    })
    const refused = assert.rejects(cut, { code: 'CONNECTION_CLOSED' })
    await isChanged
    const took = await locked.change()
    await refused
    t.diagnostic(`free after ${Math.round(took)} ms`)
    assert.ok(took < SOON, `${took} ms`)
    assert.deepEqual([...(await locked.sql`select count from things`)], [{ count: 10 }])
    assert.equal(await locked.backend(), neighbour, 'who was idle as well is left alone')
  })
}

test('what a node that stands still has locked is free again soon', async t => {
  await using locked = await openLocked()
  const still = locked.db.control.begin(async tx => {
    await tx`update things set count = 1`
    t.diagnostic(`free after ${Math.round(await locked.change())} ms`)
    await tx`select 1`
  })
  await assert.rejects(still, { code: 'CONNECTION_CLOSED' })
  assert.deepEqual([...(await locked.sql`select count from things`)], [{ count: 10 }])
})

test('who reads a cursor slowly is not taken for a dead line', async () => {
  await using locked = await openLocked()
  // A pool whose statements may take 15 s: those of the other may take 5, and a busy machine needs that for a sleep of 4.5.
  const { work } = locked.db.of(0)
  const read: number[] = []
  for await (const rows of work<{ i: number }[]>`select i from generate_series(1, 3) as i`.cursor(1)) {
    read.push(rows[0]!.i)
    // Longer than the time-out of the liveness check and the check itself.
    if (read.length === 2) await work`select pg_sleep(4.5)`
  }
  assert.deepEqual(read, [1, 2, 3])
})

const read = (base: string): Promise<Response> =>
  fetch(`${base}/${CLIENT}/users/u1`, {
    headers: { authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}` },
    signal: AbortSignal.timeout(2 * SOON)
  })

test('requests over dead lines: reads are answered, sends are told to come back and lose nothing', async () => {
  await using database = await testDb()
  await using road = await openRoad(database.url)
  await using server = await startServer({ databaseUrl: road.url, env: OWN_KEYS })
  assert.equal((await send(server, 'before')).status, 200)
  road.strand()
  const began = performance.now()
  const [sent, user] = await Promise.all([send(server, 'during', 'a key'), read(server.base)])
  assert.ok(performance.now() - began < 2 * SOON, `${performance.now() - began} ms`)
  assert.equal(user.status, 200, server.output())
  assert.ok([200, 503].includes(sent.status), `${sent.status}`)
  const again = await send(server, 'during', 'a key')
  assert.equal(again.status, 200)
  const { sends } = await assertConserved(database.db.of(0).sql)
  assert.equal(sends, 2)
})
