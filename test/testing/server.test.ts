// The server that tests of a back end start: its sandbox, its error texts, and that it leaves no process or folder behind.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { startNotifServer, type NotifServer } from '../../server/testing/index.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { until } from '../support/process.ts'

let database: TestDb
let server: NotifServer
before(async () => {
  database = await testDb()
  server = await startNotifServer({ databaseUrl: database.url })
})
after(async () => {
  await server?.stop()
  await database?.[Symbol.asyncDispose]()
})

const mail = (user: string, subject: string) => ({
  email: { html: `<p>${subject}</p>`, subject },
  to: { email: `${user}@x.test`, id: user },
  type: 'new_comment'
})

test('waitFor returns each matching message once, the oldest first', async () => {
  const { client, sandbox } = server
  const { trackingId } = await client.send(mail('amara', 'one'))
  const first = await sandbox.waitFor({ channel: 'EMAIL', user: 'amara' })
  assert.deepEqual(
    [first.subject, first.to, first.type, first.trackingId, first.userId],
    ['one', 'amara@x.test', 'new_comment', trackingId, 'amara']
  )
  const waiting = sandbox.waitFor({ channel: 'EMAIL', type: 'new_comment', user: 'amara' })
  await client.send({ ...mail('amara', 'other type'), type: 'farewell' })
  await client.send(mail('mei', 'somebody else'))
  await sandbox.waitFor({ user: 'mei' })
  await client.send(mail('amara', 'two'))
  assert.equal((await waiting).subject, 'two')
  assert.equal((await sandbox.waitFor({ type: 'farewell' })).subject, 'other type')
  assert.deepEqual(
    (await sandbox.messages({ user: 'amara' })).map(one => one.subject),
    ['two', 'other type', 'one']
  )
})

test('the error of a time-out names the wanted message and those that arrived', async () => {
  const { client, sandbox } = server
  const { trackingId } = await client.send(mail('noor', 'here'))
  await sandbox.waitFor({ user: 'noor' })
  const late = sandbox.waitFor({ channel: 'SMS', timeout: 100, type: 'code', user: 'noor' })
  await assert.rejects(late, (error: Error) => {
    assert.match(
      error.message,
      /^No SMS of type code for noor came within 100 ms\. The newest in the sandbox:/
    )
    const line = new RegExp(
      `EMAIL of type new_comment for noor, ${trackingId} \\(returned by an earlier wait\\)`
    )
    assert.match(error.message, line)
    return true
  })
})

test('the error names a folder without a server, or a wrong setting', async () => {
  await assert.rejects(
    startNotifServer({ folder: '/nowhere' }),
    /There is no notif-kit server in \/nowhere\. Set `folder` to the folder of the repository/
  )
  const wrong = startNotifServer({ databaseUrl: database.url, settings: { NOTIF_TYPE_DIR: 'types' } })
  await assert.rejects(wrong, /The server ended with 1:\nnotif-kit: NOTIF_TYPE_DIR: .*NOTIF_TYPES_DIR/)
})

/** Files of processes whose command line contains the folder: server and database. */
const processesIn = (folder: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').filter(file => {
    try {
      return readFileSync(file, 'utf8').includes(folder)
    } catch {
      // The process has just ended.
      return false
    }
  })

test('a test process that is killed leaves no process and no folder', { timeout: 90_000 }, async t => {
  const program = `
    import { startNotifServer } from '${join(import.meta.dirname, '../../server/testing/index.ts')}'
    const server = await startNotifServer()
    process.stdout.write(server.output())
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  t.after(() => child.kill('SIGKILL'))
  const ready = /ready at \S+ .*, embedded database in (\S+)\n/
  await until(() => ready.test(output), 'the server is ready', 60_000)
  const folder = ready.exec(output)![1]!
  assert.ok(existsSync(join(folder, 'postgres/PG_VERSION')))
  assert.ok(processesIn(folder).length >= 2, 'a server and its database')
  child.kill('SIGKILL')
  await until(() => processesIn(folder).length === 0 && !existsSync(folder), 'nothing is left')
})

test('a server that is not stopped does not keep the program alive', { timeout: 90_000 }, async () => {
  const program = `
    import { startNotifServer } from '${join(import.meta.dirname, '../../server/testing/index.ts')}'
    const { client, output, sandbox } = await startNotifServer({ databaseUrl: '${database.url}' })
    await client.send(${JSON.stringify(mail('lee', 'last'))})
    console.log((await sandbox.waitFor({ user: 'lee' })).subject)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const output = (await child.stdout.setEncoding('utf8').toArray()).join('')
  assert.equal(output, 'last\n')
})
