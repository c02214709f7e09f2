// Batches of sends: they are written together, and each one succeeds or fails alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import postgres from 'postgres'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import { bucketOf } from '../../server/core/id.ts'
import { Problem, toProblem } from '../../server/http/problem.ts'
import type { Answer } from '../../server/http/route.ts'
import type { AcceptRequest } from '../../server/send/accept/accept.ts'
import { countLockWaits, openTestDb, testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { accepting, ENV, watched } from './test-acceptor.ts'

const perShard = plainPostgresOnly(
  'counts the statements of all users, which are in several groups on a cluster'
)

const idOf = (answer: Answer): string => (answer.body as { trackingId: string }).trackingId

test(
  'a batch needs as many statements as a single send, and no transaction if one statement is enough',
  { skip: perShard },
  async () => {
    await using t = await testDb()
    const { close, db, statements } = watched(t.db, t.url)
    const { accept } = await accepting(db)
    const to = (id: string) => ({ email: { html: 'x', subject: 'x' }, to: { email: 'a@b.example', id } })
    // The first send creates the type, reads the time, and lets the driver read its types.
    await accept(to('u0'))

    /** The first word of each statement, and the tables that it writes. */
    const costOf = async (size: number, claimed = false): Promise<string[]> => {
      statements.length = 0
      const claim = (i: number): NonNullable<AcceptRequest['claim']> => ({
        bucket: bucketOf(ENV, `u${i}`),
        envId: ENV,
        fingerprint: Buffer.from('print'),
        key: `${size} of them`,
        userId: `u${i}`
      })
      await Promise.all(
        Array.from({ length: size }, (_, i) => accept(to(`u${i}`), claimed ? claim(i) : undefined))
      )
      return statements.map(text =>
        [/^\w+/.exec(text), ...text.matchAll(/insert into (\w+)/g)].map(m => m!.at(-1)).join(' ')
      )
    }
    const written = 'with sends log_count_deltas inbox_counters inbox_items outbox'
    assert.deepEqual(await costOf(1), ['select', written])
    // The same user again: the contact cache has it, and the one statement proves that it is current.
    assert.deepEqual(await costOf(1), [written])
    // The first send of a type to a user stores the topic.
    assert.deepEqual(await costOf(50), ['select', `${written} received`])
    assert.deepEqual(await costOf(50), ['select', written])
    for (const size of [1, 50]) {
      assert.deepEqual(await costOf(size, true), [
        ...(size === 1 ? [] : ['select']),
        'begin',
        'insert idempotency_keys',
        written,
        'update',
        'commit'
      ])
    }
    await close()
  }
)

test('one bad send in a batch of fifty fails alone', async () => {
  await using t = await testDb()
  const { accept, context } = await accepting(t.db)
  const sends = Array.from({ length: 50 }, (_, i) => {
    // The parser refuses NUL, so that it never reaches Postgres, which refuses it as well.
    const parameters = { text: i === 17 ? 'a\0b' : `a${i}` }
    return accept({ parameters, to: { id: `u${i % 2}` } })
  })
  const results = await Promise.allSettled(sends)
  const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [i] : []))
  assert.deepEqual(failed, [17])
  assert.equal(toProblem((results[17] as PromiseRejectedResult).reason).status, 422)
  const rows = await t.db
    .control`select user_id, content -> 'parameters' ->> 'text' as text from inbox_items order by seq`
  assert.equal(rows.length, 49)
  const [{ sends: logged }] = (await t.db.control`select count(*)::int as sends from sends`) as [
    { sends: number }
  ]
  assert.equal(logged, 49)
  for (let user = 0; user < 2; user++) {
    const mine = rows.filter(row => row['user_id'] === `u${user}`).map(row => Number(row['text'].slice(1)))
    assert.deepEqual(
      mine,
      mine.toSorted((a, b) => a - b),
      'order within one user'
    )
  }
  const published = context.events.flatMap(event => event.change.items.map(item => item.id))
  const accepted = results.flatMap(result => (result.status === 'fulfilled' ? [idOf(result.value)] : []))
  assert.deepEqual(published.toSorted(), accepted.toSorted())
})

const failing = plainPostgresOnly('a trigger on the table of a user calls a function of the test')
for (const [what, code] of [
  ['loses against others again and again', '40001'],
  ['is too slow', '57014'],
  ['stands still', '25P03']
] as const) {
  test(`one send that ${what} fails alone`, { skip: failing }, async () => {
    await using t = await testDb()
    const { accept, context } = await accepting(t.db)
    await t.db.control.unsafe(`
      create function fail() returns trigger language plpgsql as 'begin
        raise exception ''no'' using errcode = ''${code}''; end'`)
    await t.db.control.unsafe(`
      create trigger fail before insert on inbox_items for each row when (new.user_id = 'u1') execute function fail()`)
    const results = await Promise.allSettled(['u0', 'u1', 'u2'].map(id => accept({ to: { id } })))
    assert.deepEqual(
      results.map(result =>
        result.status === 'rejected' ? toProblem(result.reason).status : result.value.status
      ),
      [200, 503, 200]
    )
    assert.deepEqual(context.events.map(({ userId }) => userId).toSorted(), ['u0', 'u2'])
  })
}

