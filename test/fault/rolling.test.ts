// A rolling restart of two nodes under load: each node is replaced while the other serves. No accepted send is missing or
// duplicated, and open pages show every item once, over both socket protocols.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OWN_KEYS } from '../process/send-and-read.ts'
import { openTab, type Tab } from '../property/tab.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'
import { openBalancer } from './balancer.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const ROUNDS = 1
const USERS = 4
/** Sends that must be accepted between two restarts. */
const BETWEEN = 60
const PAGE = 100

test('two nodes are replaced one after the other', { timeout: 240_000 }, async t => {
  await using database = await testDb()
  await using balancer = await openBalancer()
  const start = () =>
    startServer({
      databaseUrl: database.url,
      env: { ...OWN_KEYS, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
    })
  const nodes = [await start(), await start()]
  for (const { base } of nodes) balancer.add(base)
  using callers = startCallers(() => balancer.base, { callers: 4, users: USERS })
  const tabs: Tab[] = []
  try {
    for (let user = 0; user < USERS; user += 1) {
      tabs.push(await openTab(balancer, `user${user}`, user % 2 === 0 ? 'http' : 'ws', PAGE))
    }
    for (const { store } of tabs) {
      await until(() => store.$connection.get().state === 'online', 'every page is connected')
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [i, old] of nodes.entries()) {
        await callers.more(BETWEEN)
        const { code } = await old.end('SIGTERM')
        assert.equal(code, 0, old.output())
        balancer.remove(old.base)
        await callers.more(BETWEEN)
        nodes[i] = await start()
        balancer.add(nodes[i].base)
      }
    }
    await callers.more(BETWEEN)
    await callers.finish()
    assert.deepEqual(callers.surprises, [])
    assert.deepEqual(callers.split, [])

    const { sql } = database.db.of(0)
    for (const [user, { announced, store }] of tabs.entries()) {
      const rows = await sql<{ id: string }[]>`select id from inbox_items where user_id = ${`user${user}`}`
      const stored = new Set(rows.map(({ id }) => id))
      await until(() => store.$counts.get().unarchived === stored.size, `user${user} counts all items`)
      assert.equal(new Set(announced).size, announced.length, 'an item was announced twice')
      const shown = new Set(store.$notifications.get().map(({ id }) => id))
      assert.deepEqual([...shown.difference(stored)], [])
      // The page was open before the first item, so each item arrived live or by catch-up.
      for (const id of stored) assert.ok(shown.has(id), `user${user} misses an item`)
    }
    const { mailedTwice, sends } = await assertConserved(sql)
    assert.equal(sends, callers.accepted.size)
    t.diagnostic(
      `${sends} sends, ${ROUNDS * 2} restarts, repeated: ${JSON.stringify([...callers.repeats])}, ${mailedTwice} mails twice`
    )
  } finally {
    for (const tab of tabs) await tab[Symbol.asyncDispose]()
    for (const server of nodes) await server[Symbol.asyncDispose]()
  }
})
