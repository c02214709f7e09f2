// A list whose server is killed in the middle: the repeated request sends the rest, nothing twice, and says so in one answer.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import postgres from 'postgres'

import type { SendListAnswer } from '../../../server/client/send.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../../process/send-and-read.ts'
import { testDb } from '../../support/db.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'
import { startServer, until, type ServerProcess } from '../../support/process.ts'

const COUNT = 400
const LOCKED = 217

const body = JSON.stringify({
  inapp: { title: 'Hi {{ name }}' },
  to: Array.from({ length: COUNT }, (_, i) => ({ id: `u${i}`, parameters: { name: `${i}` } })),
  type: 'list'
})

const post = (server: ServerProcess, text: string, key: string): Promise<Response> =>
  fetch(`${server.base}/${CLIENT}/sender`, {
    body: text,
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
      'idempotency-key': key
    },
    method: 'POST'
  })

const skip = plainPostgresOnly('it sees which statement waits for a lock, and that is on a worker')

test('a crash in the middle of a list loses and doubles no send', { skip, timeout: 120_000 }, async t => {
  await using database = await testDb()
  const sql = postgres(database.url, { max: 4 })
  t.after(() => sql.end())
  const start = () => startServer({ databaseUrl: database.url, env: { ...OWN_KEYS, NOTIF_ROLE: 'api' } })
  const count = async (): Promise<number> =>
    (await sql<{ n: number }[]>`select count(*)::int as n from sends where body->>'type' = 'list'`)[0]!.n
  const isWaiting = async (statement: string): Promise<boolean> =>
    (
      await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike ${`%${statement}%`}`
    ).count > 0

  let server = await start()
  await using _ = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  // Creates the row of its counters, which the next send locks.
  const single = { inapp: { title: 'x' }, to: { id: `u${LOCKED}` }, type: 'single' }
  assert.equal((await post(server, JSON.stringify(single), 'single')).status, 200)

  /** Kills the server while the list waits for the rows that `lock` holds. */
  const killWhileLocked = async (lock: (tx: postgres.TransactionSql) => Promise<unknown>, at: string) => {
    await sql.begin(async tx => {
      await lock(tx)
      const answer = post(server, body, 'k').then(
        ({ status }) => status,
        () => 'none'
      )
      await until(() => isWaiting(at), `the list waits for ${at}`)
      await server.end('SIGKILL')
      assert.equal(await answer, 'none')
    })
    server = await start()
  }

  await killWhileLocked(
    tx => tx`select from inbox_counters where user_id = ${`u${LOCKED}`} for update`,
    'insert into sends'
  )
  const written = await count()
  assert.ok(written > 0 && written < COUNT, `${written} of ${COUNT} were sent before the crash`)

  await killWhileLocked(
    tx => tx`select from idempotency_keys where user_id = '' and key = 'k' for update`,
    'update idempotency_keys'
  )
  assert.equal(await count(), COUNT, 'the repeat sends the rest')

  const third = await post(server, body, 'k')
  assert.equal(third.status, 202)
  const text = await third.text()
  const { results } = JSON.parse(text) as SendListAnswer
  const sends = await sql<{ id: string; user: string }[]>`
    select id, user_id as user from sends where body->>'type' = 'list'`
  const userOf = new Map(sends.map(({ id, user }) => [id, user]))
  assert.deepEqual(
    results.map(result => userOf.get('trackingId' in result ? result.trackingId : '')),
    Array.from({ length: COUNT }, (_, i) => `u${i}`)
  )
  const items = await sql`select from inbox_items where notification_id = 'list'`
  assert.equal(items.count, COUNT)
  const fourth = await post(server, body, 'k')
  assert.equal(await fourth.text(), text)
  assert.equal(fourth.headers.get('idempotent-replayed'), 'true')
  assert.equal(await count(), COUNT)
})
