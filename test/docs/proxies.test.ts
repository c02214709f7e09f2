// The lines for proxies that operators are given, below a path of a host and on a host of our own: requests, sockets, TLS,
// and a node that is not there.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

import { inbox, OWN_KEYS, send } from '../process/send-and-read.ts'
import { openTab } from '../property/tab.ts'
import { testDb } from '../support/db.ts'
import { freePort } from '../support/port.ts'
import { startServer, until } from '../support/process.ts'
import { startCaddy, startNginx } from '../support/proxy.ts'
import { trustPeers } from '../support/tls.ts'

const absent = (program: string, argument: string): string | false =>
  spawnSync(program, [argument]).status !== 0 && `${program} is not installed`

for (const [name, start, skip, paths] of [
  // On a host of its own: test/fault/nginx.test.ts.
  ['nginx', startNginx, absent('nginx', '-v'), ['/notif']],
  ['Caddy', startCaddy, absent('caddy', 'version'), ['', '/notif']]
] as const) {
  for (const path of paths) {
    const where = path === '' ? 'on a host of our own' : `below ${path}`
    test(`${name} ${where}`, { skip, timeout: 60_000 }, async () => {
      trustPeers()
      await using database = await testDb()
      await using node = await startServer({
        databaseUrl: database.url,
        env: {
          ...OWN_KEYS,
          NOTIF_DEMO: '0',
          NOTIF_PUBLIC_URL: `https://app.example.com${path}`,
          NOTIF_SOCKETS_PER_ADDRESS: '2',
          NOTIF_TRUSTED_PROXIES: '127.0.0.1'
        }
      })
      // The first of the two is not there.
      await using proxy = await start([await freePort(), Number(new URL(node.base).port)], path)
      const base = `${proxy.tls}${path}`
      assert.equal((await fetch(`${base}/readyz`)).status, 200, proxy.log())
      assert.equal((await fetch(`${base}/metrics`)).status, 404)
      assert.equal((await send({ base }, 'Before')).status, 200)
      const front = { base: `${proxy.plain.base}${path}/`, port: proxy.plain.port }
      for (const dialect of ['http', 'ws'] as const) {
        await using tab = await openTab(front, 'u1', dialect, 10)
        await until(() => tab.store.$connection.get().state === 'online', `${dialect}: ${proxy.log()}`)
        const { items } = await inbox({ base })
        assert.equal((await send({ base }, 'Live')).status, 200)
        await until(() => tab.announced.length === 1, `${dialect}: it is live`)
        await until(() => tab.store.$counts.get().unarchived === items.length + 1, 'it is counted')
      }
    })
  }
}
