// Claims are limited by bytes: a queue holds few large rows at a time, and claims the others as soon as they fit.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import { Capacity } from '../../server/queue/capacity.ts'
import { CircuitBreaker } from '../../server/queue/circuit-breaker.ts'
import { removeClaimed } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { random } from '../support/random.ts'
import { deliver, onlyGroup, openTestQueues, newRow, put, signal, waitingIn } from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }
const SIZE = 10_000

describe('the byte limit of a claim', { timeout: 60_000 }, () => {
  let t: TestDb
  before(async () => {
    t = await testDb()
  })
  after(() => t[Symbol.asyncDispose]())
  beforeEach(() => onlyGroup(t.db).sql`truncate outbox, attempts, dead_letters`)

  /** Letters that hardly compress. */
  const fill = (rows: number, size = SIZE): Promise<void> => {
    const dice = random()
    const text = () => Array.from({ length: size }, () => dice(36).toString(36)).join('')
    return put(
      t.db,
      Array.from({ length: rows }, (_, n) => newRow(`u${n}`, { notificationId: 'n', text: text() }))
    )
  }

  for (const { maxBytes, holds } of [
    { maxBytes: 3.5 * SIZE, holds: 4 },
    { maxBytes: 0, holds: 2 }
  ]) {
    const what = `a queue that may hold ${maxBytes} bytes fills its slots, and has no more than that in advance`
    test(what, { timeout: 30_000 }, async () => {
      const rows = 12
      await fill(rows)
      const started = signal()
      const finish = signal()
      const got: string[] = []
      await using queues = openTestQueues(t.db, { pollMs: 10_000 })
      queues.add(
        deliver(
          async row => {
            got.push(row.userId)
            if (got.length === 2) started.resolve()
            await finish.promise
            return SENT
          },
          { maxBytes, concurrency: 2, timeoutMs: 60_000 }
        )
      )
      queues.start()
      await started.promise
      const claimed = (await waitingIn(t.db)).filter(row => row.leased)
      assert.ok(claimed.length <= holds, `${claimed.length} are in its hands`)
      finish.resolve()
      await queues.idle('EMAIL')
      assert.equal(new Set(got).size, rows)
      assert.equal(got.length, rows)
    })
  }

  test('continues immediately with a database job whose claim was limited', async () => {
    const rows = 100
    await fill(rows, 3000)
    const done = signal()
    let runs = 0
    let endedAt = Number.NaN
    const gapsMs: number[] = []
    await using queues = openTestQueues(t.db, { pollMs: 10_000 })
    queues.add({
      maxBytes: 0,
      kind: 'database',
      timeoutMs: 5000,
      queue: 'EMAIL',
      async run(batch, group) {
        runs += 1
        if (runs > 1) gapsMs.push(performance.now() - endedAt)
        await group.work.begin(tx => removeClaimed(tx, group, batch))
        endedAt = performance.now()
        if (runs === rows) done.resolve()
      }
    })
    queues.start()
    // Waiting until idle would itself cause another claim.
    await done.promise
    // A pause is 50 ms. A busy machine lengthens some of the gaps, but not all of them.
    assert.ok(Math.min(...gapsMs) < 45, `${Math.round(Math.min(...gapsMs))} ms`)
  })
})

test('claims no more rows than fit if they are as large as the claimed ones', () => {
  const work = deliver(() => Promise.reject(new Error('never')), { prefetch: 30, maxBytes: 10 * SIZE })
  const room = new Capacity(work, new CircuitBreaker(Date.now), undefined)
  assert.equal(room.freeRows, 40)
  room.addClaimed(Array.from({ length: 6 }, () => ({ bodyBytes: 1.5 * SIZE })))
  assert.equal(room.freeRows, 1)
  room.release([{ bodyBytes: 1.5 * SIZE }])
  assert.equal(room.freeRows, 2)
  room.addClaimed([{ bodyBytes: 9 * SIZE }])
  assert.equal(room.freeRows, 1, 'into a free slot, however full the hands are')
  room.addClaimed([1, 2, 3, 4].map(() => ({ bodyBytes: 1 })))
  assert.equal(room.freeRows, 0, 'no slot is free')
})
