// The nginx configuration of the documentation, unmodified: a real nginx with TLS before two nodes, which are replaced one
// after the other while back ends send and pages are open.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

import { OWN_KEYS } from '../process/send-and-read.ts'
import { openTab, type Tab } from '../property/tab.ts'
import { testDb } from '../support/db.ts'
import { freePort } from '../support/port.ts'
import { startServer, until } from '../support/process.ts'
import { startNginx } from '../support/proxy.ts'
import { trustPeers } from '../support/tls.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const missing = spawnSync('nginx', ['-v']).status === 0 ? undefined : 'nginx is not installed'
if (missing !== undefined) process.stderr.write(`skipped: two nodes behind a real nginx, ${missing}\n`)

const BETWEEN = 60

test(
  'two nodes behind nginx are replaced one after the other',
  { skip: missing ?? false, timeout: 240_000 },
  async t => {
    trustPeers()
    await using database = await testDb()
    const ports = [await freePort(), await freePort()] as const
    const start = (port: number) =>
      startServer({
        databaseUrl: database.url,
        env: {
          ...OWN_KEYS,
          NOTIF_DEMO: '0',
          NOTIF_REQUESTS_PER_SECOND: '100000',
          NOTIF_TRUSTED_PROXIES: '127.0.0.1',
          PORT: String(port)
        }
      })
    const nodes = [await start(ports[0]), await start(ports[1])]
    await using nginx = await startNginx(ports)
    using callers = startCallers(() => nginx.tls, { callers: 4, users: 2 })
    const tabs: Tab[] = []
    try {
      for (const [user, dialect] of (['http', 'ws'] as const).entries()) {
        tabs.push(await openTab(nginx.plain, `user${user}`, dialect, 100))
      }
      for (const { store } of tabs) {
        await until(() => store.$connection.get().state === 'online', 'every page is connected')
      }
      assert.equal((await fetch(`${nginx.tls}/metrics`)).status, 404)
      for (const [i, port] of ports.entries()) {
        await callers.more(BETWEEN)
        const { code } = await nodes[i]!.end('SIGTERM')
        assert.equal(code, 0, nodes[i]!.output())
        await callers.more(BETWEEN)
        nodes[i] = await start(port)
      }
      await callers.more(BETWEEN)
      await callers.finish()
      t.diagnostic(`repeated: ${JSON.stringify([...callers.repeats])}`)
      assert.deepEqual(callers.surprises, [], nginx.log())
      assert.deepEqual(callers.split, [])
      const { sql } = database.db.of(0)
      for (const [user, { announced, store }] of tabs.entries()) {
        const rows = await sql<{ id: string }[]>`select id from inbox_items where user_id = ${`user${user}`}`
        await until(() => store.$counts.get().unarchived === rows.length, `user${user} counts all items`)
        assert.equal(new Set(announced).size, announced.length, 'an item was announced twice')
      }
      const { sends } = await assertConserved(sql)
      assert.equal(sends, callers.accepted.size)
    } finally {
      for (const tab of tabs) await tab[Symbol.asyncDispose]()
      for (const server of nodes) await server[Symbol.asyncDispose]()
    }
  }
)
