// An erasure and an export that are killed again and again end, with nothing lost, left or counted twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { digestUserId } from '../../server/core/hash.ts'
import { bucketOf, uuidv7 } from '../../server/core/id.ts'
import { migrate } from '../../server/db/migrate.ts'
import { readProgress } from '../../server/environments/tasks/tasks.sql.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'

const ENV = 'user-task-test'
const USER = 'ada-5e0c'
const ROWS = 20_000
const KILLS = 1
const EXPORT = uuidv7(0)
const ERASURE = uuidv7(0)
const bucket = bucketOf(ENV, USER)

test('an export and an erasure end, through every kill -9', { timeout: 300_000 }, async () => {
  await using t = await testDb()
  const db = await openTestDb({ connections: 2, listenUrl: '', url: t.url })
  try {
    await migrate(db)
    const { control: sql } = db
    await sql`insert into environments (id, secret) values (${ENV}, '')`
    await sql`insert into users (bucket, env_id, id) values (${bucket}, ${ENV}, ${USER})`
    // Its statements may take longer.
    await db.groups[0]!.work`
      insert into received (bucket, env_id, user_id, key, notification_id)
      select ${bucket}, ${ENV}, ${USER}, int4send(i), repeat('n', 500) from generate_series(1, ${ROWS}) i`
    // Each chunk takes as long as on a slow disk, so that a kill meets the work.
    await sql.unsafe(`
      create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end';
      create trigger slow after delete on received for each statement execute function slow();
      create trigger slow after insert on user_export_parts for each statement execute function slow()`)
    const create = async (id: string, kind: string): Promise<void> => {
      await sql`
        insert into tasks (id, env_id, kind, state, input, per_second, created_by, user_digest)
        values (${id}, ${ENV}, ${kind}, 'queued', ${sql.json({ userId: USER })}, 0, 'test', ${digestUserId(ENV, USER)})`
    }
    const done = async (id: string): Promise<number> => (await readProgress(db, [id])).get(id) ?? 0
    const env = { ...OWN_KEYS, NOTIF_DEMO: '0' }
    const runThroughKills = async (id: string): Promise<void> => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const server = await startServer({ databaseUrl: t.url, env })
        const before = await done(id)
        await until(async () => ![0, before].includes(await done(id)), 'the task goes on', 60_000)
        await server.end('SIGKILL')
      }
      await using server = await startServer({ databaseUrl: t.url, env })
      const read = async () => {
        const [row] = await sql<{ state: string; fence: number; total: number }[]>`
          select state, fence, total from tasks where id = ${id}`
        return row!
      }
      await until(async () => (await read()).state !== 'running', 'the task ends', 120_000)
      assert.deepEqual({ ...(await read()) }, { fence: KILLS + 1, state: 'done', total: ROWS + 1 })
      assert.equal(await done(id), ROWS + 1)
      assert.equal((await server.end('SIGTERM')).code, 0)
    }

    await create(EXPORT, 'export-user')
    await runThroughKills(EXPORT)
    const parts = await sql<{ content: Buffer }[]>`
      select content from user_export_parts where bucket = ${bucket} and task_id = ${EXPORT} order by part`
    const lines = Buffer.concat(parts.map(({ content }) => content))
      .toString()
      .trim()
      .split('\n')
    assert.equal(new Set(lines).size, ROWS + 1)
    assert.equal(lines.length, ROWS + 1)
    await sql`delete from user_exports`
    await sql`delete from user_export_parts`

    await create(ERASURE, 'erase-user')
    await runThroughKills(ERASURE)
    const [left] = await sql<
      { rows: number; proofs: number; removed: object; input: object; tasks: number }[]
    >`
      select (select count(*)::integer from received) + (select count(*)::integer from users) as rows,
        (select count(*)::integer from erasures) as proofs, (select removed from erasures) as removed,
        input, (select count(*)::integer from tasks) as tasks
      from tasks where id = ${ERASURE}`
    assert.deepEqual(
      { ...left },
      { input: {}, proofs: 1, removed: { received: ROWS, users: 1 }, rows: 0, tasks: 1 }
    )
  } finally {
    await db.close()
  }
})
