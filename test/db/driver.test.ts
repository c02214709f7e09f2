// What server/db/mend-driver.mjs mends: a connection that dies in a transaction harms neither the process nor others.

import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'

import { connect } from '../../server/db/connect.ts'
import { openDb } from '../../server/db/db.ts'
import { testDb } from '../support/db.ts'

test('a transaction that outlives its connection cannot touch the transaction that has it now', async () => {
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
      throw new Error('and rolls back')
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

test('connections that die with a write under way are opened again, every time', async () => {
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
  'whenever a connection is cut, every query is answered and the process goes on',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const db = openDb({ connections: 4, listenUrl: '', url: t.url })
    const stop = new AbortController()
    let answered = 0
    const ask = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        // The next one at once: it may meet the connection between its error and its close.
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
        // Cuts fall into the start of a connection as well as into its work.
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

test('a statement waits for no acknowledgement of the one before it', async t => {
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

test('a connection that answers one question at a time may hold a transaction', async () => {
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
