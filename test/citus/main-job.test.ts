// A server on an empty Citus cluster distributes its tables, and does its main job there: from a send to an erasure.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { runDueTasks } from '../../server/admin/housekeeping.ts'
import { createClient } from '../../server/client/index.ts'
import { readConfig } from '../../server/config/config.ts'
import { createLog } from '../../server/core/log.ts'
import { readUserTables } from '../../server/db/citus/distribute.ts'
import type { Db } from '../../server/db/db.ts'
import { dropOldPartitions, ensurePartitions } from '../../server/db/partitions.ts'
import { assertConserved } from '../fault/conservation.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../process/send-and-read.ts'
import { emptyDatabase, whyNoCitus } from '../support/citus.ts'
import { openTestDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'

const { DATABASE_URL } = process.env
const missing = await whyNoCitus(DATABASE_URL)
if (missing !== undefined) process.stderr.write(`skipped: the main job on Citus, ${missing}\n`)

const USERS = Array.from({ length: 24 }, (_, i) => `user-${i}`)
const TYPE = 'comment'

describe('on a Citus cluster', { skip: missing ?? false, timeout: 200_000 }, async () => {
  if (missing !== undefined) return
  const database = await emptyDatabase(DATABASE_URL!)
  await database.join()
  const server = await startServer({ databaseUrl: database.url, env: { ...OWN_KEYS, NOTIF_DEMO: '1' } })
  const client = createClient({ baseURL: server.base, clientId: CLIENT, clientSecret: SECRET })
  const db: Db = await openTestDb({ connections: 2, listenUrl: '', url: database.url })
  const sql = db.control

  const count = async (table: string): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(table)}`
    return row!.count
  }
  /** Sends to every user, who are in many shards. @returns tracking ids */
  const sendAll = async (more: object): Promise<string[]> => {
    const sent = await Promise.all(
      USERS.map(id => client.send({ to: { email: `${id}@example.com`, id }, type: TYPE, ...more }))
    )
    return sent.map(({ trackingId }) => trackingId!)
  }
  const delivered = (ids: readonly string[], outcome: string): Promise<void> =>
    until(async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(distinct send_id) from attempts where send_id = any(${ids}::uuid[]) and outcome = ${outcome}`
      return row!.count === ids.length
    }, `${ids.length} sends have the outcome ${outcome}`)

  test('distributes every table with a bucket, and makes a group of each shard', async () => {
    const tables = await readUserTables(sql)
    assert.ok(tables.length >= 28, `${tables.length} tables`)
    assert.deepEqual(
      tables.filter(({ isDistributed }) => !isDistributed),
      []
    )
    assert.equal(db.groups.length, 8)
    assert.deepEqual(db.groups.flatMap(({ buckets }) => buckets!).toSorted((a, b) => a - b).length, 1024)
  })

  test('sends to inboxes, and reads and changes them', async () => {
    const ids = await sendAll({ inapp: { title: 'Hello' } })
    for (const [i, user] of USERS.entries()) {
      const page = await client.listInApp(user)
      assert.deepEqual(
        page.items.map(item => item.id),
        [ids[i]]
      )
      await client.updateInAppNotification(user, {
        opened: new Date().toISOString(),
        trackingIds: [ids[i]!]
      })
      assert.equal((await client.listInApp(user)).counts.unopened, 0)
    }
  })

  test('answers a repeated request once', async () => {
    const before = await count('sends')
    const request = { inapp: { title: 'Once' }, to: { id: USERS[0]! }, type: TYPE }
    const [first, second] = [
      await client.send(request, { idempotencyKey: 'one' }),
      await client.send(request, { idempotencyKey: 'one' })
    ]
    assert.equal(first.trackingId, second.trackingId)
    assert.equal(await count('sends'), before + 1)
  })

  test('delivers email, and logs it', async () => {
    const ids = await sendAll({ email: { html: '<p>x</p>', subject: 'x' } })
    await delivered(ids, 'sent')
    const { logs } = await client.queryLogs({ notificationFilter: [TYPE] })
    assert.ok(logs.length > 0)
    const explained = await client.explain(ids[0]!)
    assert.ok(explained)
  })

  test('keeps preferences, and does not send what is off', async () => {
    const user = USERS[1]!
    await client.identifyUser({ email: 'b@example.com', id: user, timezone: 'Europe/Berlin' })
    await client.setUserPreferences(user, [{ channel: 'EMAIL', delivery: 'off', notificationId: TYPE }])
    const sent = await client.send({ email: { html: 'x', subject: 'x' }, to: { id: user }, type: TYPE })
    const explained = await client.explain(sent.trackingId!)
    assert.match(JSON.stringify(explained), /preference/)
  })

  test('sends a schedule at its time, and deletes another one', async () => {
    const soon = await sendAll({
      inapp: { title: 'Later' },
      schedule: new Date(Date.now() + 1500).toISOString()
    })
    const never = await client.send({
      inapp: { title: 'Never' },
      schedule: new Date(Date.now() + 86_400_000).toISOString(),
      to: { id: USERS[2]! },
      type: TYPE
    })
    await client.deleteSchedule(never.trackingId!)
    await until(async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*) from inbox_items where id = any(${soon}::uuid[])`
      return row!.count === soon.length
    }, 'all schedules are in the inboxes')
  })

  test('collects a digest, and sends it', async () => {
    const user = USERS[3]!
    await client.setUserPreferences(user, [{ channel: 'EMAIL', delivery: 'daily', notificationId: TYPE }])
    const to = { email: 'd@example.com', id: user }
    for (const subject of ['one', 'two', 'three']) {
      await client.send({ email: { html: 'x', subject }, to, type: TYPE })
    }
    assert.equal(await count('digest_items'), 3)
    // Preferences that change make digests due.
    await client.setUserPreferences(user, [{ channel: 'EMAIL', delivery: 'instant', notificationId: TYPE }])
    await until(async () => (await count('digest_items')) === 0, 'the digest was sent')
  })

  test('retracts', async () => {
    const { count: retracted } = await client.retract({ notificationId: TYPE, userId: USERS[4]! })
    assert.ok(retracted > 0)
    assert.deepEqual((await client.listInApp(USERS[4]!)).items, [])
  })

  test('exports and erases a user', async () => {
    const records: unknown[] = []
    for await (const record of client.exportUser(USERS[5]!)) records.push(record)
    assert.ok(records.length > 2)
    await client.eraseUser(USERS[5]!)
    const [left] = await sql<{ count: number }[]>`
      select (select count(*) from sends where user_id = ${USERS[5]!})
        + (select count(*) from inbox_items where user_id = ${USERS[5]!}) as count`
    assert.equal(left!.count, 0)
  })

  test('runs every task of housekeeping', async () => {
    const read = readConfig({})
    assert.ok('config' in read)
    await sql`update ticks set due_at = now()`
    const warnings: unknown[] = []
    const log = createLog('silent')
    log.warn = ((...args: unknown[]) => void warnings.push(args)) as typeof log.warn
    const done = await runDueTasks({ config: read.config, db, log })
    assert.deepEqual(warnings, [])
    assert.ok(done.length > 5, done.join())
  })

  test('drops old partitions of the log', async () => {
    const [last] = await sql<{ count: number }[]>`
      select count(*) from pg_class where relname ~ '^sends_[0-9]{8}$' and relkind = 'r'`
    const dropped = await dropOldPartitions(sql, 0)
    assert.equal(dropped.length, 2, dropped.join())
    await sql.begin(ensurePartitions)
    const [now] = await sql<{ count: number }[]>`
      select count(*) from pg_class where relname ~ '^sends_[0-9]{8}$' and relkind = 'r'`
    assert.equal(now!.count, last!.count)
  })

  test('has lost and doubled nothing', async () => {
    await assertConserved(sql)
  })

  test('ends, and drops its database', async () => {
    await db.close()
    assert.equal((await server.end('SIGTERM')).code, 0, server.output())
    await database[Symbol.asyncDispose]()
  })
})
