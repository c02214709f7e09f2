// A database that hangs: waiting sends are limited, further sends get 503, the process stays alive, and no accepted send is
// missing when the database answers again.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OWN_KEYS, send } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'
import { assertConserved } from './conservation.ts'
import { openDatabaseProxy } from './database-proxy.ts'

/** Characters of each send: half of the 64 MiB of waiting requests, which is what one environment gets, holds 139 of them. */
const CHARACTERS = 240_000
/**
 * Of these, some are refused on a busy machine: requests whose refusal is on its way take a part of the queue, and a batch that the
 * database does not take in time is refused.
 */
const MIN_TAKEN = 50
/** Beyond the queue. */
const MIN_REFUSED = 100
const SENDS = 260

test('a hanging database fills a limited queue, whose sends are written when the database answers again', async t => {
  await using database = await testDb()
  await using proxy = await openDatabaseProxy(database.url)
  await using server = await startServer({
    databaseUrl: proxy.url,
    env: OWN_KEYS
  })
  assert.equal((await send(server, 'before')).status, 200)

  proxy.stop()
  const statuses: number[] = []
  const answers = Array.from({ length: SENDS }, async (_, i) => {
    const answer = await send(server, `send ${i}`, `send ${i}`, {
      parameters: { text: 'x'.repeat(CHARACTERS) },
      timeoutMs: 60_000
    })
    if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0)
    statuses.push(answer.status)
  })
  await until(() => statuses.length >= MIN_REFUSED, 'sends beyond the limit are refused at once')
  assert.deepEqual(new Set(statuses), new Set([503]))
  assert.equal((await fetch(`${server.base}/healthz`)).status, 200)

  proxy.go()
  await Promise.all(answers)
  const taken = statuses.filter(status => status === 200).length
  assert.ok(taken >= MIN_TAKEN, `${taken} were taken`)
  assert.equal(taken + statuses.filter(status => status === 503).length, SENDS)
  const { sends } = await assertConserved(database.db.of(0).sql)
  assert.equal(sends, taken + 1)
  t.diagnostic(`${taken} waited and were written, ${SENDS - taken} were refused`)
})
