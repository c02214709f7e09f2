// The database is away for a moment while rows are in our hands: no try is spent, and no row waits for the end of its lease.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'

import { openDb } from '../../server/db/db.ts'
import { removeClaimed } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import type { QueueJob } from '../../server/queue/queue-job.ts'
import { retryUntilUp } from '../../server/queue/retry-until-up.ts'
import { openDatabaseProxy } from '../fault/database-proxy.ts'
import { testDb } from '../support/db.ts'
import { attemptsOf, deliver, groupOf, queuesOf, newRow, put, signal } from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }
/** Milliseconds for which it is away, and in which the row must have come again: far below the lease. */
const AWAY = 3000
const SOON = 8000

/** A queue's database behind a proxy that ends when the first rows are claimed. */
async function cutOff(work: (cut: () => void, done: () => void) => QueueJob) {
  await using t = await testDb()
  await using proxy = await openDatabaseProxy(t.url)
  const db = openDb({ connections: 2, listenUrl: '', url: proxy.url })
  const done = signal()
  let cutAt: number | undefined
  const cut = (): void => {
    if (cutAt !== undefined) return
    cutAt = performance.now()
    proxy.cut()
    void pass(AWAY).then(proxy.go)
  }
  const queues = queuesOf(db)
  queues.add(work(cut, done.resolve))
  await put(t.db, [newRow('u1')])
  queues.start()
  await done.promise
  const took = performance.now() - cutAt!
  await queues.idle('EMAIL')
  await queues.stop(1000)
  await db.close()
  assert.ok(took < SOON, `${took} ms: it waited for the end of its lease`)
  return await attemptsOf(t.db)
}

test('a step whose database is away comes again as soon as it is back', { timeout: 60_000 }, async () => {
  await cutOff((cut, done) => ({
    kind: 'database',
    timeoutMs: 1000,
    queue: 'EMAIL',
    async run(rows, group) {
      cut()
      await group.work.begin(tx => removeClaimed(tx, group, rows))
      done()
    }
  }))
})

test('rows that could not be prepared for that keep their try', { timeout: 60_000 }, async () => {
  const attempts = await cutOff((cut, done) =>
    deliver(() => Promise.reject(new Error('never')), {
      async prepare(_rows, group) {
        cut()
        await group.work`select 1`
        return async () => {
          done()
          return SENT
        }
      }
    })
  )
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['sent']
  )
})

test('a step that always stands still keeps none of its neighbours back', { timeout: 10_000 }, async () => {
  await using t = await testDb()
  const done = signal()
  await using queues = queuesOf(t.db)
  queues.add({
    kind: 'database',
    timeoutMs: 60_000,
    queue: 'EMAIL',
    async run(rows, group) {
      if (rows.some(({ userId }) => userId === 'still')) {
        throw Object.assign(new Error('idle-in-transaction timeout'), { code: '25P03' })
      }
      await group.work.begin(tx => removeClaimed(tx, group, rows))
      done.resolve()
    }
  })
  await put(t.db, [newRow('still'), newRow('next')])
  queues.start()
  await done.promise
})

test('rows that cannot be given back are let go when their lease is over', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  const { sql } = groupOf(t.db)
  await sql`
    create function too_slow() returns trigger language plpgsql as 'begin
      raise exception ''canceling statement due to statement timeout'' using errcode = ''57014''; end'`
  await sql`
    create trigger too_slow before update on outbox for each row
    when (new.attempts_left > old.attempts_left) execute function too_slow()`
  const done = signal()
  let passed = 0
  // Whoever asks for the time finds that ten seconds have passed.
  await using queues = queuesOf(t.db, { monotonicMs: () => (passed += 10_000) })
  queues.add({
    kind: 'database',
    timeoutMs: 1000,
    queue: 'EMAIL',
    async run(rows, group) {
      if (rows.some(({ userId }) => userId === 'first')) {
        await put(t.db, [newRow('next')])
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      }
      await group.work.begin(tx => removeClaimed(tx, group, rows))
      done.resolve()
    }
  })
  await put(t.db, [newRow('first')])
  queues.start()
  await done.promise
})

test(
  'what is over by itself is waited for, the end of our own connections is not',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const db = openDb({ connections: 1, listenUrl: '', url: t.url })
    const { work } = groupOf(db)
    const heard: string[] = []
    const onWait = (error: unknown): void => void heard.push((error as { code: string }).code)
    /** Fails with that code the first time. */
    const after = (code: string): Promise<unknown> => {
      const tries = [`do $$ begin raise exception 'No.' using errcode = '${code}'; end $$`]
      return retryUntilUp(() => work.unsafe(tries.shift() ?? 'select 1'), { onWait })
    }
    const passing = ['53100', '53300', '57014', '57P03']
    await Promise.all(passing.map(after))
    assert.deepEqual(heard.toSorted(), passing)
    await assert.rejects(after('23514'), { code: '23514' })
    await db.close()
    await assert.rejects(after('53100'), { code: 'CONNECTION_ENDED' })
    assert.equal(heard.length, passing.length)
  }
)
