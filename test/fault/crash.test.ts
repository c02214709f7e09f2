// Promise 1: repeated kill -9 of the server and its database under load loses and duplicates no send.
//
// node --test test/fault/crash.test.ts; NOTIF_TEST_KILLS=server,database (default 20,5) sets other numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { startEmbedded } from '../../server/db/embedded/embedded.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { startServer, temporaryDir, type ServerProcess } from '../support/process.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const [SERVER_KILLS = 20, DATABASE_KILLS = 5] = (process.env['NOTIF_TEST_KILLS'] ?? '20,5')
  .split(',')
  .map(Number)
const CALLERS = 8
const USERS = 25
/** Sends that must be accepted between two kills, so that each kill interrupts work. */
const BETWEEN = 40

test('accepted = delivered, through every crash', { timeout: 300_000 }, async t => {
  const dataDir = temporaryDir()
  // All retries come from one address, so its limit is raised.
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
    // A send whose answers were all lost may have been executed once; its retry returned the tracking id.
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
