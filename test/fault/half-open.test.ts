// Connections whose other end vanished without a word: noticed within seconds, and reading callers do not notice at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/sql.ts'
import { CLIENT, OWN_KEYS, SECRET, send } from '../process/call.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'
import { assertConserved } from './conservation.ts'
import { openRoad } from './road.ts'

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
  assert.equal(user.status, 200)
  assert.ok([200, 503].includes(sent.status), `${sent.status}`)
  const again = await send(server, 'during', 'a key')
  assert.equal(again.status, 200)
  const { sends } = await assertConserved(database.db.of(0).sql)
  assert.equal(sends, 2)
})
