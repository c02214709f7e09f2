// Migrations: each applied once, and never on a database of another program or version.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { StartupError } from '../../server/core/startup-error.ts'
import { connect } from '../../server/db/connect.ts'
import { openDb, type Db } from '../../server/db/db.ts'
import { isCurrent, migrate, readSchemaState } from '../../server/db/migrate.ts'
import { isLockAwaited, testDb, type TestDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { until } from '../support/process.ts'

/** A folder of migrations; the first one makes the logs, which every migration looks after. */
function folder(...texts: string[]): string & Disposable {
  const dir = mkdtempSync(join(tmpdir(), 'notif-migrations-'))
  texts.forEach((text, i) => writeFileSync(join(dir, `000${i + 1}_m.sql`), text))
  return Object.assign(dir, { [Symbol.dispose]: () => rmSync(dir, { recursive: true }) })
}

const LOGS = `
  create table sends (bucket smallint, id uuid, primary key (bucket, id)) partition by range (id);
  create table attempts (bucket smallint, id uuid, primary key (bucket, id)) partition by range (id);`

const skip = plainPostgresOnly('it drops the schema with all that Citus knows')

/** The test's database, emptied. */
async function empty({ db }: TestDb): Promise<Db> {
  await db.control.unsafe('drop schema public cascade; create schema public')
  return db
}

const numbers = async (db: Db): Promise<number[]> =>
  (await db.control<{ number: number }[]>`select number from migrations order by number`).map(
    row => row.number
  )

test('applies each migration once if twenty nodes start at once', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using dir = folder(LOGS, 'create table a (n integer); insert into a values (1)', 'insert into a values (2)')
  const nodes = Array.from({ length: 20 }, () => openDb({ connections: 2, listenUrl: '', url: t.url }))
  try {
    await Promise.all(nodes.map(node => migrate(node, String(dir))))
  } finally {
    await Promise.all(nodes.map(node => node.close()))
  }
  assert.deepEqual(await numbers(db), [1, 2, 3])
  const rows = await db.control<{ n: number }[]>`select n from a order by n`
  assert.deepEqual(
    rows.map(row => row.n),
    [1, 2]
  )
})

test('rolls a failed migration back, and keeps those before it', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using broken = folder(LOGS, 'create table a (n integer); select 1/0')
  await assert.rejects(migrate(db, String(broken)), /division by zero/)
  assert.deepEqual(await numbers(db), [1])
  using mended = folder(LOGS, 'create table a (n integer)')
  await migrate(db, String(mended))
  assert.deepEqual(await numbers(db), [1, 2])
})

test('refuses a migration that was edited after it was applied, and names it', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using first = folder(LOGS)
  await migrate(db, String(first))
  using edited = folder(`${LOGS} -- changed`)
  await assert.rejects(migrate(db, String(edited)), (error: Error) => {
    assert.ok(error instanceof StartupError)
    assert.match(error.message, /0001_m\.sql.*changed after/)
    return true
  })
})

const refusal = (words: RegExp) => (error: Error) => {
  assert.ok(error instanceof StartupError, error.stack)
  assert.match(error.message, words)
  return true
}

test('names the missing right if the role cannot create or read tables', { skip }, async () => {
  await using t = await testDb()
  const other = openDb({ connections: 2, listenUrl: '', url: `${t.url}?role=pg_monitor` })
  try {
    await assert.rejects(migrate(other), refusal(/permission denied for table migrations.*alter database/))
    await empty(t)
    await t.db.control`grant usage on schema public to public`
    await assert.rejects(migrate(other), refusal(/permission denied for schema public.*alter database/))
  } finally {
    await other.close()
  }
})

test('refuses a database with a table of another program, and does not change it', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  await db.control`create table users (id integer)`
  await assert.rejects(migrate(db), refusal(/"users" already exists.*for notif-kit alone/))
  await db.control`drop table users`
  // As two well-known programs make it.
  await db.control`create table migrations (id serial primary key, migration text, batch integer)`
  await assert.rejects(migrate(db), refusal(/migrations.number does not exist.*for notif-kit alone/))
  await assert.rejects(isCurrent(db), refusal(/for notif-kit alone/))
  await db.control`drop table migrations`
  await migrate(db)
})

test('accepts a schema with exactly the migrations of this version', async () => {
  await using t = await testDb()
  assert.equal(await isCurrent(t.db), true)
  await t.db.control`insert into migrations (number, name, checksum) values (1000, 'later', '')`
  assert.equal(await isCurrent(t.db), false)
  await t.db.control`delete from migrations`
  assert.equal(await isCurrent(t.db), false)
})

test('waits for the migration of another node without a limit', async () => {
  await using t = await testDb()
  const control = connect(t.url, { connection: { statement_timeout: 100 }, max: 1 })
  let migrated: Promise<void> | undefined
  try {
    await t.db.control.begin(async tx => {
      await tx`select pg_advisory_xact_lock(7226000)`
      migrated = migrate({ ...t.db, control, groups: [] })
      migrated.catch(() => {})
      await until(() => isLockAwaited(t.db.control), 'the other is waited for')
      await tx`select pg_sleep(0.3)`
    })
    await migrated
  } finally {
    await control.end()
  }
})

test('accepts a migration with other line ends', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using unix = folder(LOGS)
  await migrate(db, String(unix))
  using dos = folder(LOGS.replaceAll('\n', '\r\n'))
  await migrate(db, String(dos))
})

test('rejects files out of order before it changes anything', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using dir = folder(LOGS)
  writeFileSync(join(String(dir), '0003_m.sql'), 'select 1')
  await assert.rejects(migrate(db, String(dir)), /out of order: expected 2/)
})

test('does not take an unreadable table of migrations for a new database', async () => {
  await using t = await testDb()
  const sql = t.db.control
  await sql.unsafe('alter table migrations rename column number to n')
  await assert.rejects(migrate(t.db), /migrations.number does not exist/)
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from migrations`
  assert.ok(row!.count > 0)
})

test('counts the migrations that a database has and that this version expects', { skip }, async () => {
  await using t = await testDb()
  const db = await empty(t)
  using first = folder(LOGS)
  using both = folder(LOGS, 'create table a (n integer)')
  assert.deepEqual(await readSchemaState(db.control, String(both)), { applied: 0, expected: 2 })
  await migrate(db, String(first))
  assert.deepEqual(await readSchemaState(db.control, String(both)), { applied: 1, expected: 2 })
  await migrate(db, String(both))
  await assert.rejects(readSchemaState(db.control, String(first)), refusal(/newer version/))
})
