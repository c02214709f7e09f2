// The lines for nginx that operators are given, run as they stand: a real nginx with TLS before two nodes, which are
// replaced one after the other while back-ends send and pages are open.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { OWN_KEYS } from '../process/call.ts'
import { openTab, type Tab } from '../property/tab.ts'
import { testDb } from '../support/db.ts'
import { freePort, isListening } from '../support/port.ts'
import { startServer, temporaryDir, until } from '../support/process.ts'
import { TLS, trustPeers } from '../support/tls.ts'
import { startCallers } from './callers.ts'
import { assertConserved } from './conservation.ts'

const missing = spawnSync('nginx', ['-v']).status === 0 ? undefined : 'nginx is not installed'
if (missing !== undefined) process.stderr.write(`skipped: two nodes behind a real nginx, ${missing}\n`)

const DOCS = join(import.meta.dirname, '../../docs/operator.md')
const BETWEEN = 60

/** @param nodes - ports of the two nodes */
async function startNginx(nodes: readonly number[]) {
  const folder = temporaryDir()
  const [tls, plain] = [await freePort(), await freePort()]
  writeFileSync(join(folder, 'cert.pem'), TLS.cert)
  writeFileSync(join(folder, 'cert.key'), TLS.key)
  const [, lines = ''] = /```nginx\n([^`]*)```/.exec(readFileSync(DOCS, 'utf8')) ?? []
  const ours = lines
    .replace('127.0.0.1:3000', `127.0.0.1:${nodes[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${nodes[1]}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl; listen 127.0.0.1:${plain};`)
    .replaceAll('/etc/ssl/notify.example.com', join(folder, 'cert'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`
  )
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
    events {} http { access_log off; ${temporary.join(' ')} ${ours} }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => (said += text))
  const ended = once(child, 'close')
  await until(() => isListening(plain), 'nginx listens')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
    log: () => said,
    plain: { base: `http://127.0.0.1:${plain}`, port: plain },
    tls: `https://127.0.0.1:${tls}`
  }
}

test(
  'two nodes behind nginx are replaced one after the other',
  { skip: missing ?? false, timeout: 240_000 },
  async t => {
    trustPeers()
    await using database = await testDb()
    const ports = [await freePort(), await freePort()]
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
    const nodes = [await start(ports[0]!), await start(ports[1]!)]
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
