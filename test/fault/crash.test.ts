// Promise 1: kill -9 of the server and of its database, again and again under load, loses and doubles nothing.
//
// node --test test/fault/crash.test.ts; TEST_KILLS=server,database (default 20,5, in `npm test` 2,1) takes other numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { startEmbedded } from '../../server/db/embedded/embedded.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { startServer, temporaryDir, type ServerProcess } from '../support/process.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const KILLS = process.env['TEST_KILLS'] ?? (process.env['TEST_FEW'] ? '2,1' : '20,5')
const [SERVER_KILLS = 0, DATABASE_KILLS = 0] = KILLS.split(',').map(Number)
const CALLERS = 8
const USERS = 25
/** Sends that must be accepted between two kills, so that each kill meets real work. */
const BETWEEN = 40

test('accepted = delivered, through every crash', { timeout: 900_000 }, async t => {
  const dataDir = temporaryDir()
  // Retried calls come from one address; the limit is for strangers.
  const env = { ...OWN_KEYS, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
  let server: ServerProcess = await startServer({ dataDir, env })
  using callers = startCallers(() => server.base || 'http://127.0.0.1:1', { callers: CALLERS, users: USERS })

  for (let kill = 0; kill < Math.max(SERVER_KILLS, DATABASE_KILLS); kill += 1) {
    await callers.more(BETWEEN)
    if (kill < DATABASE_KILLS) {
      process.kill(server.databasePid(), 'SIGKILL')
      await callers.more(BETWEEN)
    }
    if (kill < SERVER_KILLS) {
      await server.end('SIGKILL')
      server = await startServer({ dataDir, env })
    }
  }
  await callers.more(BETWEEN)
  await callers.finish()
  assert.deepEqual(callers.surprises, [])
  assert.deepEqual(callers.split, [])
  assert.equal((await server.end('SIGTERM')).code, 0)

  const database = await startEmbedded({ connections: 10, dataDir, say: () => {} })
  const db = openDb({ connections: 2, listenUrl: database.url, url: database.url })
  try {
    const { sql } = db.of(0)
    const found = await assertConserved(sql)
    const rows = await sql<{ id: string }[]>`select id from sends`
    const stored = new Set(rows.map(({ id }) => id))
    const acked = [...callers.accepted.values()]
    assert.deepEqual(
      acked.filter(id => !stored.has(id)),
      [],
      'acknowledged, but not on disk'
    )
    assert.equal(new Set(acked).size, acked.length, 'two keys share a send')
    // A key whose every answer was lost on the way may have been executed, once: its retry has told us of it.
    assert.equal(found.sends, callers.accepted.size, 'executed more often than acknowledged')
    const items = await sql<{ id: string }[]>`select id from inbox_items`
    const inboxes = new Set(items.map(({ id }) => id))
    assert.deepEqual([...stored.symmetricDifference(inboxes)], [], 'the inboxes hold exactly what was sent')
    t.diagnostic(
      `${found.sends} sends, ${SERVER_KILLS} + ${DATABASE_KILLS} kills, repeated: ${JSON.stringify([...callers.repeats])}, ` +
        `0 lost, 0 doubled, ${found.mailedTwice} mails kept twice`
    )
  } finally {
    await db.close()
    await database.stop()
  }
})
