// A broadcast whose process is killed again and again reaches each user exactly once, and its counts agree with the inboxes. So does its
// retraction leave nobody out.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf, uuidv7 } from '../../server/core/id.ts'
import { openDb } from '../../server/db/db.ts'
import { readCounts } from '../../server/send/broadcast/cursors.sql.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'
import { random as seeded } from '../support/random.ts'

const USERS = 30_000
const KILLS = 3
const ENV = OWN_KEYS.NOTIF_CLIENT_ID
const ID = uuidv7(0)
const RETRACTION = uuidv7(0)

test(
  'each user is reached once, and retracted from, through every kill -9',
  { timeout: 300_000 },
  async () => {
    const random = seeded()
    await using t = await testDb()
    const db = openDb({ connections: 2, listenUrl: '', url: t.url })
    try {
      const env = { ...OWN_KEYS, NOTIF_DEMO: '0' }
      // Its first start creates the tables and the environment.
      await (await startServer({ databaseUrl: t.url, env })).end('SIGTERM')
      const { control: sql } = db
      const ids = Array.from({ length: USERS }, (_, i) => `u${i}`)
      await sql`
      insert into users (bucket, env_id, id)
      select b, ${ENV}, id from unnest(${ids.map(id => bucketOf(ENV, id))}::smallint[], ${ids}::text[]) u(b, id)`
      const input = {
        send: { inapp: { title: 'Storm' }, type: 'news' },
        to: { everyone: true },
        warnings: []
      }
      await sql`
      insert into tasks (id, env_id, kind, state, input, per_second, created_by)
      values (${ID}, ${ENV}, 'broadcast', 'queued', ${JSON.stringify(input)}::text::jsonb, 0, 'test')`
      const readDone = async (): Promise<number> => {
        const { failed, leftOut, sent } = (await readCounts(db, [ID])).get(ID) ?? {
          failed: 0,
          leftOut: 0,
          sent: 0
        }
        return sent + leftOut + failed
      }
      let killsBeforeEnd = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        await using server = await startServer({ databaseUrl: t.url, env })
        // A fast machine ends it before the last kills.
        const target = Math.min(USERS - 1, (await readDone()) + random(3000))
        await until(async () => (await readDone()) > target, 'the broadcast goes on', 60_000)
        await server.end('SIGKILL')
        if ((await readDone()) < USERS) killsBeforeEnd++
      }
      assert.ok(killsBeforeEnd > 0, 'it was killed before its end')
      await using server = await startServer({ databaseUrl: t.url, env })
      const stateOf = async (id: string): Promise<string> => {
        const [row] = await sql<{ state: string }[]>`select state from tasks where id = ${id}`
        return row!.state
      }
      await until(async () => (await stateOf(ID)) === 'done', 'the broadcast is done', 120_000)
      // The item of each is also the log of its send, and the statistics count it in the same commit.
      const [row] = await sql<
        { users: number; items: number; unopened: number; sends: number; counted: number }[]
      >`
      select (select count(distinct user_id)::integer from inbox_items where env_id = ${ENV}) as users,
        (select count(*)::integer from inbox_items where env_id = ${ENV} and broadcast_id = ${ID}) as items,
        (select sum(unopened)::integer from inbox_counters where env_id = ${ENV}) as unopened,
        (select count(*)::integer from sends where env_id = ${ENV}) as sends,
        ((select coalesce(sum((counts #>> '{INAPP_WEB,sent}')::integer), 0) from log_count_deltas where env_id = ${ENV})
          + (select coalesce(sum(count), 0) from log_counts where env_id = ${ENV} and result = 'sent'))::integer as counted`
      assert.deepEqual({ ...row }, { counted: USERS, items: USERS, sends: 0, unopened: USERS, users: USERS })
      assert.deepEqual((await readCounts(db, [ID])).get(ID), { failed: 0, leftOut: 0, sent: USERS })

      await sql`
      insert into tasks (id, env_id, kind, state, input, per_second, created_by)
      values (${RETRACTION}, ${ENV}, 'retract-broadcast', 'queued', ${JSON.stringify({ broadcastId: ID })}::text::jsonb, 0, 'test')`
      const removed = async (): Promise<number> =>
        (await sql`select from inbox_items where env_id = ${ENV} and removed`).count
      await until(async () => (await removed()) > 0, 'the retraction has begun', 60_000)
      await server.end('SIGKILL')
      assert.ok((await removed()) < USERS, 'it was killed before its end')
      await using last = await startServer({ databaseUrl: t.url, env })
      await until(async () => (await stateOf(RETRACTION)) === 'done', 'the retraction is done', 120_000)
      assert.equal(await removed(), USERS)
      const [counted] = await sql<{ done: number; unopened: number }[]>`
      select (select sum(done)::integer from task_progress where task_id = ${RETRACTION}) as done,
        (select sum(unopened)::integer from inbox_counters where env_id = ${ENV}) as unopened`
      assert.deepEqual({ ...counted }, { done: USERS, unopened: 0 })
      assert.equal((await last.end('SIGTERM')).code, 0)
    } finally {
      await db.close()
    }
  }
)
