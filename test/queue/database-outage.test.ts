// A short outage of the database while rows are claimed uses no attempt, and no row waits until its lease expires.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'

import { removeClaimed } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import type { QueueJob } from '../../server/queue/queue-job.ts'
import { retryUntilUp } from '../../server/queue/retry-until-up.ts'
import { openDatabaseProxy } from '../fault/database-proxy.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { readAttempts, deliver, onlyGroup, openTestQueues, newRow, put, signal } from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }
/** Duration of the outage, and time within which the row must be claimed again: much shorter than the lease. */
const AWAY = 3000
const SOON = 8000

/** A queue's database behind a proxy that ends when the first rows are claimed. */
async function cutOff(work: (cut: () => void, done: () => void) => QueueJob) {
  await using t = await testDb()
  await using proxy = await openDatabaseProxy(t.url)
  const db = await openTestDb({ connections: 2, listenUrl: '', url: proxy.url })
  const done = signal()
  let cutAt: number | undefined
  const cut = (): void => {
    if (cutAt !== undefined) return
    cutAt = performance.now()
    proxy.cut()
    void pass(AWAY).then(proxy.go)
  }
  const queues = openTestQueues(db)
  queues.add(work(cut, done.resolve))
  await put(t.db, [newRow('u1')])
  queues.start()
  await done.promise
  const took = performance.now() - cutAt!
  await queues.idle('EMAIL')
  await queues.stop(1000)
  await db.close()
  assert.ok(took < SOON, `${took} ms: it waited for the end of its lease`)
  return await readAttempts(t.db)
}

test('repeats a database job as soon as the database is back', { timeout: 60_000 }, async () => {
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

test('keeps the attempts of rows that could not be prepared', { timeout: 60_000 }, async () => {
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

test('runs other rows while one row of a database job always hangs', { timeout: 10_000 }, async () => {
  await using t = await testDb()
  const done = signal()
  await using queues = openTestQueues(t.db)
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

test('releases rows when their lease expires if they cannot be returned', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  const { control } = t.db
  await control`
    create function too_slow() returns trigger language plpgsql as 'begin
      raise exception ''canceling statement due to statement timeout'' using errcode = ''57014''; end'`
  await control`
    create trigger too_slow before update on outbox for each row
    when (new.attempts_left > old.attempts_left) execute function too_slow()`
  const done = signal()
  let passed = 0
  // Every reading of the clock is ten seconds later.
  await using queues = openTestQueues(t.db, { monotonicMs: () => (passed += 10_000) })
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

test('retries errors of an outage, but not the end of its own connections', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  const db = await openTestDb({ connections: 1, listenUrl: '', url: t.url })
  const { work } = onlyGroup(db)
  const messages: string[] = []
  const onWait = (error: unknown): void => void messages.push((error as { code: string }).code)
  /** Fails with that code the first time. */
  const after = (code: string): Promise<unknown> => {
    const tries = [`do $$ begin raise exception 'No.' using errcode = '${code}'; end $$`]
    return retryUntilUp(() => work.unsafe(tries.shift() ?? 'select 1'), { onWait })
  }
  const passing = ['53100', '53300', '57014', '57P03']
  await Promise.all(passing.map(after))
  assert.deepEqual(messages.toSorted(), passing)
  await assert.rejects(after('23514'), { code: '23514' })
  await db.close()
  await assert.rejects(after('53100'), { code: 'CONNECTION_ENDED' })
  assert.equal(messages.length, passing.length)
})
