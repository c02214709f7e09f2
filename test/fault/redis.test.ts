// Redis as the carrier of hints dies under load and returns: nothing is lost or doubled, counters agree, and open pages show each
// item once. A node starts and serves without it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OWN_KEYS } from '../process/send-and-read.ts'
import { openTab, type Tab } from '../property/tab.ts'
import { testDb } from '../support/db.ts'
import { startServer, until, type ServerProcess } from '../support/process.ts'
import { startRedis, whyNoRedis } from '../support/redis.ts'
import { openBalancer } from './balancer.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const missing = whyNoRedis()
if (missing !== undefined) process.stderr.write(`skipped: Redis dies under load, ${missing}\n`)
const skip = missing ?? false

const USERS = 4
/** Sends that must be accepted between two events. */
const BETWEEN = 60
const PAGE = 100

const areHintsUp = async ({ base }: ServerProcess): Promise<boolean> => {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  return /^notif_hints_up 1$/m.test(metrics)
}

test('Redis is killed under load and started again', { skip, timeout: 480_000 }, async t => {
  await using database = await testDb()
  await using redis = await startRedis()
  await using balancer = await openBalancer()
  const start = (processes: number) =>
    startServer({
      databaseUrl: database.url,
      env: {
        ...OWN_KEYS,
        NOTIF_DEMO: '0',
        NOTIF_HINTS_URL: redis.url,
        NOTIF_PROCESSES: String(processes),
        NOTIF_REQUESTS_PER_SECOND: '100000'
      },
      timeoutMs: 150_000
    })
  const nodes = [await start(2), await start(1)]
  const tabs: Tab[] = []
  try {
    for (const { base } of nodes) balancer.add(base)
    for (let user = 0; user < USERS; user += 1) {
      tabs.push(await openTab(balancer, `user${user}`, user % 2 === 0 ? 'http' : 'ws', PAGE))
    }
    for (const { store } of tabs) {
      await until(() => store.$connection.get().state === 'online', 'every page is connected')
    }
    for (const node of nodes) await until(() => areHintsUp(node), 'Redis carries hints')
    using callers = startCallers(() => balancer.base, { callers: 4, users: USERS })
    await callers.more(BETWEEN)
    await redis.kill()
    await callers.more(BETWEEN)
    nodes.push(await start(1))
    balancer.add(nodes[2]!.base)
    await callers.more(BETWEEN)
    assert.equal(await areHintsUp(nodes[2]!), false)
    await redis.start()
    for (const node of nodes) await until(() => areHintsUp(node), 'Redis carries hints again')
    await callers.more(BETWEEN)
    await callers.finish()
    assert.deepEqual(callers.surprises, [])
    assert.deepEqual(callers.split, [])
    assert.deepEqual([...callers.repeats], [], 'an outage of Redis refuses no send')

    const { sql } = database.db.of(0)
    for (const [user, { announced, store }] of tabs.entries()) {
      const rows = await sql<{ id: string }[]>`select id from inbox_items where user_id = ${`user${user}`}`
      const stored = new Set(rows.map(({ id }) => id))
      await until(() => store.$counts.get().unarchived === stored.size, `user${user} counts all items`)
      assert.equal(new Set(announced).size, announced.length, 'an item was announced twice')
      const shown = new Set(store.$notifications.get().map(({ id }) => id))
      assert.deepEqual([...shown.difference(stored)], [])
      for (const id of [...stored].slice(0, PAGE)) assert.ok(shown.has(id), `user${user} misses an item`)
    }
    const { sends } = await assertConserved(sql)
    assert.equal(sends, callers.accepted.size)
    const [{ listeners } = assert.fail()] = await sql<{ listeners: number }[]>`
      select count(*)::integer as listeners from pg_stat_activity
      where datname = current_database() and application_name = 'notif-kit listen'`
    assert.equal(listeners, 0)
    for (const node of nodes) {
      assert.equal((await node.end('SIGTERM')).code, 0, node.output())
      assert.match(node.output(), /"event":"hints_lost"/)
    }
    t.diagnostic(`${sends} sends`)
  } finally {
    for (const tab of tabs) await tab[Symbol.asyncDispose]()
    for (const server of nodes) await server[Symbol.asyncDispose]()
  }
})