test('requests of one batch with the same idempotency keys each get their answer', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db)
  const keyed = (key: string, body: string) => {
    const bucket = bucketOf(ENV, 'u1')
    return accept({}, { bucket, envId: ENV, fingerprint: Buffer.from(body), key, userId: 'u1' })
  }
  const stored = idOf(await keyed('stored', 'x'))
  await keyed('another', 'x')
  const results = await Promise.allSettled([
    accept({}),
    keyed('stored', 'x'),
    keyed('stored', 'x'),
    keyed('stored', 'y'),
    keyed('stored', 'y'),
    accept({}),
    keyed('fresh', 'x'),
    keyed('fresh', 'x'),
    keyed('fresh', 'y'),
    keyed('another', 'y'),
    keyed('another', 'y')
  ])
  const outcomes = results.map(result => {
    if (result.status === 'rejected') return toProblem(result.reason).slug
    const { headers, status } = result.value
    return [status, headers?.['idempotent-replayed']]
  })
  const done = [200, undefined]
  const again = [200, 'true']
  const reused = 'idempotency-key-reused'
  assert.deepEqual(outcomes, [done, again, again, reused, reused, done, done, again, reused, reused, reused])
  const ids = results.map(result => (result.status === 'fulfilled' ? idOf(result.value) : undefined))
  assert.deepEqual([ids[1], ids[2]], [stored, stored])
  assert.equal(ids[7], ids[6])
  assert.equal(new Set([stored, ids[0], ids[5], ids[6]]).size, 4)
  const [row] = await t.db.control`select unopened from inbox_counters`
  assert.equal(row!['unopened'], 5)
})

test('publishes nothing and wakes no queue for sends that were not written', async () => {
  await using t = await testDb()
  const { accept, context } = await accepting(t.db)
  await assert.rejects(accept({ parameters: { text: '\0' } }))
  assert.deepEqual([context.events.length, context.woken.size], [0, 0])
})

test('publishes events only after the commit', async () => {
  await using t = await testDb()
  const { acceptor, context } = await accepting(t.db)
  const seen: Promise<number>[] = []
  context.live.publish = events => {
    const [id] = events.flatMap(event => event.change.items.map(item => item.id))
    seen.push(
      t.db.groups[0]!.work`select count(*)::int as n from inbox_items where id = ${id!}`.then(
        ([row]) => row!['n'] as number
      )
    )
  }
  await acceptor.accept({
    claim: undefined,
    environment: { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) },
    send: { inapp: { title: 'x' }, to: { id: 'u' }, type: 't' },
    warnings: []
  })
  assert.deepEqual(await Promise.all(seen), [1])
})

test('repeats a transaction that lost a deadlock', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db)
  await accept({})
  const bucket = bucketOf(ENV, 'u1')

  await using other = await holding(t.url)
  // Citus passes the next setting on to its workers, where the wait is. Without Citus this has no effect.
  await other.sql`set local citus.propagate_set_commands = 'local'`
  await other.sql`set local deadlock_timeout = '1min'`
  await other.sql`select 1 from inbox_counters where bucket = ${bucket} and user_id = 'u1' for update`
  const fingerprint = Buffer.from('f')
  const send = accept({}, { bucket, envId: ENV, fingerprint, key: 'k', userId: 'u1' })
  await until(async () => (await countLockWaits(t.db.control)) === 1)
  // The send holds its key and waits for the inbox head. Both transactions now wait for each other, and the send is rolled back.
  await other.sql`
    insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint) values (${bucket}, ${ENV}, 'u1', 'k', 'x')`
  await other.sql`rollback`
  assert.equal((await send).status, 200)
  const [row] = await t.db.control`select unopened from inbox_counters`
  assert.equal(row!['unopened'], 2)
})

/** A connection with a transaction of its own. */
async function holding(url: string) {
  const sql = postgres(url, { max: 1, onnotice() {} })
  await sql`begin`
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done()));
}

test('refuses sends beyond the waiting limit with Retry-After', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db, { maxBatchSize: 5, maxWaiting: 5 })
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => accept({})))
  const refused = results.flatMap(result => (result.status === 'rejected' ? [result.reason as Problem] : []))
  assert.equal(refused.length, 7)
  assert.ok(refused.every(problem => problem.status === 503 && problem.headers['retry-after'] === '1'))
  const [row] = await t.db.control`select count(*)::int as n from sends`
  assert.equal(row!['n'], 5)
})

test('a batch has at most its maximum size', { skip: perShard }, async () => {
  await using t = await testDb()
  const { close, db, statements } = watched(t.db, t.url)
  const { accept } = await accepting(db, { maxBatchSize: 10 })
  await Promise.all(Array.from({ length: 35 }, (_, i) => accept({ to: { id: `u${i}` } })))
  assert.equal(statements.filter(text => text.startsWith('with')).length, 4)
  await close()
})

test('refuses every send at once while the database is down', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db)
  await accept({})
  await t.db.groups[0]!.sql.end({ timeout: 0 })
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => accept({})))
  assert.ok(results.every(result => result.status === 'rejected' && toProblem(result.reason).status === 503))
})

test('no statement scans a whole table, although the tables were empty when it was planned', async () => {
  await using t = await testDb()
  const db = await openTestDb({ connections: 2, listenUrl: '', url: t.url })
  const { accept } = await accepting(db)
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        accept({ email: { html: 'x', subject: 'x' }, to: { email: 'a@b.example', id: `u${round}-${i}` } })
      )
    )
  }
  // A connection reports its statistics when it ends.
  await db.close()
  const read = await t.db.control`
    select relname from pg_stat_user_tables
    where seq_tup_read > 0 and relname in ('inbox_counters', 'inbox_items', 'outbox', 'users', 'preferences')`
  assert.deepEqual(
    read.map(row => String(row['relname'])),
    []
  )
})
