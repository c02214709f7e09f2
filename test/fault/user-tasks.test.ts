// An erasure and an export that are killed again and again end, with nothing lost, left or counted twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { digestUserId } from '../../server/core/hash.ts'
import { bucketOf, uuidv7 } from '../../server/core/id.ts'
import { openDb } from '../../server/db/db.ts'
import { migrate } from '../../server/db/migrate.ts'
import { readProgress } from '../../server/environments/tasks/tasks.sql.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'

const ENV = 'user-task-test'
const USER = 'ada-5e0c'
const ROWS = 60_000
const KILLS = 2
const EXPORT = uuidv7(0)
const ERASURE = uuidv7(0)
const bucket = bucketOf(ENV, USER)

test('an export and an erasure end, through every kill -9', { timeout: 300_000 }, async () => {
  await using t = await testDb()
  const db = openDb({ connections: 2, listenUrl: '', url: t.url })
  try {
    await migrate(db)
    const { control: sql } = db
    await sql`insert into environments (id, secret) values (${ENV}, '')`
    await sql`insert into users (bucket, env_id, id) values (${bucket}, ${ENV}, ${USER})`
    await sql`
      insert into sandbox_messages (bucket, id, env_id, user_id, send_id, notification_id, channel, message)
      select ${bucket}, gen_random_uuid(), ${ENV}, ${USER}, gen_random_uuid(), 'x', 'EMAIL', jsonb_build_object('i', i)
      from generate_series(1, ${ROWS}) i`
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
      console.log(
        'DBG',
        await sql`select part, length(content) as n from user_export_parts order by part`.then(r => [
          r.length,
          r.at(0),
          r.at(-1)
        ]),
        await sql`select * from task_progress`,
        server.output?.slice?.(-3000)
      )
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
      select (select count(*)::integer from sandbox_messages) + (select count(*)::integer from users) as rows,
        (select count(*)::integer from erasures) as proofs, (select removed from erasures) as removed,
        input, (select count(*)::integer from tasks) as tasks
      from tasks where id = ${ERASURE}`
    assert.deepEqual(
      { ...left },
      { input: {}, proofs: 1, removed: { sandbox_messages: ROWS, users: 1 }, rows: 0, tasks: 1 }
    )
  } finally {
    await db.close()
  }
})
