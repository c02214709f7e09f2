// If the clock of the database is set back, new sends are delivered, and the statement of docs/operator.md frees waiting ones.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import type { Sql } from '../../server/db/db.ts'
import { deliver, onlyGroup, openTestQueues, newRow, put } from '../queue/test-queue.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { until } from '../support/process.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/operator.md'), 'utf8')
const [, statement = ''] = /^### The clock was set back$.*?^```sql\n(.*?)^```$/ms.exec(page) ?? []

/** Seconds by which the clock of later connections is wrong. */
async function openClock(sql: Sql): Promise<(seconds: number) => Promise<unknown>> {
  await sql`create table jump as select 0 as seconds`
  for (const name of ['now', 'clock_timestamp']) {
    await sql.unsafe(`create function public.${name}() returns timestamptz language sql stable as
      'select pg_catalog.${name}() + make_interval(secs => seconds) from public.jump'`)
  }
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  await sql`alter database ${sql(row!.name)} set search_path = public, pg_catalog`
  return seconds => sql`update jump set seconds = ${seconds}`
}

test('delivers after the clock of the database is set back by an hour', { timeout: 60_000 }, async () => {
  await using t = await testDb()
  const setClock = await openClock(onlyGroup(t.db).sql)
  const db = await openTestDb({ connections: 2, listenUrl: '', url: t.url })
  const sent: string[] = []
  const queues = openTestQueues(db)
  const sends = (user: string): Promise<void> => until(() => sent.includes(user), `${user} is sent`, 15_000)
  try {
    queues.add(
      deliver(async ({ userId }) => {
        sent.push(userId)
        return { kind: 'sent', ref: 'ok' }
      })
    )
    queues.start()
    await put(db, [newRow('before')])
    await sends('before')

    await setClock(-3600)
    const { sql } = onlyGroup(db)
    // As they were before: one that nobody has taken yet, and one of a worker that has ended.
    const runAt = new Date()
    await put(db, [
      { ...newRow('queued'), runAt },
      { ...newRow('held'), runAt }
    ])
    await sql`update outbox set leased = true, claim_count = 1 where user_id = 'held'`
    await put(db, [newRow('after')])
    await sends('after')
    assert.deepEqual(sent, ['before', 'after'])
    // The clock is about to go forward by more than a lease, after which it would be claimed again.
    await until(
      async () => (await sql`select from outbox where user_id = 'after'`).count === 0,
      'after is finished'
    )

    assert.equal((await sql.unsafe(statement)).count, 2)
    await setClock(-3600 + 121)
    await Promise.all(['queued', 'held'].map(sends))
    assert.equal(sent.length, 4)
  } finally {
    await queues.stop(0)
    await db.close()
  }
})
