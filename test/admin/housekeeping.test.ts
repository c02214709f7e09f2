// Housekeeping runs each task once per interval over all nodes, and deletes only old rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pino } from 'pino'

import { claimTick } from '../../server/admin/housekeeping.sql.ts'
import { runDueTasks, startHousekeeping } from '../../server/admin/housekeeping.ts'
import { bucketOf, uuidv7 } from '../../server/core/id.ts'
import { openDb, type Db, type Sql } from '../../server/db/db.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { until } from '../support/process.ts'

const DAY = 86_400_000
const ENV = 'env'
const log = pino({ level: 'silent' })
const config = { retentionDays: 30 }

test('runs a task once per interval over all nodes', async () => {
  await using t = await testDb()
  const nodes = Array.from({ length: 4 }, () => openDb({ connections: 2, listenUrl: '', url: t.url }))
  try {
    const claims = await Promise.all(nodes.map(db => claimTick(db, 'test', 60)))
    assert.equal(claims.filter(Boolean).length, 1)
    await t.db.control`update ticks set due_at = due_at - interval '61 seconds' where name = 'test'`
    const again = await Promise.all(nodes.map(db => claimTick(db, 'test', 60)))
    assert.equal(again.filter(Boolean).length, 1)
  } finally {
    await Promise.all(nodes.map(db => db.close()))
  }
})

test('runs every task at the first call, and none at the second', async () => {
  await using t = await testDb()
  assert.deepEqual(await runDueTasks({ config, db: t.db, log }), [
    'partitions',
    'retention',
    'log-counts',
    'old-log-counts',
    'tasks-and-nodes',
    'rate_counters',
    'deleted-environments',
    'deleted-topics',
    'idempotency-keys',
    'audit',
    'sessions',
    'tombstones',
    'sandbox',
    'attachments',
    'call-texts',
    'handled-callbacks',
    'receipts',
    'dead-letters'
  ])
  assert.deepEqual(await runDueTasks({ config, db: t.db, log }), [])
})

test('keeps tasks as long as the log, which refers to what broadcasts say', async () => {
  await using t = await testDb()
  await t.db.control`
    insert into environments (id, secret, settings) values ('long', '', '{"retentionDays": 60}')`
  for (const days of [59, 61]) {
    await t.db.control`
      insert into tasks (id, env_id, kind, state, input, per_second, created_by, ended_at)
      select gen_random_uuid(), 'long', 'broadcast', 'done', '{}', 0, ${`${days}`}, now() - ${days} * interval '1 day'`
  }
  await runDueTasks({ config, db: t.db, log })
  const left = await t.db.control`select created_by from tasks`
  assert.deepEqual([...left], [{ created_by: '59' }])
})

test('keeps the audit log for a year, and its answers as long', async () => {
  await using t = await testDb()
  for (const days of [364, 366]) {
    await t.db.control`
      with calls as (
        insert into audit_calls (id, actor, action, method, route, address)
        values (uuid_at(now() - ${days} * interval '1 day'), ${`${days}`}, 'read', 'GET', '/', '::1') returning id)
      insert into audit_answers (id, status) select id, 200 from calls`
  }
  await runDueTasks({ config, db: t.db, log })
  const left = await t.db.control`select actor, status from audit_calls left join audit_answers using (id)`
  assert.deepEqual([...left], [{ actor: '364', status: 200 }])
  const [answers] = await t.db.control`select count(*)::int as count from audit_answers`
  assert.equal(answers!['count'], 1)
})

test('deletes spoken texts after the last attempt of their call', async () => {
  await using t = await testDb()
  for (const days of [1, 3]) {
    await t.db.control`
      insert into call_texts (bucket, id, env_id, user_id, text, language)
      values (${bucketOf(ENV, 'u')}, uuid_at(now() - ${days} * interval '1 day'), ${ENV}, 'u', ${`${days}`}, 'en-US')`
  }
  await runDueTasks({ config, db: t.db, log })
  const left = await t.db.control<{ text: string }[]>`select text from call_texts where bucket >= 0`
  assert.deepEqual([...left], [{ text: '1' }])
})

const trigger = plainPostgresOnly('a trigger on the table of a user uses a table of the test')

const oldKeys = (control: Sql, count: number) => control`
  insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint, created_at)
  select 1, ${ENV}, 'u', i, '', now() - interval '25 hours' from generate_series(1, ${count}::int) i`

test('deletes many idempotency keys in short statements', { skip: trigger, timeout: 60_000 }, async () => {
  await using t = await testDb()
  const { control } = t.db
  await oldKeys(control, 12_000)
  await control.unsafe(`
    create table cuts (size integer);
    create function cut() returns trigger language plpgsql as 'begin
      insert into cuts select count(*) from gone; return null; end';
    create trigger cut after delete on idempotency_keys referencing old table as gone
      for each statement execute function cut()`)
  await runDueTasks({ config, db: t.db, log })
  const [cuts] = await control<{ all: number; largest: number }[]>`
    select sum(size)::int as all, max(size) as largest from cuts`
  assert.equal(cuts!.all, 12_000)
  assert.ok(cuts!.largest <= 5_000, `${cuts!.largest} at once`)
})

