// The defects of the Postgres driver that `patches/` repairs (patches/README.md has the list). Half-open connections have
// a file of their own: test/fault/half-open.test.ts.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { connect } from '../../server/db/connect.ts'
import { openDb, type Query } from '../../server/db/db.ts'
import { testDb } from '../support/db.ts'

test('defect 2: a transaction that outlives its connection cannot change the transaction that has it now', async () => {
  await using t = await testDb()
  await t.db.control`create table notes (text text)`
  const db = openDb({ connections: 1, listenUrl: '', url: t.url })
  try {
    const { sql } = db.of(0)
    const gate = Promise.withResolvers<void>()
    const late = Promise.withResolvers<string>()
    const first = sql.begin(async tx => {
      await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {})
      await gate.promise
      await tx`select 1`.then(
        () => late.resolve('answered'),
        error => late.resolve(String(error.code))
      )
      throw new Error('roll back')
    })
    await assert.rejects(first)
    await sql.begin(async tx => {
      await tx`insert into notes values ('one')`
      gate.resolve()
      assert.equal(await late.promise, 'CONNECTION_CLOSED')
      await tx`insert into notes values ('two')`
    })
    const rows = await sql`select text from notes order by text`
    assert.deepEqual(
      rows.map(row => row['text']),
      ['one', 'two']
    )
  } finally {
    await db.close()
  }
})

test('defect 1: connections that close with a write under way are opened again, every time', async () => {
  await using t = await testDb()
  const db = openDb({ connections: 2, listenUrl: '', url: t.url })
  try {
    const { sql } = db.of(0)
    for (let round = 0; round < 10; round++) {
      const all = await Promise.allSettled(
        Array.from({ length: 4 }, () =>
          sql.begin(async tx => {
            await tx`select 1`
            await tx`select pg_terminate_backend(pg_backend_pid())`
          })
        )
      )
      assert.ok(all.every(result => result.status === 'rejected'))
    }
    assert.deepEqual(
      await Promise.all(Array.from({ length: 8 }, () => sql`select 1 as n`.then(rows => rows[0]!['n']))),
      Array(8).fill(1)
    )
  } finally {
    await db.close()
  }
})

test(
  'defects 3, 4 and 5: whenever a connection is cut, every query is answered and the process keeps running',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const db = openDb({ connections: 4, listenUrl: '', url: t.url })
    const stop = new AbortController()
    let answered = 0
    const ask = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        // The next query follows at once: it may reach the connection between its error and its close.
        await db.of(0).work`select ${answered}::int as n`.then(
          () => (answered += 1),
          () => {}
        )
      }
    }
    try {
      const asking = [ask(), ask(), ask()]
      for (let round = 0; round < 400; round++) {
        await t.db.control`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'notif-kit work'`
        // Cuts fall into the start of a connection as well as into its queries.
        for (let turn = 0; turn < (round % 10) * 4; turn++)
          await new Promise(resolve => setImmediate(resolve))
      }
      stop.abort()
      await Promise.all(asking)
      assert.ok(answered > 0)
    } finally {
      stop.abort()
      await db.close()
    }
  }
)

test('defect 8: a statement does not wait for the acknowledgement of the one before it', async t => {
  const eager = new Set<Socket>()
  const real = Reflect.get(Socket.prototype, 'setNoDelay') as Socket['setNoDelay']
  t.mock.method(Socket.prototype, 'setNoDelay', function (this: Socket, on?: boolean) {
    if (on !== false) eager.add(this)
    return real.call(this, on)
  })
  await using database = await testDb()
  const port = Number(new URL(database.url).port)
  const db = openDb({ connections: 2, listenUrl: '', url: database.url })
  try {
    const before = eager.size
    await Promise.all([db.of(0).sql`select 1`, db.of(0).work`select 1`])
    assert.deepEqual(
      [...eager].slice(before).map(({ remotePort }) => remotePort),
      [port, port]
    )
  } finally {
    await db.close()
  }
})

test('defect 9: a connection without pipelining can hold a transaction', async () => {
  await using t = await testDb()
  const sql = connect(t.url, { max: 2, max_pipeline: 0, onnotice: () => {} })
  try {
    const ask = (n: number) => sql.begin(async tx => (await tx<{ n: number }[]>`select ${n}::int as n`)[0]!.n)
    const numbers = Array.from({ length: 8 }, (_, i) => i)
    assert.deepEqual(await Promise.all(numbers.map(ask)), numbers)
  } finally {
    await sql.end()
  }
})

test('defect 3: a query that fails between its rows leaves no gap before the rows of the next query', async () => {
  await using t = await testDb()
  const sql = connect(t.url, { max: 1, onnotice: () => {} })
  try {
    const failed = sql`select 1 / (4 - n) as n from generate_series(1, 10) as n`
    const next = sql<{ n: number }[]>`select n from generate_series(1, 3) as n`
    await assert.rejects(failed, { code: '22012' })
    assert.deepEqual([...(await next)], [{ n: 1 }, { n: 2 }, { n: 3 }])
  } finally {
    await sql.end()
  }
})

test('defect 7: a query that has been answered is freed by the next collection of young objects', async () => {
  await using t = await testDb()
  const sql = connect(t.url, { max: 1, onnotice: () => {} })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const oldBytes = (): number =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size
  const ask = (query: Query, i: number) => query`select ${`${i}`.padEnd(32_000, 'x')}::text as value`
  const run = async (): Promise<void> => {
    for (let i = 0; i < 250; i++) {
      await ask(sql, i)
      await sql.begin(tx => ask(tx, i))
      if (i % 25 === 0) collect({ type: 'minor' })
    }
  }
  try {
    await run()
    collect()
    const before = oldBytes()
    await run()
    collect({ type: 'minor' })
    const keptBytes = oldBytes() - before
    assert.ok(keptBytes < 4_000_000, `500 queries of 32 kB left ${keptBytes} bytes in the old space`)
  } finally {
    await sql.end()
  }
})

test('patches/README.md names each defect of the patch with its upstream issue and a test', () => {
  const folder = join(import.meta.dirname, '../../patches')
  const patch = readFileSync(join(folder, 'postgres+3.4.9.patch'), 'utf8')
  const marked = new Set(
    [...patch.matchAll(/defects? (\d)(?: and (\d))?/g)].flatMap(([, a, b]) => (b ? [a, b] : [a]))
  )
  const rows = readFileSync(join(folder, 'README.md'), 'utf8')
    .split('\n')
    .filter(line => /^\| \d/.test(line))
  assert.deepEqual(
    [...marked].toSorted(),
    rows.map(row => row.split('|')[1]!.trim())
  )
  for (const row of rows) assert.match(row, /#\d+|none found/)
})
