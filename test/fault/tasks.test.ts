// A task that is killed again and again goes on where it was, and moves each dead letter once.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidv7 } from '../../server/core/id.ts'
import { migrate } from '../../server/db/migrate.ts'
import { readProgress } from '../../server/environments/tasks/tasks.sql.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'

const LETTERS = 4000
const KILLS = 3
const TASK = uuidv7(0)

test('each dead letter is redriven once, through every kill -9', { timeout: 300_000 }, async () => {
  await using t = await testDb()
  const db = await openTestDb({ connections: 2, listenUrl: '', url: t.url })
  try {
    await migrate(db)
    const { control: sql } = db
    // Nothing works in their queue, so that what is redriven stays in the outbox.
    await sql`
      insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
      select i % 1024, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid, 'NONE', 8,
        'task-test', 'u' || i, '{"to": "a@example.com"}', '550'
      from generate_series(1, ${LETTERS}) i`
    await sql`insert into environments (id, secret) values ('task-test', '')`
    await sql`
      insert into tasks (id, env_id, kind, state, input, per_second, created_by)
      values (${TASK}, 'task-test', 'redrive-dead-letters', 'queued', '{"filter": {"code": "550"}}', 400, 'test')`
    const done = async (): Promise<number> => (await readProgress(db, [TASK])).get(TASK) ?? 0
    const env = { ...OWN_KEYS, NOTIF_DEMO: '0' }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await startServer({ databaseUrl: t.url, env })
      const before = await done()
      await until(async () => (await done()) > before + 200, 'the task goes on', 60_000)
      await server.end('SIGKILL')
    }
    await using server = await startServer({ databaseUrl: t.url, env })
    const state = async (): Promise<string> => {
      const [row] = await sql<{ state: string }[]>`select state from tasks where id = ${TASK}`
      return row!.state
    }
    await until(async () => (await state()) === 'done', 'the task is done', 120_000)
    const [moved] = await sql<{ letters: number; rows: number; fence: number; total: number }[]>`
      select (select count(*)::integer from dead_letters) as letters,
        (select count(*)::integer from outbox where queue = 'NONE' and claim_count = 8) as rows, fence, total
      from tasks where id = ${TASK}`
    assert.deepEqual({ ...moved }, { fence: KILLS + 1, letters: 0, rows: LETTERS, total: LETTERS })
    assert.equal(await done(), LETTERS)
    assert.equal((await server.end('SIGTERM')).code, 0)
  } finally {
    await db.close()
  }
})