test('stops between two batches, and returns the task to other nodes', { skip: trigger }, async () => {
  await using t = await testDb()
  const { control } = t.db
  await oldKeys(control, 12_000)
  await control.unsafe(`
    create table held (id integer primary key); insert into held values (1);
    create function wait() returns trigger language plpgsql as 'begin
      perform from held for update; return null; end';
    create trigger wait after delete on idempotency_keys for each statement execute function wait()`)
  const goOn = Promise.withResolvers<void>()
  const holding = control.begin(async tx => {
    await tx`select from held for update`
    await goOn.promise
  })
  const house = startHousekeeping({ config, db: t.db, log })
  await until(() => isLockAwaited(control), 'a batch is under way')
  const stopped = house.stop()
  goOn.resolve()
  await Promise.all([holding, stopped])
  const [left] = await control<{ keys: number }[]>`select count(*)::int as keys from idempotency_keys`
  assert.equal(left!.keys, 7000)
  assert.ok((await runDueTasks({ config, db: t.db, log })).includes('idempotency-keys'))
})

test('returns a failed task, and runs the others', async () => {
  await using t = await testDb()
  await t.db.control.unsafe('alter table sandbox_messages rename to away')
  const done = await runDueTasks({ config, db: t.db, log })
  assert.ok(!done.includes('sandbox') && done.includes('dead-letters'), done.join())
  await t.db.control.unsafe('alter table away rename to sandbox_messages')
  const [row] = await t.db.control<{ soon: boolean }[]>`
    select due_at < now() + interval '5 minutes' as soon from ticks where name = 'sandbox'`
  assert.ok(row!.soon)
})

for (const [retentionDays, days] of [
  [90, 30],
  [20, 20]
] as const) {
  test(`deletes dead letters after ${days} days if logs are kept for ${retentionDays}`, async () => {
    await using t = await testDb()
    await keepLetters(t.db, days)
    await runDueTasks({ config: { retentionDays }, db: t.db, log })
    const left = await t.db.control`select user_id as user from dead_letters where bucket = 1`
    assert.deepEqual([...left], [{ user: 'young' }])
  })
}

for (const [retentionDays, days] of [
  [90, 7],
  [3, 3]
] as const) {
  test(`deletes sandbox messages after ${days} days if logs are kept for ${retentionDays}`, async () => {
    await using t = await testDb()
    await keepMessages(t.db, days)
    await runDueTasks({ config: { retentionDays }, db: t.db, log })
    const left = await t.db.control`select user_id as user from sandbox_messages where bucket = 1`
    assert.deepEqual([...left], [{ user: 'young' }])
  })
}

test('deletes old idempotency keys and receipts, and keeps young ones', async () => {
  await using t = await testDb()
  const sql = t.db.control
  for (const [key, hours] of [
    ['young', 23],
    ['old', 25]
  ] as const) {
    await sql`
      insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint, created_at)
      values (1, ${ENV}, 'u', ${key}, '', now() - ${hours} * interval '1 hour')`
  }
  for (const [user, days] of [
    ['young', 29],
    ['old', 31]
  ] as const) {
    await sql`
      insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, provider_ref)
      select 1, id, ${ENV}, ${user}, id, 'SMS', 'delivered', ''
      from uuid_at(now() - ${days} * interval '1 day') as id`
  }
  await runDueTasks({ config, db: t.db, log })
  const left = await sql<{ name: string }[]>`
    select 'key ' || key as name from idempotency_keys where bucket = 1
    union all select 'receipt ' || user_id from receipts where bucket = 1 order by 1`
  assert.deepEqual(
    left.map(row => row.name),
    ['key young', 'receipt young']
  )
})

/** One sandbox message a day younger than the limit, and one a day older. */
async function keepMessages({ control: sql }: Db, limit: number): Promise<void> {
  for (const [user, days] of [
    ['young', limit - 1],
    ['old', limit + 1]
  ] as const) {
    const id = uuidv7(64).replace(/^.{13}/, stamp(Date.now() - days * DAY))
    await sql`
      insert into sandbox_messages (bucket, id, env_id, user_id, notification_id, channel, message)
      values (1, ${id}, ${ENV}, ${user}, 'news', 'EMAIL', '{}')`
  }
}

/** One dead letter a day younger than the limit, and one a day older. */
async function keepLetters({ control: sql }: Db, limit: number): Promise<void> {
  for (const [user, days] of [
    ['young', limit - 1],
    ['old', limit + 1]
  ] as const) {
    await sql`
      insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code, died_at)
      values (1, uuid_at(now() - ${days + 1} * interval '1 day'), 'EMAIL', 1, ${ENV}, ${user}, '{}', 'x',
        now() - ${days} * interval '1 day')`
  }
}

/** The first 48 bits of a uuidv7. */
function stamp(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
