// A server that tests start: it delivers into the sandbox, says what came instead of what was waited for, and leaves nothing
// behind, however its test ends.

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

test('a wait gives each message once, the oldest first, of those that fit', async () => {
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

test('what did not come is told beside what did', async () => {
  const { client, sandbox } = server
  const { trackingId } = await client.send(mail('noor', 'here'))
  await sandbox.waitFor({ user: 'noor' })
  const late = sandbox.waitFor({ channel: 'SMS', timeout: 100, type: 'code', user: 'noor' })
  await assert.rejects(late, (error: Error) => {
    assert.match(
      error.message,
      /^No SMS of type code for noor came within 100 ms\. The newest in the sandbox:/
    )
    const line = new RegExp(`EMAIL of type new_comment for noor, ${trackingId} \\(given by a wait before\\)`)
    assert.match(error.message, line)
    return true
  })
})

test('a folder without a server, and settings that are wrong, are told as they are', async () => {
  await assert.rejects(
    startNotifServer({ folder: '/nowhere' }),
    /There is no notif-kit server in \/nowhere: name the folder of the repository/
  )
  const wrong = startNotifServer({ databaseUrl: database.url, settings: { NOTIF_TYPE_DIR: 'types' } })
  await assert.rejects(wrong, /The server ended with 1:\nnotif-kit: NOTIF_TYPE_DIR: .*NOTIF_TYPES_DIR/)
})

/** Processes that name the folder: server and database. */
const processesOf = (folder: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').filter(file => {
    try {
      return readFileSync(file, 'utf8').includes(folder)
    } catch {
      // It has just ended.
      return false
    }
  })

test('a test that is killed leaves no process and no folder', { timeout: 90_000 }, async t => {
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
  await until(() => ready.test(output), 'it serves', 60_000)
  const folder = ready.exec(output)![1]!
  assert.ok(existsSync(join(folder, 'postgres/PG_VERSION')))
  assert.ok(processesOf(folder).length >= 2, 'a server and its database')
  child.kill('SIGKILL')
  await until(() => processesOf(folder).length === 0 && !existsSync(folder), 'nothing is left')
})

test('a server that nobody stops keeps no program alive', { timeout: 90_000 }, async () => {
  const program = `
    import { startNotifServer } from '${join(import.meta.dirname, '../../server/testing/index.ts')}'
    const { client, output, sandbox } = await startNotifServer({ databaseUrl: '${database.url}' })
    await client.send(${JSON.stringify(mail('lee', 'last'))})
    console.log((await sandbox.waitFor({ user: 'lee' })).subject)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const said = (await child.stdout.setEncoding('utf8').toArray()).join('')
  assert.equal(said, 'last\n')
})
