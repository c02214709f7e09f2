// A filled database becomes distributed by `npm run distribute`, also in two runs, and the server goes on with it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

import { StartupError } from '../../server/core/startup-error.ts'
import { distributeDatabase, readUserTables } from '../../server/db/citus/distribute.ts'
import { connect } from '../../server/db/connect.ts'
import { openDb } from '../../server/db/db.ts'
import { migrate } from '../../server/db/migrate.ts'
import { inbox, OWN_KEYS, send } from '../process/send-and-read.ts'
import { emptyDatabase, whyNoCitus } from '../support/citus.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'

const { DATABASE_URL } = process.env
const missing = await whyNoCitus(DATABASE_URL)
if (missing !== undefined) process.stderr.write(`skipped: distributing a filled database, ${missing}\n`)

const MAIN = join(import.meta.dirname, '../../server/distribute.ts')

/** Runs the command as `npm run distribute` does. */
const runCommand = (url: string | undefined) => {
  const rest = Object.entries(process.env).filter(([name]) => !/^(?:NOTIF_|DATABASE_)/.test(name))
  const env = { ...Object.fromEntries(rest), ...(url !== undefined && { DATABASE_URL: url }) }
  const { status, stderr, stdout } = spawnSync(process.execPath, [MAIN], { encoding: 'utf8', env })
  return { said: stdout + stderr, status }
}

test('says what is missing: an address, or Citus', { skip: missing === undefined }, async () => {
  assert.match(runCommand(undefined).said, /DATABASE_URL: set it to the address of the coordinator/)
  await using database = await testDb()
  const { said, status } = runCommand(database.url)
  assert.match(said, /this database has no extension citus/)
  assert.equal(status, 1)
})

test(
  'moves the rows table by table, and goes on after an interruption',
  { skip: missing ?? false },
  async () => {
    await using database = await emptyDatabase(DATABASE_URL!)
    const sql = connect(database.url, { max: 1, onnotice: () => {} })
    const server = await startServer({ databaseUrl: database.url, env: OWN_KEYS })
    for (let i = 0; i < 5; i += 1) assert.equal((await send(server, `number ${i}`, `key ${i}`)).status, 200)
    await database.join()

    assert.match(runCommand(database.url).said, /the server uses this database/)
    assert.equal((await server.end('SIGTERM')).code, 0, server.output())

    const interrupted = new Error('interrupted')
    await assert.rejects(
      distributeDatabase(database.url, ({ left }) => {
        if (left === 20) throw interrupted
      }),
      interrupted
    )
    const half = openDb({ connections: 1, listenUrl: '', url: database.url })
    await assert.rejects(
      migrate(half),
      error => error instanceof StartupError && /npm run distribute/.test(error.message)
    )
    await half.close()

    const { said, status } = runCommand(database.url)
    assert.equal(status, 0, said)
    assert.match(said, /distributed sends, 5 rows/)
    assert.ok((await readUserTables(sql)).every(({ isDistributed }) => isDistributed))
    assert.match(runCommand(database.url).said, /all tables were distributed before/)

    await using after = await startServer({ databaseUrl: database.url, env: OWN_KEYS })
    assert.equal((await inbox(after)).items.length, 5)
    assert.equal((await send(after, 'number 0', 'key 0')).status, 200)
    assert.equal((await send(after, 'one more')).status, 200)
    assert.equal((await inbox(after)).items.length, 6)
    await sql.end()
  }
)
