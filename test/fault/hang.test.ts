// A database that hangs: what waits is bounded, the rest is told to come back, the process stays alive, and nothing
// that was promised is missing when the database answers again.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OWN_KEYS, send } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'
import { assertConserved } from './conservation.ts'
import { openRoad } from './database-proxy.ts'

/** Characters of each send: 64 MiB of waiting requests hold 279 of them. */
const CHARACTERS = 240_000
const QUEUE = 250
const SENDS = 450

test('a hanging database fills a bounded queue, and what was taken is written when it is back', async t => {
  await using database = await testDb()
  await using road = await openRoad(database.url)
  await using server = await startServer({
    databaseUrl: road.url,
    env: OWN_KEYS
  })
  assert.equal((await send(server, 'before')).status, 200)

  road.stop()
  const statuses: number[] = []
  const answers = Array.from({ length: SENDS }, async (_, i) => {
    const answer = await send(server, `send ${i}`, `send ${i}`, { text: 'x'.repeat(CHARACTERS) })
    if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0)
    statuses.push(answer.status)
  })
  await until(() => statuses.length >= SENDS - QUEUE - 60, 'those who find no room are told at once')
  assert.deepEqual(new Set(statuses), new Set([503]))
  assert.equal((await fetch(`${server.base}/healthz`)).status, 200)

  road.go()
  await Promise.all(answers)
  const taken = statuses.filter(status => status === 200).length
  assert.ok(taken >= QUEUE, `${taken} were taken`)
  assert.equal(taken + statuses.filter(status => status === 503).length, SENDS)
  const { sends } = await assertConserved(database.db.of(0).sql)
  assert.equal(sends, taken + 1)
  t.diagnostic(`${taken} waited and were written, ${SENDS - taken} were told to come back`)
})
