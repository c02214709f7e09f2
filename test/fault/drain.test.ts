// SIGTERM under load: every stored send was answered, every unanswered one is not stored, and the exit code is 0.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openDb } from '../../server/db/db.ts'
import { startEmbedded } from '../../server/db/embedded/embedded.ts'
import { OWN_KEYS, send } from '../process/send-and-read.ts'
import { startServer, temporaryDir } from '../support/process.ts'
import { assertConserved } from './conservation.ts'

const CALLERS = 16
const ROUNDS = 3

test('answers every accepted send before the server stops', { timeout: 120_000 }, async t => {
  const dataDir = temporaryDir()
  const env = { ...OWN_KEYS, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
  const answered = new Set<string>()
  let unanswered = 0

  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer({ dataDir, env })
    const enough = Promise.withResolvers<void>()
    const stopped = new AbortController()
    const caller = async (name: number): Promise<void> => {
      for (let i = 0; !stopped.signal.aborted; i += 1) {
        const key = `${round}-${name}-${i}`
        try {
          const answer = await send(server, key, key)
          await answer.text()
          if (answer.ok) answered.add(key)
        } catch {
          unanswered += 1
          // Refused from now on, because this process does not start again.
          return
        }
        if (answered.size > 200 * (round + 1)) enough.resolve()
      }
    }
    const callers = Array.from({ length: CALLERS }, (_, name) => caller(name))
    await enough.promise
    const { code } = await server.end('SIGTERM')
    stopped.abort()
    await Promise.all(callers)
    assert.equal(code, 0, server.output())
  }

  const database = await startEmbedded({ connections: 10, dataDir, say: () => {} })
  const db = openDb({ connections: 2, listenUrl: database.url, url: database.url })
  try {
    const { sql } = db.of(0)
    await assertConserved(sql)
    const keys = await sql<{ key: string }[]>`select key from idempotency_keys`
    const stored = new Set(keys.map(({ key }) => key))
    assert.deepEqual([...stored.difference(answered)], [], 'stored, but not answered')
    assert.deepEqual([...answered.difference(stored)], [], 'answered, but not stored')
    t.diagnostic(
      `${answered.size} accepted in ${ROUNDS} lives, ${unanswered} connections refused at their ends`
    )
  } finally {
    await db.close()
    await database.stop()
  }
})
